// The one way in which text that anyone may have written is scanned: a place in it that only moves forward,
// and steps that are counted, so that tests hold each scanner to a number of steps in proportion to its text.
import { CHARACTER_CLASSES } from './character-classes.ts';

const LOWER_CASE_BIT = 0x20;

export class TextCursor {
  readonly text: string;
  #at = 0;
  #steps = 0;

  constructor(text: string) {
    this.text = text;
  }

  get at(): number {
    return this.#at;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.text.length;
  }

  /** Units that were looked at so far, some of them more than once. */
  get steps(): number {
    return this.#steps;
  }

  /** The unit at the cursor, or a number of units after it; NaN past the end. */
  peek(offset = 0): number {
    return this.text.charCodeAt(this.#at + offset);
  }

  skip(units: number): void {
    this.#moveTo(Math.min(this.#at + units, this.text.length));
  }

  skipWhile(classes: number): void {
    const { text } = this;
    let at = this.#at;
    while (at < text.length && (classOf(text, at) & classes) !== 0) at += 1;
    this.#moveTo(at);
  }

  skipUntil(classes: number): void {
    const { text } = this;
    let at = this.#at;
    while (at < text.length && (classOf(text, at) & classes) === 0) at += 1;
    this.#moveTo(at);
  }

  /** Skips to the mark; without one to the end, so that nothing is looked for twice. */
  skipTo(mark: string): boolean {
    const at = this.text.indexOf(mark, this.#at);
    this.#moveTo(at === -1 ? this.text.length : at);
    return at !== -1;
  }

  /** As skipTo, and past the mark. */
  skipPast(mark: string): boolean {
    if (!this.skipTo(mark)) return false;
    this.skip(mark.length);
    return true;
  }

  /** Moves past the word if it stands here. `word` is ASCII in lower case, and matches in any case. */
  take(word: string): boolean {
    this.#steps += word.length;
    for (let offset = 0; offset < word.length; offset += 1) {
      const wanted = word.charCodeAt(offset);
      const code = this.peek(offset);
      if (code === wanted) continue;
      if (!isLowerLetter(wanted) || (code | LOWER_CASE_BIT) !== wanted) return false;
    }
    this.#at += word.length;
    return true;
  }

  /** The text from a place that was passed up to the cursor. */
  textFrom(start: number): string {
    return this.text.slice(start, this.#at);
  }

  /** Whether a character of any of the classes is at the cursor, or a number of units after it. */
  isAt(classes: number, offset = 0): boolean {
    const at = this.#at + offset;
    return at < this.text.length && (classOf(this.text, at) & classes) !== 0;
  }

  #moveTo(at: number): void {
    this.#steps += at - this.#at + 1;
    this.#at = at;
  }
}

/** The table has each unit that a text may hold. */
const classOf = (text: string, at: number): number =>
  CHARACTER_CLASSES[text.charCodeAt(at)] as number;

const isLowerLetter = (code: number): boolean => code >= 0x61 && code <= 0x7a;
