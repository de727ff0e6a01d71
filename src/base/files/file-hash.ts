// The SHA-256 of a file on the disk, read in pieces.
import { createHash } from 'node:crypto';
import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';

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

/** In hex, while others are served. Throws what reading throws. */
export const readHash = async (path: string): Promise<string> => {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
};

/** Of bytes in memory, in hex. */
export const hashOfBytes = (bytes: Buffer): string =>
  createHash('sha256').update(bytes).digest('hex');
