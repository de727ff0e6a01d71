// Addresses of the own site are stored with a placeholder, so that the site can move (facts 1.1): in
// html within the attributes that hold addresses, never inside <code>; in plain fields as a whole.
import {
  CLOSING_PARENTHESIS,
  GREATER_THAN,
  QUOTE,
  WHITE_SPACE,
} from '../base/character-classes.ts';
import { TextCursor } from '../base/text-cursor.ts';
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

/** One address: absolute on the own site, or beginning with a single slash. */
export const toStoredUrl = (url: string, siteUrl: string): string => {
  if (url === siteUrl || url.startsWith(`${siteUrl}/`)) {
    return `${PLACEHOLDER}${url.slice(siteUrl.length)}`;
  }
  return url.startsWith('/') && !url.startsWith('//') ? `${PLACEHOLDER}${url}` : url;
};

/** Every address in the markup of an html text. */
export const toStoredHtml = (html: string, siteUrl: string): string => {
  const edits = editsFor(siteUrl);
  return editOutside(html, CODE, (part) => editAttributes(part, edits));
};

const editsFor = (siteUrl: string): AttributeEdits =>
  new Map([
    ...ADDRESS_ATTRIBUTES.map(
      (name) => [name, (url: string) => toStoredUrl(url.trim(), siteUrl)] as const,
    ),
    ['srcset', (set) => storeSrcset(set, siteUrl)],
    ['style', (style) => storeStyle(style, siteUrl)],
  ]);

const storeSrcset = (set: string, siteUrl: string): string =>
  set
    .split(',')
    .map((candidate) => candidate.trim())
    .map((candidate) => {
      const [url = '', ...rest] = candidate.split(/\s+/);
      return [toStoredUrl(url, siteUrl), ...rest].join(' ');
    })
    .join(', ');

/** Addresses in `url(...)`, in quotes or not. */
const storeStyle = (style: string, siteUrl: string): string => {
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
    stored += style.slice(copied, start) + toStoredUrl(cursor.textFrom(start), siteUrl);
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
