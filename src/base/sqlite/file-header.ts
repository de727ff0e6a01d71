// What the first bytes of a SQLite file tell (its file format, section 1.3), read without SQLite, which would
// make files beside one in WAL mode.
import { closeSync, openSync, readSync } from 'node:fs';

const MAGIC = 'SQLite format 3\0';
const HEADER_BYTES = 100;

export type FileHeader = {
  readonly isSqlite: boolean;
  readonly isWal: boolean;
  readonly pageBytes: number;
  /** Null where it was not written with the newest change. */
  readonly pages: number | null;
  /** Another one after each commit, of a file that is not in WAL mode. */
  readonly changeCounter: number;
};

/**
 * Throws what the system says. Closing the file gives up the locks that this process has on it: nobody may
 * read it in a transaction meanwhile.
 */
export const readFileHeader = (path: string): FileHeader => {
  const bytes = Buffer.alloc(HEADER_BYTES);
  const descriptor = openSync(path, 'r');
  try {
    readSync(descriptor, bytes, 0, HEADER_BYTES, 0);
  } finally {
    closeSync(descriptor);
  }
  const changeCounter = bytes.readUInt32BE(24);
  return {
    isSqlite: bytes.subarray(0, MAGIC.length).toString('latin1') === MAGIC,
    isWal: bytes[18] === 2,
    pageBytes: bytes.readUInt16BE(16) === 1 ? 65_536 : bytes.readUInt16BE(16),
    pages: changeCounter === bytes.readUInt32BE(92) ? bytes.readUInt32BE(28) : null,
    changeCounter,
  };
};
