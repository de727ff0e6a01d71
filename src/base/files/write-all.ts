// Writes every byte: a short write is continued, never taken for success.
import { closeSync, openSync, write, writeSync } from 'node:fs';
import { promisify } from 'node:util';

/** From where the last write ended. */
export const writeAll = (descriptor: number, bytes: Uint8Array): void => {
  for (let done = 0; done < bytes.length; ) {
    done += writeSync(descriptor, bytes, done, bytes.length - done);
  }
};

export const writeNew = (path: string, bytes: Uint8Array): void => {
  const descriptor = openSync(path, 'wx');
  try {
    writeAll(descriptor, bytes);
  } finally {
    closeSync(descriptor);
  }
};

const writeSome = promisify(write);

/** From where the last write ended, by another thread: the bytes stay as they are until it resolves. */
export const writeBeside = async (descriptor: number, bytes: Uint8Array): Promise<void> => {
  for (let done = 0; done < bytes.length; ) {
    done += (await writeSome(descriptor, bytes, done, bytes.length - done)).bytesWritten;
  }
};
