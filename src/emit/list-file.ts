// A list on its way to the disk: bytes are appended, or copied as they are from a list that was written
// before. It is written whole beside its place; placing it is the session's work.
import { createHash, type Hash } from 'node:crypto';
import { closeSync, fstatSync, openSync } from 'node:fs';
import { stampOf } from './file-stamp.ts';
import { readAll, writeAll } from './write-all.ts';

/** Large enough for few calls, small enough to stay in a processor's cache. */
const BUFFER_BYTES = 256 * 1024;

/** A run of bytes of a file that stands already. */
export type ByteRange = { readonly file: string; readonly start: number; readonly end: number };

export type WrittenFile = {
  readonly temporary: string;
  readonly size: number;
  readonly sha256: Buffer;
  readonly stamp: string;
};

export class ListFile {
  readonly #temporary: string;
  readonly #descriptor: number;
  readonly #hash: Hash = createHash('sha256');
  readonly #sources = new Map<string, number>();
  readonly #buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  #filled = 0;
  #size = 0;

  constructor(temporary: string) {
    this.#temporary = temporary;
    this.#descriptor = openSync(temporary, 'wx');
  }

  append(bytes: Buffer): void {
    if (bytes.length > BUFFER_BYTES - this.#filled) this.#flush();
    if (bytes.length > BUFFER_BYTES) {
      this.#write(bytes);
      return;
    }
    this.#filled += bytes.copy(this.#buffer, this.#filled);
  }

  copy({ file, start, end }: ByteRange): void {
    const source = this.#sources.get(file) ?? openSync(file, 'r');
    this.#sources.set(file, source);
    this.#flush();
    for (let at = start; at < end; at += BUFFER_BYTES) {
      const chunk = this.#buffer.subarray(0, Math.min(BUFFER_BYTES, end - at));
      readAll(source, chunk, at);
      this.#write(chunk);
    }
  }

  finish(): WrittenFile {
    this.#flush();
    const stamp = stampOf(fstatSync(this.#descriptor, { bigint: true }));
    this.close();
    return {
      temporary: this.#temporary,
      size: this.#size,
      sha256: this.#hash.digest(),
      stamp,
    };
  }

  close(): void {
    for (const source of this.#sources.values()) closeSync(source);
    this.#sources.clear();
    closeSync(this.#descriptor);
  }

  #flush(): void {
    if (this.#filled === 0) return;
    this.#write(this.#buffer.subarray(0, this.#filled));
    this.#filled = 0;
  }

  #write(bytes: Buffer): void {
    writeAll(this.#descriptor, bytes);
    this.#hash.update(bytes);
    this.#size += bytes.length;
  }
}
