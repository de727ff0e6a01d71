// Steps through the tags of a body as a browser does and finds its links: comments and the texts of
// scripts and the like hold no tags, and a ">" inside a quoted attribute ends nothing. One pass, in loops of
// its own and not with a TextCursor, because each body of a build comes through here.
import type { ByteText } from './byte-text.ts';

const SPACE = 0x20;
const EXCLAMATION = 0x21;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const SLASH = 0x2f;
const EQUALS = 0x3d;
const GREATER_THAN = 0x3e;
const LETTER_A = 0x61;
const LETTER_Z = 0x7a;
const LOWER_CASE_BIT = 0x20;
const HREF = 'href';
/** Elements whose content is text up to their closing tag. */
const RAW_TEXT: ReadonlySet<string> = new Set([
  'script',
  'style',
  'textarea',
  'title',
  'xmp',
  'iframe',
  'noembed',
  'noframes',
]);
const RAW_TEXT_LENGTH_MIN = 'xmp'.length;
const RAW_TEXT_LENGTH_MAX = 'textarea'.length;

/** Called with the range of the value, without its quotes, of each `<a href>`, in order. */
export type OnHref = (start: number, end: number) => void;

export const scanHrefs = (html: ByteText, onHref: OnHref): void => {
  const tag: Tag = { end: 0, nameEnd: 0, hrefStart: -1, hrefEnd: -1 };
  let at = html.indexOf('<');
  while (at !== -1) {
    const code = html.charCodeAt(at + 1);
    if (code === EXCLAMATION) at = skipDeclaration(html, at);
    else if (!isLetter(code)) at += 1;
    else {
      readTag(html, at + 1, tag);
      const isLink = tag.nameEnd === at + 2 && (code | LOWER_CASE_BIT) === LETTER_A;
      if (isLink && tag.hrefStart !== -1) onHref(tag.hrefStart, tag.hrefEnd);
      at = skipRawText(html, at + 1, tag);
    }
    at = html.indexOf('<', at);
  }
};

/** What is known of the tag last read; one object serves the whole scan. */
type Tag = { end: number; nameEnd: number; hrefStart: number; hrefEnd: number };

const readTag = (html: string, nameStart: number, tag: Tag): void => {
  tag.nameEnd = skipName(html, nameStart);
  tag.hrefStart = -1;
  let at = tag.nameEnd;
  for (;;) {
    at = skipSpaceAndSlashes(html, at);
    if (at >= html.length || html.charCodeAt(at) === GREATER_THAN) break;
    const attributeStart = at;
    const attributeEnd = skipName(html, at + 1);
    at = skipSpace(html, attributeEnd);
    if (html.charCodeAt(at) !== EQUALS) continue;
    let valueStart = skipSpace(html, at + 1);
    const opening = html.charCodeAt(valueStart);
    let valueEnd: number;
    if (opening === QUOTE || opening === APOSTROPHE) {
      valueStart += 1;
      valueEnd = html.indexOf(opening === QUOTE ? '"' : "'", valueStart);
      at = valueEnd === -1 ? html.length : valueEnd + 1;
    } else {
      valueEnd = skipBareValue(html, valueStart);
      at = valueEnd;
    }
    if (tag.hrefStart === -1 && isHref(html, attributeStart, attributeEnd)) {
      tag.hrefStart = valueStart;
      tag.hrefEnd = valueEnd;
    }
  }
  // A tag that the body cuts off is no tag.
  if (at >= html.length) tag.hrefStart = -1;
  tag.end = at + 1;
};

const skipDeclaration = (html: string, at: number): number => {
  const isComment = html.startsWith('--', at + 2);
  const end = html.indexOf(isComment ? '-->' : '>', at + 2);
  return end === -1 ? html.length : end + 1;
};

const skipRawText = (html: string, nameStart: number, tag: Tag): number => {
  const length = tag.nameEnd - nameStart;
  if (length < RAW_TEXT_LENGTH_MIN || length > RAW_TEXT_LENGTH_MAX) return tag.end;
  const name = html.slice(nameStart, tag.nameEnd).toLowerCase();
  if (!RAW_TEXT.has(name)) return tag.end;
  let at = html.indexOf('</', tag.end);
  while (at !== -1) {
    const nameEnd = at + 2 + length;
    if (html.slice(at + 2, nameEnd).toLowerCase() === name && isNameEnd(html, nameEnd)) {
      return nameEnd;
    }
    at = html.indexOf('</', at + 2);
  }
  return html.length;
};

const isNameEnd = (html: string, at: number): boolean => {
  const code = html.charCodeAt(at);
  return code === SLASH || code === GREATER_THAN || isSpace(code);
};

const isHref = (html: string, start: number, end: number): boolean =>
  end - start === HREF.length && html.slice(start, end).toLowerCase() === HREF;

const isLetter = (code: number): boolean => {
  const lower = code | LOWER_CASE_BIT;
  return lower >= LETTER_A && lower <= LETTER_Z;
};

const isSpace = (code: number): boolean =>
  code === SPACE || (code >= 0x09 && code <= 0x0d && code !== 0x0b);

const skipSpace = (html: string, from: number): number => {
  let at = from;
  while (isSpace(html.charCodeAt(at))) at += 1;
  return at;
};

const skipSpaceAndSlashes = (html: string, from: number): number => {
  let at = from;
  while (isSpace(html.charCodeAt(at)) || html.charCodeAt(at) === SLASH) at += 1;
  return at;
};

const skipName = (html: string, from: number): number => {
  let at = from;
  for (; at < html.length; at += 1) {
    const code = html.charCodeAt(at);
    if (code === EQUALS || code === GREATER_THAN || code === SLASH || isSpace(code)) break;
  }
  return at;
};

const skipBareValue = (html: string, from: number): number => {
  let at = from;
  for (; at < html.length; at += 1) {
    const code = html.charCodeAt(at);
    if (code === GREATER_THAN || isSpace(code)) break;
  }
  return at;
};
