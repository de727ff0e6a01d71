// The SHA-256 of a file on the disk, read in pieces.
import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';

const CHUNK_BYTES = 1024 * 1024;

/** Null when there is no such file, or it cannot be read. */
export const findHash = (path: string): Buffer | null => {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'r');
  } catch {
    return null;
  }
  try {
    const hash = createHash('sha256');
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    for (;;) {
      const count = readSync(descriptor, chunk);
      if (count === 0) return hash.digest();
      hash.update(chunk.subarray(0, count));
    }
  } finally {
    closeSync(descriptor);
  }
};

/** Of bytes in memory, in hex. */
export const hashOfBytes = (bytes: Buffer): string =>
  createHash('sha256').update(bytes).digest('hex');
