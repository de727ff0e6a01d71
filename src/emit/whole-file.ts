// A file on its way to the disk, such as a list: it is written whole beside its place, and placing it is the session's
// work.
import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync } from 'node:fs';
import { stampOf } from './file-stamp.ts';
import { writeAll } from './write-all.ts';

export type WrittenFile = {
  readonly temporary: string;
  readonly size: number;
  readonly sha256: Buffer;
  readonly stamp: string;
};

/** Hashed and written at once: few calls, and it stays in a processor's cache. */
const BLOCK_BYTES = 256 * 1024;

export const writeWholeFile = (temporary: string, pieces: Iterable<Uint8Array>): WrittenFile => {
  const hash = createHash('sha256');
  const block = Buffer.allocUnsafe(BLOCK_BYTES);
  const descriptor = openSync(temporary, 'wx');
  let filled = 0;
  let size = 0;
  const flush = (bytes: Uint8Array): void => {
    hash.update(bytes);
    writeAll(descriptor, bytes);
    size += bytes.length;
  };
  try {
    for (const piece of pieces) {
      if (filled + piece.length > BLOCK_BYTES) {
        flush(block.subarray(0, filled));
        filled = 0;
      }
      if (piece.length > BLOCK_BYTES) {
        flush(piece);
        continue;
      }
      block.set(piece, filled);
      filled += piece.length;
    }
    flush(block.subarray(0, filled));
    const stamp = stampOf(fstatSync(descriptor, { bigint: true }));
    return { temporary, size, sha256: hash.digest(), stamp };
  } finally {
    closeSync(descriptor);
  }
};
