// A file on its way to the disk, such as a list: it is written whole beside its place, and placing it is the session's
// work.
import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync } from 'node:fs';
import { stampOf } from './file-stamp.ts';
import { writeAll, writeBeside } from './write-all.ts';

export type WrittenFile = {
  readonly temporary: string;
  readonly size: number;
  readonly sha256: Buffer;
  readonly stamp: string;
};

/** One is hashed, and the next one filled, while it is written: few calls, and it stays in a processor's cache. */
const BLOCK_BYTES = 1024 * 1024;

export const writeWholeFile = async (
  temporary: string,
  pieces: readonly Uint8Array[],
): Promise<WrittenFile> => {
  const hash = createHash('sha256');
  const descriptor = openSync(temporary, 'wx');
  let writing: Promise<void> = Promise.resolve();
  let size = 0;
  try {
    for (const block of blocksOf(pieces)) {
      await writing;
      // The last one is mostly short: another thread would take longer to be asked.
      if (block.length < BLOCK_BYTES / 2) writeAll(descriptor, block);
      else writing = writeBeside(descriptor, block);
      hash.update(block);
      size += block.length;
    }
    await writing;
    const stamp = stampOf(fstatSync(descriptor, { bigint: true }));
    return { temporary, size, sha256: hash.digest(), stamp };
  } finally {
    await Promise.allSettled([writing]);
    closeSync(descriptor);
  }
};

/** Each keeps its bytes until the next but one is asked for. */
function* blocksOf(pieces: readonly Uint8Array[]): Generator<Uint8Array> {
  const total = pieces.reduce((sum, { length }) => sum + length, 0);
  let block = Buffer.allocUnsafe(Math.min(BLOCK_BYTES, total));
  let other = total > BLOCK_BYTES ? Buffer.allocUnsafe(BLOCK_BYTES) : block;
  let filled = 0;
  for (const piece of pieces) {
    if (filled + piece.length > block.length) {
      yield block.subarray(0, filled);
      [block, other] = [other, block];
      filled = 0;
    }
    if (piece.length > block.length) {
      yield piece;
      continue;
    }
    block.set(piece, filled);
    filled += piece.length;
  }
  yield block.subarray(0, filled);
}
