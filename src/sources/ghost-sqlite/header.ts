// What the first bytes of a SQLite file tell (its file format, section 1.3), read without SQLite.
import { closeSync, openSync, readSync } from 'node:fs';

const MAGIC = 'SQLite format 3\0';

type Header = {
  readonly isSqlite: boolean;
  readonly isWal: boolean;
  /** Another one after each commit, of a file that is not in WAL mode. */
  readonly changeCounter: number;
};

/** Throws what the system says. Nobody in this process holds a lock on the file: this would give it up. */
export const readHeader = (path: string): Header => {
  const bytes = Buffer.alloc(100);
  const descriptor = openSync(path, 'r');
  try {
    readSync(descriptor, bytes, 0, bytes.length, 0);
  } finally {
    closeSync(descriptor);
  }
  return {
    isSqlite: bytes.subarray(0, MAGIC.length).toString('latin1') === MAGIC,
    isWal: bytes[18] === 2,
    changeCounter: bytes.readUInt32BE(24),
  };
};
