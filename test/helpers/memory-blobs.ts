// Blobs in memory, and a random collection to pack.
import { PrepressError } from '../../src/base/errors.ts';
import { type Blobs, blobName, sha256Of } from '../../src/publish/packed/blobs.ts';
import type { Level, Levels } from '../../src/publish/packed/boundaries.ts';

export type MemoryBlobs = Blobs & {
  readonly all: Map<string, Buffer>;
  /** Put, and not dropped since. */
  readonly alive: Set<string>;
};

export const createMemoryBlobs = (): MemoryBlobs => {
  const all = new Map<string, Buffer>();
  const blobs: MemoryBlobs = {
    all,
    alive: new Set(),
    drop: (name) => blobs.alive.delete(name),
    put: (bytes, ending) => {
      const name = blobName(sha256Of(bytes), ending);
      all.set(name, Buffer.from(bytes));
      blobs.alive.add(name);
      return name;
    },
    read: (name) => {
      const bytes = all.get(name);
      if (bytes === undefined) throw new PrepressError('OUTPUT_DIFFERS', `${name} is gone.`);
      return bytes;
    },
  };
  return blobs;
};

const small = (bits: number, recordsMax: number): Level => ({ bits, recordsMax, bytesMax: 4_000 });

/** Small enough that a few dozen records split and merge in every family. */
export const SMALL_LEVELS: Levels = {
  leaf: small(1, 4),
  card: small(2, 8),
  plain: small(2, 8),
  names: small(3, 16),
  columns: small(5, 40),
  openColumns: small(3, 16),
  titles: small(3, 16),
  slugs: small(2, 8),
  ids: small(2, 8),
  terms: small(2, 8),
  leafDirectory: small(3, 6),
  directory: small(4, 4),
};
