// A file on its way to the disk, such as a list: it is written whole beside its place, and placing it is the session's
// work.
import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync } from 'node:fs';
import { statKeyOf } from '../../../base/files/stat-key.ts';
import { writeAll, writeBeside } from '../../../base/files/write-all.ts';

export type WrittenFile = {
  readonly temporary: string;
  readonly size: number;
  readonly sha256: Buffer;
  readonly statKey: string;
};

/** One is hashed, and the next one filled, while it is written: few calls, and it stays in a processor's cache. */
const BLOCK_BYTES = 1024 * 1024;

type Blocks = readonly [Buffer, Buffer];

/** Writes such files; the memory that one has used serves the next. */
export class WholeFiles {
  readonly #spare: Blocks[] = [];

  async write(temporary: string, pieces: readonly Uint8Array[]): Promise<WrittenFile> {
    const blocks = this.#spare.pop() ?? [createBlock(), createBlock()];
    const hash = createHash('sha256');
    const descriptor = openSync(temporary, 'wx');
    let writing: Promise<void> = Promise.resolve();
    let size = 0;
    try {
      for (const bytes of inBlocks(pieces, blocks)) {
        await writing;
        // To ask another thread takes longer than to write a few.
        if (bytes.length < BLOCK_BYTES / 4) writeAll(descriptor, bytes);
        else writing = writeBeside(descriptor, bytes);
        hash.update(bytes);
        size += bytes.length;
      }
      await writing;
      const statKey = statKeyOf(fstatSync(descriptor, { bigint: true }));
      return { temporary, size, sha256: hash.digest(), statKey };
    } finally {
      await Promise.allSettled([writing]);
      closeSync(descriptor);
      this.#spare.push(blocks);
    }
  }
}

const createBlock = (): Buffer => Buffer.allocUnsafeSlow(BLOCK_BYTES);

/** What is handed out keeps its bytes until the next but one is asked for. */
function* inBlocks(
  pieces: readonly Uint8Array[],
  [block, other]: Blocks,
): Generator<Uint8Array, void> {
  let filled = 0;
  for (const piece of pieces) {
    if (filled + piece.length > BLOCK_BYTES) {
      yield block.subarray(0, filled);
      [block, other] = [other, block];
      filled = 0;
    }
    if (piece.length > BLOCK_BYTES) {
      yield piece;
      continue;
    }
    block.set(piece, filled);
    filled += piece.length;
  }
  yield block.subarray(0, filled);
}
