// The plain text of a body, and the excerpt that is cut from it. The text is the one that Ghost's own library
// makes (@tryghost/html-to-plaintext), which tests compare it with. That library needs a tree of the whole body and
// recurses over it; here the body is read in steps, and for an excerpt only its beginning.
import { EXCERPT_UNITS_MAX } from '../../../base/limits.ts';
import { MarkupReader } from './markup-reader.ts';
import { TextWriter } from './text-writer.ts';

/** A body whose text is read step by step, so that other work goes on between the steps. */
export type PlaintextReading = {
  /** Reads about as many units of the html; answers whether there are more. */
  readonly read: (units?: number) => boolean;
  /** The text of what was read; whole at the end. */
  readonly text: () => string;
  /** It has more elements within one another than a body may have, and was not read to its end. */
  readonly isTooDeep: () => boolean;
};

export const startPlaintext = (html: string): PlaintextReading => {
  const writer = new TextWriter();
  const reader = new MarkupReader(html, writer);
  return {
    read: (units) => reader.read(units),
    text: () => writer.result,
    isTooDeep: () => reader.isTooDeep,
  };
};

/** Plain text as the editor stores it beside the html: no images, captions, rules or link addresses. */
export const toPlaintext = (html: string): string => {
  const reading = startPlaintext(html);
  reading.read();
  return reading.text();
};

/** The excerpt of a body, of which no more is read than that takes. */
export const toExcerpt = (html: string): string => {
  // What stands before a body element is not shown.
  if (/<body/i.test(html)) return cutExcerpt(toPlaintext(html));
  const reading = startPlaintext(html);
  while (reading.read(STEP_UNITS)) if (reading.text().length > EXCERPT_UNITS_MAX) break;
  return cutExcerpt(reading.text());
};

const STEP_UNITS = 4_096;

/** The first 500 UTF-16 units, one fewer where the cut would halve a character. */
export const cutExcerpt = (plaintext: string): string => {
  if (plaintext.length <= EXCERPT_UNITS_MAX) return plaintext;
  const last = plaintext.charCodeAt(EXCERPT_UNITS_MAX - 1);
  const isHalf = last >= 0xd800 && last <= 0xdbff;
  return plaintext.slice(0, isHalf ? EXCERPT_UNITS_MAX - 1 : EXCERPT_UNITS_MAX);
};
