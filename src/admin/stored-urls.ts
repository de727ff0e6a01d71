// Addresses of the own site are stored with a placeholder, so that the site can move (facts 1.1): in
// html within the attributes that hold addresses, never inside <code>; in plain fields as a whole.
import {
  CLOSING_PARENTHESIS,
  GREATER_THAN,
  QUOTE,
  WHITE_SPACE,
} from '../base/character-classes.ts';
import { TextCursor } from '../base/text-cursor.ts';
import type { Site } from './context.ts';
import { type AttributeEdits, editAttributes } from './edit-attributes.ts';
import { editOutside, type FindMark } from './html-regions.ts';

const PLACEHOLDER = '__GHOST_URL__';
const ADDRESS_ATTRIBUTES = [
  'href',
  'src',
  'data-kg-background-image',
  'data-kg-custom-thumbnail',
  'data-kg-thumbnail',
];

/** Where addresses are the own site's. */
type Own = Pick<Site, 'siteUrl' | 'uploadUrls'>;

const UPLOADED = /^\/content\/(?:images|media|files)\//;

/** One address: absolute on the own site, of a picture or file on this server, or beginning with a single slash. */
export const toStoredUrl = (url: string, { siteUrl, uploadUrls = [] }: Own): string => {
  for (const base of uploadUrls) {
    const path = url.startsWith(base) ? url.slice(base.length) : '';
    if (UPLOADED.test(path)) return `${PLACEHOLDER}${path}`;
  }
  if (url === siteUrl || url.startsWith(`${siteUrl}/`)) {
    return `${PLACEHOLDER}${url.slice(siteUrl.length)}`;
  }
  return url.startsWith('/') && !url.startsWith('//') ? `${PLACEHOLDER}${url}` : url;
};

/** Every address in the markup of an html text. */
export const toStoredHtml = (html: string, site: Own): string => {
  const edits = editsFor(site);
  return editOutside(html, CODE, (part) => editAttributes(part, edits));
};

const editsFor = (site: Own): AttributeEdits =>
  new Map([
    ...ADDRESS_ATTRIBUTES.map(
      (name) => [name, (url: string) => toStoredUrl(url.trim(), site)] as const,
    ),
    ['srcset', (set) => storeSrcset(set, site)],
    ['style', (style) => storeStyle(style, site)],
  ]);

const storeSrcset = (set: string, site: Own): string =>
  set
    .split(',')
    .map((candidate) => candidate.trim())
    .map((candidate) => {
      const [url = '', ...rest] = candidate.split(/\s+/);
      return [toStoredUrl(url, site), ...rest].join(' ');
    })
    .join(', ');

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

const findCode: FindMark = (cursor) => {
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

const findCodeEnd: FindMark = (cursor) => {
  while (cursor.skipTo('</')) {
    const start = cursor.at;
    if (cursor.take('</code>')) return start;
    cursor.skip(1);
  }
  return null;
};

const CODE = { open: findCode, close: findCodeEnd };
