// A list on its way to the disk: bytes are appended, or copied as they are from a list that was written
// before. It is written whole beside its place; placing it is the session's work.
import { createHash, type Hash } from 'node:crypto';
import { closeSync, fstatSync, openSync } from 'node:fs';
import { BLOCK_BYTES, DirectFile, releaseBlock, takeBlock } from './direct-file.ts';
import { stampOf } from './file-stamp.ts';
import { readAll, writeAll } from './write-all.ts';

/** Read, hashed and in the common way written at once: few calls, and it stays in a processor's cache. */
const COMMON_BYTES = 256 * 1024;

/** A run of bytes of a file that stands already. */
export type ByteRange = { readonly file: string; readonly start: number; readonly end: number };

export type WrittenFile = {
  readonly temporary: string;
  readonly size: number;
  readonly sha256: Buffer;
  readonly stamp: string;
};

/**
 * `direct`: whole blocks go past the system's cache. `aside`: so they do, while the next is filled; `settle` is waited
 * for after each block.
 */
type Way = 'common' | 'direct' | 'aside';

/** Blocks of a list that the disk is taking while one is filled. */
const ASIDE_MAX = 1;

export class ListFile {
  readonly #temporary: string;
  readonly #descriptor: number;
  readonly #way: Way;
  readonly #hash: Hash = createHash('sha256');
  readonly #sources = new Map<string, number>();
  readonly #writing: Promise<void>[] = [];
  #block = takeBlock();
  /** Bytes that are gathered before they are written. */
  readonly #limit: number;
  #direct: DirectFile | null = null;
  #filled = 0;
  #hashed = 0;
  #size = 0;
  #isOpen = true;

  constructor(temporary: string, { way = 'common' }: { readonly way?: Way } = {}) {
    this.#temporary = temporary;
    this.#way = way;
    this.#limit = way === 'common' ? COMMON_BYTES : BLOCK_BYTES;
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
        Math.min(this.#limit, this.#filled + Math.min(end - at, COMMON_BYTES)),
      );
      readAll(source, part, at);
      at += part.length;
      this.#add(part.length);
    }
  }

  /** Waits until the disk has taken all blocks but `left`. */
  async settle(left = ASIDE_MAX): Promise<void> {
    const due = this.#writing.splice(0, Math.max(0, this.#writing.length - left));
    for (const end of await Promise.allSettled(due))
      if (end.status === 'rejected') throw end.reason;
  }

  /** All is settled. */
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

  /** Lets go of the file, finished or not. All is settled. */
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
    if (this.#filled - this.#hashed >= COMMON_BYTES) this.#hashFilled();
    if (this.#filled < this.#limit) return;
    if (this.#way !== 'common') this.#direct ??= new DirectFile(this.#temporary);
    if (this.#way === 'aside') this.#flushAside();
    else this.#flush(this.#direct?.write(this.#block, this.#size) ?? 0);
  }

  #hashFilled(): void {
    this.#hash.update(this.#block.subarray(this.#hashed, this.#filled));
    this.#hashed = this.#filled;
  }

  /** Writes what is gathered, of which `written` bytes are written already. */
  #flush(written: number): void {
    const bytes = this.#block.subarray(written, this.#filled);
    writeAll(this.#descriptor, bytes, this.#size + written);
    this.#begin();
  }

  #flushAside(): void {
    const writing = this.#writeAside(this.#block, this.#size);
    // It is heard of where all is settled.
    writing.catch(() => undefined);
    this.#writing.push(writing);
    this.#begin();
    this.#block = takeBlock();
  }

  async #writeAside(block: Buffer, position: number): Promise<void> {
    try {
      const written = (await this.#direct?.writeAside(block, position)) ?? 0;
      writeAll(this.#descriptor, block.subarray(written), position + written);
    } finally {
      releaseBlock(block);
    }
  }

  /** What was gathered is on its way; the next bytes begin the block anew. */
  #begin(): void {
    this.#hashFilled();
    this.#size += this.#filled;
    this.#filled = 0;
    this.#hashed = 0;
  }
}
