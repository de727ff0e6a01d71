// Cuts an html text into what lies inside certain delimiters and what lies outside of them, in one pass: a
// hostile text costs no more than an honest one of its length.
import { TextCursor } from '../../../base/text/text-cursor.ts';

/** Moves past the next delimiter; its start, or null, and the end of the text, without one. */
export type FindDelimiter = (cursor: TextCursor) => number | null;

export type Delimiters = {
  /** The delimiter that opens a region, and the one that closes it. */
  readonly open: FindDelimiter;
  readonly close: FindDelimiter;
};

/** Applies `edit` to what is outside; regions stay as they are. An unclosed delimiter opens none. */
export const editOutside = (
  html: string,
  delimiters: Delimiters,
  edit: (part: string) => string,
): string => {
  const cursor = new TextCursor(html);
  let edited = '';
  let at = 0;
  for (;;) {
    const opened = delimiters.open(cursor);
    if (opened === null || delimiters.close(cursor) === null) return edited + edit(html.slice(at));
    edited += edit(html.slice(at, opened)) + html.slice(opened, cursor.at);
    at = cursor.at;
  }
};
