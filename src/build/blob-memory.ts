// What a program that stays open keeps of blobs between its builds: each publish reads those of the first pages again.
import type { BlobName } from '../queries/tree.ts';

export type BlobMemory = {
  /** Null unless the blob's file has the stamp still with which its bytes were kept. */
  readonly find: (name: BlobName, stamp: string) => Buffer | null;
  /** `bytes`: those that the name stands for. */
  readonly keep: (name: BlobName, stamp: string, bytes: Buffer) => void;
};

type Kept = { readonly stamp: string; readonly bytes: Buffer };

const BYTES_MAX = 32 * 1024 * 1024;

/** Those that were used last stay, with at most `bytesMax` bytes together. */
export const createBlobMemory = (bytesMax = BYTES_MAX): BlobMemory => {
  const kept = new Map<BlobName, Kept>();
  let total = 0;
  const forget = (name: BlobName): void => {
    total -= kept.get(name)?.bytes.length ?? 0;
    kept.delete(name);
  };
  const keep = (name: BlobName, blob: Kept): void => {
    forget(name);
    kept.set(name, blob);
    total += blob.bytes.length;
    for (const oldest of kept.keys()) {
      if (total <= bytesMax) break;
      forget(oldest);
    }
  };
  return {
    find: (name, stamp) => {
      const blob = kept.get(name);
      if (blob?.stamp !== stamp) return null;
      keep(name, blob);
      return blob.bytes;
    },
    keep: (name, stamp, bytes) => keep(name, { stamp, bytes }),
  };
};
