// A list on its way to the disk: bytes are appended, or copied as they are from a list that was written
// before. It is written whole beside its place; placing it is the session's work.
import { createHash, type Hash } from 'node:crypto';
import { closeSync, fstatSync, openSync } from 'node:fs';
import { BLOCK_BYTES, DirectFile, releaseBlock, takeBlock } from './direct-file.ts';
import { stampOf } from './file-stamp.ts';
import { readAll, writeAll } from './write-all.ts';

/** In the common way: large enough for few calls, small enough to stay in a processor's cache. */
const COMMON_BYTES = 256 * 1024;

/** A run of bytes of a file that stands already. */
export type ByteRange = { readonly file: string; readonly start: number; readonly end: number };

export type WrittenFile = {
  readonly temporary: string;
  readonly size: number;
  readonly sha256: Buffer;
  readonly stamp: string;
};

type ListFileOptions = {
  /** Whole blocks go past the system's cache. */
  readonly isDirect?: boolean;
};

export class ListFile {
  readonly #temporary: string;
  readonly #descriptor: number;
  readonly #isDirect: boolean;
  readonly #hash: Hash = createHash('sha256');
  readonly #sources = new Map<string, number>();
  readonly #block = takeBlock();
  /** Bytes that are gathered before they are written. */
  readonly #limit: number;
  #direct: DirectFile | null = null;
  #filled = 0;
  #size = 0;
  #isOpen = true;

  constructor(temporary: string, { isDirect = false }: ListFileOptions = {}) {
    this.#temporary = temporary;
    this.#isDirect = isDirect;
    this.#limit = isDirect ? BLOCK_BYTES : COMMON_BYTES;
    this.#descriptor = openSync(temporary, 'wx');
  }

  append(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; ) {
      const count = bytes.copy(this.#block, this.#filled, at, at + this.#limit - this.#filled);
      at += count;
      this.#add(count);
    }
  }

  copy({ file, start, end }: ByteRange): void {
    const source = this.#sources.get(file) ?? openSync(file, 'r');
    this.#sources.set(file, source);
    for (let at = start; at < end; ) {
      const part = this.#block.subarray(
        this.#filled,
        Math.min(this.#limit, this.#filled + end - at),
      );
      readAll(source, part, at);
      at += part.length;
      this.#add(part.length);
    }
  }

  finish(): WrittenFile {
    if (this.#filled > 0) this.#flush(0);
    const stamp = stampOf(fstatSync(this.#descriptor, { bigint: true }));
    this.close();
    return {
      temporary: this.#temporary,
      size: this.#size,
      sha256: this.#hash.digest(),
      stamp,
    };
  }

  /** Lets go of the file, finished or not. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    for (const source of this.#sources.values()) closeSync(source);
    this.#sources.clear();
    this.#direct?.close();
    releaseBlock(this.#block);
    closeSync(this.#descriptor);
  }

  #add(count: number): void {
    this.#filled += count;
    if (this.#filled < this.#limit) return;
    if (this.#isDirect) this.#direct ??= new DirectFile(this.#temporary);
    this.#flush(this.#direct?.write(this.#block, this.#size) ?? 0);
  }

  /** Writes what is gathered, of which `written` bytes are written already. */
  #flush(written: number): void {
    const bytes = this.#block.subarray(0, this.#filled);
    writeAll(this.#descriptor, bytes.subarray(written), this.#size + written);
    this.#hash.update(bytes);
    this.#size += bytes.length;
    this.#filled = 0;
  }
}
