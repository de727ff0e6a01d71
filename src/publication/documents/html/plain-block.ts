// Blocks of plain text: words that flow into lines, and blocks below one another with the line breaks that
// both ask for, of which the larger number counts.
import { LINE_FEED, WORD_SPACE } from '../../../base/text/character-classes.ts';
import { TextCursor } from '../../../base/text/text-cursor.ts';

export class PlainBlock {
  /** Line breaks that part it from what comes before. */
  leading: number;
  /** Line breaks that part it from what comes after. */
  trailing = 0;
  /** White space is kept. */
  readonly isPre: boolean;
  /** Blocks that stand before the present lines. */
  #blocks = '';
  /** Whole lines, each with its end. */
  #lines = '';
  #line = '';
  #endsInSpace = false;

  constructor(leading: number, isPre: boolean) {
    this.leading = leading;
    this.isPre = isPre;
  }

  get text(): string {
    return this.#blocks + this.#lines + this.#line;
  }

  addLineBreak(): void {
    if (this.isPre) this.#blocks += '\n';
    else this.#endLine();
  }

  addWords(text: string): void {
    if (this.isPre) {
      this.#blocks += text;
      return;
    }
    const cursor = new TextCursor(text);
    cursor.skipWhile(WORD_SPACE);
    if (text === '' || (this.trailing > 0 && cursor.isAtEnd)) return;
    const lineFeeds = countLineFeeds(text);
    if (lineFeeds > 0) {
      this.#lines += this.#line + '\n'.repeat(lineFeeds);
      this.#line = '';
      return;
    }
    if (this.trailing > 0) {
      this.#lines += this.#line + '\n'.repeat(this.trailing);
      this.#line = '';
      this.trailing = 0;
    }
    this.#flow(cursor);
  }

  /** The cursor stands behind leading space. */
  #flow(cursor: TextCursor): void {
    if (cursor.at > 0) this.#endsInSpace = true;
    if (cursor.isAtEnd) return;
    let parted = this.#endsInSpace;
    while (!cursor.isAtEnd) {
      const start = cursor.at;
      skipPlainRun(cursor);
      this.#append(cursor.textFrom(start), parted);
      const end = cursor.at;
      cursor.skipWhile(WORD_SPACE);
      this.#endsInSpace = cursor.at > end;
      parted = true;
    }
  }

  addBlock(text: string, leading: number, trailing: number): void {
    const before = this.text;
    const breaks = Math.max(this.trailing, leading);
    this.#lines = '';
    this.#line = '';
    if (before === '') {
      this.#blocks = text;
      this.leading = breaks;
    } else this.#blocks = before + '\n'.repeat(breaks) + text;
    this.trailing = trailing;
  }

  /** A run of words and line feeds that stands as it is shown. */
  #append(run: string, parted: boolean): void {
    const lineEnd = run.lastIndexOf('\n') + 1;
    const needsSpace = parted && this.#line !== '' && !run.startsWith('\n');
    const line = needsSpace ? `${this.#line} ` : this.#line;
    if (lineEnd > 0) this.#lines += line + run.slice(0, lineEnd);
    this.#line = lineEnd > 0 ? run.slice(lineEnd) : line + run;
  }

  #endLine(): void {
    this.#lines += `${this.#line}\n`;
    this.#line = '';
  }
}

const SPACE = 0x20;

/** To space that is not shown as it is written: more than one, another than " ", or beside a line feed. */
const skipPlainRun = (cursor: TextCursor): void => {
  for (;;) {
    cursor.skipUntil(WORD_SPACE | LINE_FEED);
    if (cursor.isAtEnd) return;
    if (cursor.isAt(LINE_FEED)) cursor.skip(1);
    else if (isBetweenWords(cursor)) cursor.skip(1);
    else return;
    if (cursor.isAt(WORD_SPACE)) return;
  }
};

const isBetweenWords = (cursor: TextCursor): boolean =>
  cursor.peek() === SPACE &&
  !Number.isNaN(cursor.peek(1)) &&
  !cursor.isAt(WORD_SPACE | LINE_FEED, 1);

/** Of a text that holds nothing else but space; 0 of any other. */
const countLineFeeds = (text: string): number => {
  const cursor = new TextCursor(text);
  let lineFeeds = 0;
  for (;;) {
    cursor.skipWhile(WORD_SPACE);
    if (cursor.isAtEnd) return lineFeeds;
    if (!cursor.isAt(LINE_FEED)) return 0;
    lineFeeds += 1;
    cursor.skip(1);
  }
};
