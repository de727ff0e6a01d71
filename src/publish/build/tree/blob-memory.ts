// What a program that stays open keeps of blobs between its builds: each publish reads those of the first pages again.
import { LRUCache } from 'lru-cache';
import type { BlobName } from '../../../content/tree/tree.ts';

export type BlobMemory = {
  /** Null unless the blob's file has the stat key still with which its bytes were kept. */
  readonly find: (name: BlobName, statKey: string) => Buffer | null;
  /** `bytes`: those that the name stands for. */
  readonly keep: (name: BlobName, statKey: string, bytes: Buffer) => void;
};

type Kept = { readonly statKey: string; readonly bytes: Buffer };

const BYTES_MAX = 16 * 1024 * 1024;

/** Those that were used last stay, with at most `bytesMax` bytes together. */
export const createBlobMemory = (bytesMax = BYTES_MAX): BlobMemory => {
  const kept = new LRUCache<BlobName, Kept>({
    maxSize: bytesMax,
    // A size of 0 is refused.
    sizeCalculation: ({ bytes }) => Math.max(1, bytes.length),
  });
  return {
    find: (name, statKey) => {
      const blob = kept.get(name);
      if (blob?.statKey !== statKey) return null;
      return blob.bytes;
    },
    keep: (name, statKey, bytes) => {
      kept.set(name, { statKey, bytes });
    },
  };
};
