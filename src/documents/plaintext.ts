// The plain text of a body, and the excerpt that is cut from it.
import { excerpt as convert } from '@tryghost/html-to-plaintext';
import { EXCERPT_UNITS_MAX } from '../base/limits.ts';

/** Plain text as the editor stores it beside the html: no images, captions, rules or link addresses. */
export const toPlaintext = (html: string): string => convert(html);

/** The first 500 UTF-16 units, one fewer where the cut would halve a character. */
export const cutExcerpt = (plaintext: string): string => {
  if (plaintext.length <= EXCERPT_UNITS_MAX) return plaintext;
  const last = plaintext.charCodeAt(EXCERPT_UNITS_MAX - 1);
  const isHalf = last >= 0xd800 && last <= 0xdbff;
  return plaintext.slice(0, isHalf ? EXCERPT_UNITS_MAX - 1 : EXCERPT_UNITS_MAX);
};
