// Writes every byte: a short write is continued, never taken for success.
import { closeSync, openSync, readSync, writeSync } from 'node:fs';

/** From `position` of the file on; null: where the last write ended. */
export const writeAll = (
  descriptor: number,
  bytes: Uint8Array,
  position: number | null = null,
): void => {
  for (let done = 0; done < bytes.length; ) {
    const at = position === null ? null : position + done;
    done += writeSync(descriptor, bytes, done, bytes.length - done, at);
  }
};

/** Writes a file that is not there yet. */
export const writeNew = (path: string, bytes: Uint8Array): void => {
  const descriptor = openSync(path, 'wx');
  try {
    writeAll(descriptor, bytes);
  } finally {
    closeSync(descriptor);
  }
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
