// Writes every byte: a short write is continued, never taken for success.
import { closeSync, openSync, writeSync } from 'node:fs';

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
