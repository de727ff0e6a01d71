// The first records of a list, read from the front of its file: a list may be far larger than what a page
// shows of it.
import { closeSync, openSync, readSync } from 'node:fs';

const CHUNK_BYTES = 64 * 1024;
const [QUOTE, BACKSLASH, OPEN, CLOSE, LIST_END] = [...Buffer.from('"\\{}]')];

/** At most `count` records of the list document in `file`; none when there is no such file. */
export const readListHead = (file: string, count: number): Record<string, unknown>[] => {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  try {
    const scanner = new Scanner(count);
    while (!scanner.isDone) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const read = readSync(descriptor, chunk);
      if (read === 0) break;
      scanner.feed(chunk.subarray(0, read));
    }
    return scanner.records;
  } finally {
    closeSync(descriptor);
  }
};

/** Cuts `{"posts":[{...},{...}],...}` at the braces of depth two, which stand in no string. */
class Scanner {
  readonly records: Record<string, unknown>[] = [];
  readonly #count: number;
  #parts: Buffer[] = [];
  #depth = 0;
  #isString = false;
  #isEscaped = false;
  #isDone = false;

  constructor(count: number) {
    this.#count = count;
  }

  get isDone(): boolean {
    return this.#isDone || this.records.length >= this.#count;
  }

  feed(chunk: Buffer): void {
    let start = 0;
    for (let at = 0; at < chunk.length && !this.isDone; at += 1) {
      const byte = chunk[at];
      if (this.#isString) {
        this.#passString(byte);
      } else if (byte === QUOTE) {
        this.#isString = true;
      } else if (byte === OPEN) {
        this.#depth += 1;
        if (this.#depth === 2) start = at;
      } else if (byte === CLOSE) {
        this.#depth -= 1;
        if (this.#depth === 1) this.#take(chunk.subarray(start, at + 1));
      } else if (byte === LIST_END && this.#depth === 1) {
        this.#isDone = true;
      }
    }
    if (this.#depth >= 2) this.#parts.push(chunk.subarray(start));
  }

  #passString(byte: number | undefined): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#isString = false;
  }

  #take(end: Buffer): void {
    this.records.push(JSON.parse(Buffer.concat([...this.#parts, end]).toString('utf8')));
    this.#parts = [];
  }
}
