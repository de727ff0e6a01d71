// Cuts an html text into what lies inside certain marks and what lies outside of them, in one pass: a
// hostile text costs no more than an honest one of its length.

export type Marks = {
  /** Global expressions of the mark that opens a region and of the one that closes it. */
  readonly open: RegExp;
  readonly close: RegExp;
};

/** Applies `edit` to what is outside; regions stay as they are. An unclosed mark opens none. */
export const editOutside = (html: string, marks: Marks, edit: (part: string) => string): string => {
  const open = new RegExp(marks.open);
  const close = new RegExp(marks.close);
  let edited = '';
  let at = 0;
  for (;;) {
    open.lastIndex = at;
    const opened = open.exec(html);
    if (opened === null) break;
    close.lastIndex = open.lastIndex;
    if (close.exec(html) === null) break;
    edited += edit(html.slice(at, opened.index)) + html.slice(opened.index, close.lastIndex);
    at = close.lastIndex;
  }
  return edited + edit(html.slice(at));
};
