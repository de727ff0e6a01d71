// Where the records of a list document stand in its bytes, found in one pass over them, so that a part of
// a list is cut out of the file instead of parsing and writing it again.
import type { OpenFile } from './file-cache.ts';

export type ListIndex = {
  /** First byte of each record, and the byte after its last one. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  /** `meta.pagination` of the document. */
  readonly total: number;
  readonly pages: number;
};

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** `{"posts":[` and `{` of a record: how deep records lie. */
const RECORD_DEPTH = 3;

class Scanner {
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  /** The byte after the list's closing bracket, once it is passed. */
  end = -1;
  #depth = 0;
  #isText = false;
  #isEscaped = false;
  #at = 0;

  scan(bytes: Buffer): void {
    for (const byte of bytes) {
      this.#at += 1;
      if (this.#isText) this.#scanText(byte);
      else this.#scanMark(byte);
    }
  }

  #scanText(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#isText = false;
  }

  #scanMark(byte: number): void {
    if (byte === QUOTE) this.#isText = true;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      this.#depth += 1;
      if (this.#depth === RECORD_DEPTH && this.end === -1) this.starts.push(this.#at - 1);
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      if (this.#depth === RECORD_DEPTH && this.end === -1) this.ends.push(this.#at);
      this.#depth -= 1;
      if (this.#depth === 1 && this.end === -1) this.end = this.#at;
    }
  }
}

export const indexList = async (file: OpenFile): Promise<ListIndex> => {
  const scanner = new Scanner();
  if (file.body !== null) scanner.scan(file.body);
  else if (file.handle !== null) {
    for await (const chunk of file.handle.createReadStream({ start: 0, autoClose: false })) {
      scanner.scan(chunk as Buffer);
    }
  }
  const tail = await readRange(file, scanner.end, file.bytes);
  // `,"meta":{...}}`
  const { meta } = JSON.parse(`{${tail.toString('utf8').replace(/^,/, '')}`) as {
    meta?: { pagination?: { total?: number; pages?: number } };
  };
  return {
    starts: scanner.starts,
    ends: scanner.ends,
    total: meta?.pagination?.total ?? scanner.starts.length,
    pages: meta?.pagination?.pages ?? 1,
  };
};

/** The bytes from `start` up to, not including, `end`. */
const readRange = async (file: OpenFile, start: number, end: number): Promise<Buffer> => {
  if (file.body !== null) return file.body.subarray(start, end);
  const bytes = Buffer.alloc(end - start);
  let filled = 0;
  while (file.handle !== null && filled < bytes.length) {
    const { bytesRead } = await file.handle.read(
      bytes,
      filled,
      bytes.length - filled,
      start + filled,
    );
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
};
