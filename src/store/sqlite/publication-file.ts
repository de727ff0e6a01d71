// Whether a file is a publication, asked before anything is written to it: a file that is still being copied,
// or that belongs to another program, is left as it is.
import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { PrepressError } from '../../base/errors.ts';
import { BUSY_TIMEOUT_MS } from '../../base/limits.ts';
import { loadDriver } from './driver.ts';

/** Bytes of SQLite's header (its file format, section 1.3). */
const HEADER_BYTES = 100;

/**
 * Throws DATABASE_UNREADABLE for a file that is shorter than its header says. Beside a write-ahead log that
 * is no fault: the log may hold what the file lacks.
 */
export const throwIfCut = (path: string): void => {
  const size = statSync(path).size;
  if (existsSync(`${path}-wal`)) return;
  const header = Buffer.alloc(HEADER_BYTES);
  const descriptor = openSync(path, 'r');
  try {
    readSync(descriptor, header, 0, HEADER_BYTES, 0);
  } finally {
    closeSync(descriptor);
  }
  const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
  // The count is only good when it was written with the newest change.
  const isCounted = header.readUInt32BE(24) === header.readUInt32BE(92);
  if (size > 0 && (!isCounted || size >= pageSize * header.readUInt32BE(28))) return;
  throw unreadable(path, size === 0 ? 'it is empty' : 'it is cut short');
};

/**
 * Throws DATABASE_UNREADABLE for a database without our migrations; `isNew`: one without any table is taken.
 * What SQLite cannot read is left to whoever opens the file to write.
 */
export const throwIfForeign = (path: string, { isNew }: { readonly isNew: boolean }): void => {
  const content = lookInto(path);
  if (content === 'publication' || content === 'unknown' || (isNew && content === 'empty')) return;
  throw unreadable(path, content === 'empty' ? 'it is empty' : 'it belongs to another program');
};

type Content = 'publication' | 'empty' | 'foreign' | 'unknown';

const lookInto = (path: string): Content => {
  try {
    const connection = new (loadDriver())(path, { readonly: true, timeout: BUSY_TIMEOUT_MS });
    try {
      const columns = connection.pragma('table_info(migrations)') as { readonly name: string }[];
      if (columns.some(({ name }) => name === 'sha256')) return 'publication';
      const table = connection.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table'").get();
      return table === undefined ? 'empty' : 'foreign';
    } finally {
      connection.close();
    }
  } catch {
    return 'unknown';
  }
};

const unreadable = (path: string, reason: string): PrepressError =>
  new PrepressError('DATABASE_UNREADABLE', `The database ${path} is no publication: ${reason}.`);
