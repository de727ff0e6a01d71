// Addresses of the own site are stored with a placeholder, so that the site can move (facts 1.1): in
// html within the attributes that hold addresses, never inside <code>; in plain fields as a whole.
import {
  CLOSING_PARENTHESIS,
  GREATER_THAN,
  QUOTE,
  WHITE_SPACE,
} from '../../../base/text/character-classes.ts';
import { TextCursor } from '../../../base/text/text-cursor.ts';
import { type AttributeEdits, editAttributes } from './edit-attributes.ts';
import { editOutside, type FindDelimiter } from './html-regions.ts';
import { editSrcset } from './srcset.ts';

const PLACEHOLDER = '__GHOST_URL__';
const ADDRESS_ATTRIBUTES = [
  'href',
  'src',
  'data-kg-background-image',
  'data-kg-custom-thumbnail',
  'data-kg-thumbnail',
];

/** Where addresses are the own site's. */
export type Own = {
  /** Without a trailing slash; null: not known. */
  readonly siteUrl: string | null;
  /** Public addresses, without a trailing slash, below which this server has the site's pictures and files too. */
  readonly uploadUrls?: readonly string[] | undefined;
};

const UPLOADED = /^\/content\/(?:images|media|files)\//;

/** One address: absolute on the own site, of a picture or file on this server, or beginning with a single slash. */
export const toStoredUrl = (url: string, { siteUrl, uploadUrls = [] }: Own): string => {
  for (const base of uploadUrls) {
    const path = url.startsWith(base) ? url.slice(base.length) : '';
    if (UPLOADED.test(path)) return `${PLACEHOLDER}${path}`;
  }
  const own = siteUrl === null ? null : cutOwn(url, siteUrl);
  if (own !== null) return `${PLACEHOLDER}${own}`;
  if (!url.startsWith('/') || url.startsWith('//')) return url;
  const folder = siteUrl === null ? '' : new URL(siteUrl).pathname;
  return `${PLACEHOLDER}${(folder === '/' ? null : cutOwn(url, folder)) ?? url}`;
};

/** What follows `base` in an address that is it, or lies below it. */
const cutOwn = (url: string, base: string): string | null =>
  url === base || url.startsWith(`${base}/`) ? url.slice(base.length) : null;

/** Every address in the markup of an html text. */
export const toStoredHtml = (html: string, site: Own): string => {
  const edits = editsFor(site);
  return editOutside(html, CODE, (part) => editAttributes(part, edits));
};

const editsFor = (site: Own): AttributeEdits =>
  new Map([
    ...ADDRESS_ATTRIBUTES.map(
      (name) => [name, (url: string) => storeAttribute(url, site)] as const,
    ),
    ['srcset', (set) => editSrcset(set, (url) => toStoredUrl(url, site))],
    ['style', (style) => storeStyle(style, site)],
  ]);

/** A foreign address stays as it is written. */
const storeAttribute = (written: string, site: Own): string => {
  const url = written.trim();
  const stored = toStoredUrl(url, site);
  return stored === url ? written : stored;
};

/** Addresses in `url(...)`, in quotes or not. */
const storeStyle = (style: string, site: Own): string => {
  const cursor = new TextCursor(style);
  let stored = '';
  let copied = 0;
  while (cursor.skipTo('(')) {
    const isUrl = style.slice(Math.max(0, cursor.at - 3), cursor.at).toLowerCase() === 'url';
    cursor.skip(1);
    if (!isUrl) continue;
    cursor.skipWhile(WHITE_SPACE);
    if (cursor.isAt(QUOTE)) cursor.skip(1);
    const start = cursor.at;
    cursor.skipUntil(QUOTE | CLOSING_PARENTHESIS);
    stored += style.slice(copied, start) + toStoredUrl(cursor.textFrom(start), site);
    copied = cursor.at;
  }
  return stored + style.slice(copied);
};

const findCode: FindDelimiter = (cursor) => {
  while (cursor.skipTo('<')) {
    const start = cursor.at;
    if (!cursor.take('<code')) cursor.skip(1);
    else if (cursor.isAt(WHITE_SPACE | GREATER_THAN)) {
      cursor.skip(1);
      return start;
    }
  }
  return null;
};

const findCodeEnd: FindDelimiter = (cursor) => {
  while (cursor.skipTo('</')) {
    const start = cursor.at;
    if (cursor.take('</code>')) return start;
    cursor.skip(1);
  }
  return null;
};

const CODE = { open: findCode, close: findCodeEnd };
