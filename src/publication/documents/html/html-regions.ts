// Cuts an html text into what lies inside certain marks and what lies outside of them, in one pass: a
// hostile text costs no more than an honest one of its length.
import { TextCursor } from '../../../base/text/text-cursor.ts';

/** Moves past the next mark and answers where that begins; null, and the end of the text, without one. */
export type FindMark = (cursor: TextCursor) => number | null;

export type Marks = {
  /** The mark that opens a region, and the one that closes it. */
  readonly open: FindMark;
  readonly close: FindMark;
};

/** Applies `edit` to what is outside; regions stay as they are. An unclosed mark opens none. */
export const editOutside = (html: string, marks: Marks, edit: (part: string) => string): string => {
  const cursor = new TextCursor(html);
  let edited = '';
  let at = 0;
  for (;;) {
    const opened = marks.open(cursor);
    if (opened === null || marks.close(cursor) === null) return edited + edit(html.slice(at));
    edited += edit(html.slice(at, opened)) + html.slice(opened, cursor.at);
    at = cursor.at;
  }
};
