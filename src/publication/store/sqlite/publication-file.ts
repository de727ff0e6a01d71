// Whether a file is a publication, asked before anything is written to it: a file that is still being copied,
// or that belongs to another program, is left as it is.
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PrepressError } from '../../../base/errors.ts';
import { BUSY_TIMEOUT_MS, loadDriver, type SqliteConnection } from '../../../base/sqlite/driver.ts';
import { readFileHeader } from '../../../base/sqlite/file-header.ts';

/**
 * Throws DATABASE_UNREADABLE for a folder, and for a file that is shorter than its header says. Beside a
 * write-ahead log that is no fault: the log may hold what the file lacks.
 */
export const throwIfCut = (path: string): void => {
  const stats = statSync(path);
  const { size } = stats;
  if (stats.isDirectory()) {
    throw new PrepressError('DATABASE_UNREADABLE', `The database ${path} is a folder.`, {
      hint: `Name a file, such as ${join(path, 'publication.db')}.`,
    });
  }
  if (existsSync(`${path}-wal`)) return;
  const { pageBytes, pages } = readFileHeader(path);
  if (size > 0 && (pages === null || size >= pageBytes * pages)) return;
  throw unreadable(path, size === 0 ? 'it is empty' : 'it is cut short');
};

/**
 * Throws DATABASE_IS_GHOSTS for one of Ghost, DATABASE_UNREADABLE for another database without our migrations;
 * `isNew`: one without any table is taken. What SQLite cannot read is left to whoever opens the file to write.
 */
export const throwIfForeign = (path: string, { isNew }: { readonly isNew: boolean }): void => {
  const content = lookInto(path);
  if (content === 'publication' || content === 'unknown' || (isNew && content === 'empty')) return;
  if (content === 'ghost') {
    const sentence = `The database ${path} is Ghost's own: import it with "prepress import ${path}".`;
    throw new PrepressError('DATABASE_IS_GHOSTS', sentence);
  }
  throw unreadable(path, content === 'empty' ? 'it is empty' : 'it belongs to another program');
};

type Content = 'publication' | 'empty' | 'ghost' | 'foreign' | 'unknown';

/** `unknown`: SQLite cannot read it. */
export const lookInto = (path: string): Content => {
  try {
    const options = { readonly: !isClosedWal(path), timeout: BUSY_TIMEOUT_MS };
    const connection = new (loadDriver())(path, options);
    try {
      const columns = connection.pragma('table_info(migrations)') as { readonly name: string }[];
      if (columns.some(({ name }) => name === 'sha256')) return 'publication';
      const tables = readTables(connection);
      if (tables.has('migrations_lock') && tables.has('posts')) return 'ghost';
      return tables.size === 0 ? 'empty' : 'foreign';
    } finally {
      connection.close();
    }
  } catch {
    return 'unknown';
  }
};

/** Only one who may write takes away the files that SQLite makes beside such a file. */
const isClosedWal = (path: string): boolean =>
  !existsSync(`${path}-wal`) && !existsSync(`${path}-shm`) && readFileHeader(path).isWal;

const readTables = (connection: SqliteConnection): Set<unknown> =>
  new Set(connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all());

const unreadable = (path: string, reason: string): PrepressError =>
  new PrepressError('DATABASE_UNREADABLE', `The database ${path} is not a publication: ${reason}.`);
