// Writes every byte: a short write is continued, never taken for success.
import { readSync, writeSync } from 'node:fs';

export const writeAll = (descriptor: number, bytes: Uint8Array): void => {
  let done = 0;
  while (done < bytes.length) done += writeSync(descriptor, bytes, done, bytes.length - done);
};

/** Fills `bytes` from `position` of a file; throws when the file ends before. */
export const readAll = (descriptor: number, bytes: Uint8Array, position: number): void => {
  let done = 0;
  while (done < bytes.length) {
    const count = readSync(descriptor, bytes, done, bytes.length - done, position + done);
    if (count === 0) throw new Error('The file ended before its time.');
    done += count;
  }
};
