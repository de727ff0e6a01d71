// Opens SQLite files the one way Prepress uses them: WAL, foreign keys on, every commit durable, and a
// wait for locks so short that a foreign lock never stops the event loop.
import { accessSync, constants } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeOf, withSystemWords } from '../error-code.ts';
import { PrepressError } from '../errors.ts';
import { AS_OWNER } from '../files/as-owner.ts';
import { makePrivateFile } from '../files/private-files.ts';
import {
  canRemoveOpenFiles,
  makeScratchFolder,
  removeScratchFolder,
} from '../files/scratch-folder.ts';
import { findUnwritableReason } from '../files/unwritable.ts';
import { asKnownError } from './database-fault.ts';
import { BUSY_TIMEOUT_MS, loadDriver, type SqliteConnection } from './driver.ts';
import { isBusy } from './error-kinds.ts';

type OpenOptions = {
  /** The connection refuses to write; the file must exist. */
  readonly readonly?: boolean;
  readonly mustExist?: boolean;
  /** Kilobytes of the file that are kept in memory; the driver's own measure is 16,000, readers have 4,000. */
  readonly cacheKb?: number;
  /** Bytes of a page of a file that is made now; SQLite's own measure is 4,096. */
  readonly pageBytes?: number;
  /** The file is our own and can be made again: commits need not wait for the disk. */
  readonly synchronous?: 'FULL' | 'NORMAL' | 'OFF';
  /** OFF: nothing is rolled back, and nothing but the file itself is needed. */
  readonly journal?: 'WAL' | 'OFF';
};

/** A write-ahead log that one large commit made longer is cut to this once it was put into its database. */
const LOG_BYTES_KEPT = 8_000_000;

/** The system keeps what is read again, for all connections together. */
const READER_CACHE_KB = 4_000;

/** Of a file that is read and written in sequence, once: the system keeps what is read again. */
const SCRATCH_OPTIONS = { journal: 'OFF', synchronous: 'OFF', cacheKb: 4_000 } as const;

export type Scratch = { readonly connection: SqliteConnection; readonly close: () => void };

/** A file that no other program sees, gone with `close`; where the system allows it, also when the program is killed. */
export const openScratch = (purpose: 'difference' | 'import', schema: string): Scratch => {
  const folder = makeScratchFolder(purpose);
  try {
    const connection = openConnection(join(folder, 'scratch.db'), SCRATCH_OPTIONS);
    connection.exec(schema);
    if (canRemoveOpenFiles) removeScratchFolder(folder);
    return {
      connection,
      close: () => {
        connection.close();
        removeScratchFolder(folder);
      },
    };
  } catch (error) {
    removeScratchFolder(folder);
    throw error;
  }
};

/** Opens `path`; throws DATABASE_MISSING, DATABASE_UNREADABLE or DATABASE_UNWRITABLE. */
export const openConnection = (path: string, options: OpenOptions = {}): SqliteConnection => {
  if ((options.mustExist || options.readonly) && !isDatabaseAt(path)) {
    throw new PrepressError('DATABASE_MISSING', `There is no database at ${path}.`);
  }
  let connection: SqliteConnection | null = null;
  try {
    // SQLite gives its logs the rights of the database.
    makePrivateFile(path);
    connection = new (loadDriver())(path, { timeout: BUSY_TIMEOUT_MS });
    if (options.pageBytes !== undefined) connection.pragma(`page_size = ${options.pageBytes}`);
    setJournal(connection, options.journal ?? 'WAL');
    connection.pragma(`journal_size_limit = ${LOG_BYTES_KEPT}`);
    connection.pragma(`synchronous = ${options.synchronous ?? 'FULL'}`);
    connection.pragma('foreign_keys = ON');
    if (options.readonly) connection.pragma('query_only = ON');
    const cacheKb = options.cacheKb ?? (options.readonly ? READER_CACHE_KB : undefined);
    if (cacheKb !== undefined) connection.pragma(`cache_size = -${cacheKb}`);
    return connection;
  } catch (cause) {
    connection?.close();
    throw asDatabaseError(cause, path);
  }
};

/** The driver lets no journal be left out unless it is told that this is meant. */
const setJournal = (connection: SqliteConnection, journal: 'WAL' | 'OFF'): void => {
  connection.unsafeMode(journal === 'OFF');
  connection.pragma(`journal_mode = ${journal}`);
  connection.unsafeMode(false);
};

/** Whether a file is there; throws DATABASE_UNWRITABLE when that, or the file, cannot be seen. */
export const isDatabaseAt = (path: string): boolean => {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT') return false;
    const isClosed = code === 'EACCES';
    const sentence = isClosed
      ? `This user may not read the database ${path} (EACCES).`
      : `The database ${path} cannot be reached: ${withSystemWords(codeOf(cause))}.`;
    throw new PrepressError('DATABASE_UNWRITABLE', sentence, {
      cause,
      ...(isClosed && { hint: AS_OWNER }),
    });
  }
};

const asDatabaseError = (cause: unknown, path: string): unknown => {
  if (cause instanceof PrepressError) return cause;
  if (isBusy(cause)) {
    return new PrepressError('DATABASE_BUSY', `The database ${path} is locked.`, { cause });
  }
  const known = asKnownError(cause);
  const isUnwritable = known instanceof PrepressError && known.code === 'DATABASE_UNWRITABLE';
  const said = cause instanceof Error ? cause.message : String(cause);
  const reason = (isUnwritable && findUnwritableReason(dirname(path))) || said;
  return new PrepressError(
    isUnwritable ? 'DATABASE_UNWRITABLE' : 'DATABASE_UNREADABLE',
    `The database ${path} cannot be opened: ${reason}.`,
    { cause },
  );
};
