// The publishing database, open: reads, writes and snapshots. Every write goes through `write`, one
// transaction at a time; a snapshot is a connection of its own that sees one state of the database.
import { existsSync, rmSync } from 'node:fs';
import { Kysely, type Transaction } from 'kysely';
import { PrepressError } from '../base/errors.ts';
import type { Snapshot } from './snapshot.ts';
import { openConnection } from './sqlite/connection.ts';
import { ImmediateSqliteDialect, retryWhileBusy } from './sqlite/dialect.ts';
import { findChangeTime, findIdentity } from './sqlite/file-identity.ts';
import { migrate } from './sqlite/migrate.ts';
import { PUBLICATION_MIGRATIONS } from './sqlite/migrations.ts';
import { throwIfCut, throwIfForeign } from './sqlite/publication-file.ts';
import { createSnapshotOpener } from './sqlite/snapshot.ts';
import { createThreadedReader } from './sqlite/threaded-reader.ts';
import { createThreadedWriter } from './sqlite/threaded-writer.ts';
import { createTriggerKeeper } from './sqlite/triggers.ts';
import { readTurnMark, type TurnMark } from './sqlite/turn-mark.ts';
import type { Tables } from './tables/tables.ts';

export type Reader = Kysely<Tables>;
export type Writer = Transaction<Tables>;

type WriteOptions = {
  /** Id of the admin save: its changes become one action (decisions, Publishing). */
  readonly action?: string;
  /** It brings long texts: it runs on a thread of its own where one can be had. */
  readonly isLong?: boolean;
};

export type Store = {
  /** Path of the database file. */
  readonly path: string;
  /** Reads outside any transaction; each query sees the newest commit. */
  readonly reader: Reader;
  /** The same for queries that may take long: they run on a thread of their own where one can be had. */
  readonly longReader: Reader;
  /**
   * Runs `run` in one IMMEDIATE transaction; throws DATABASE_BUSY after five seconds of waiting, and when the
   * file was replaced: what is written to the old one would be lost.
   */
  readonly write: <T>(run: (writer: Writer) => Promise<T>, options?: WriteOptions) => Promise<T>;
  /** Runs `run` while nothing is written here: a thread writes to the file meanwhile, and no write waits for its lock. */
  readonly lendWriter: <T>(run: () => Promise<T>) => Promise<T>;
  /**
   * A number that differs once any connection but the reader's has committed, or the file was replaced. Never
   * throws: what is wrong is said by whoever reads.
   */
  readonly dataVersion: () => number;
  /** Tells commits that are changes of the publication from others; asked when `dataVersion` differs. */
  readonly turnMark: () => TurnMark;
  /**
   * Opens a read transaction on a connection of its own; the caller closes it. Posts whose time comes
   * after the `present` (milliseconds), which is asked once it is settled what is seen, are not shown.
   */
  readonly snapshot: (present?: () => number) => Snapshot;
  /** Installs lost triggers again; true when some were lost, so that changes may be missing. */
  readonly mendTriggers: () => Promise<boolean>;
  /**
   * Opens the file that stands at the path when another one was put there by a rename; true then. Throws
   * DATABASE_MISSING when there is none, and what openStore throws; then nothing is open until it is called
   * again, and whatever reads or writes throws the same.
   */
  readonly reopenIfReplaced: () => Promise<boolean>;
  readonly close: () => Promise<void>;
};

const LOCK_TIMEOUT_MS = 5_000;

type OpenStoreOptions = {
  /** Makes the file when it is absent; otherwise absence is DATABASE_MISSING. */
  readonly create?: boolean;
  /** The bundled thread of `longReader`; null or absent: there is none. */
  readonly readWorker?: string | null;
};

/** What `dataVersion` says of a file that cannot be read; SQLite counts from 1. */
const UNREADABLE = -2;

/**
 * Opens the database, brings it to the newest schema and makes sure of its triggers. Throws DATABASE_MISSING,
 * DATABASE_UNREADABLE for what is no publication, DATABASE_TOO_NEW.
 */
export const openStore = async (path: string, options: OpenStoreOptions = {}): Promise<Store> => {
  let open: OpenFile | null = await openFile(path, options);
  /** Why none is open. */
  let fault: unknown = null;
  const current = (): OpenFile => {
    if (open === null) throw fault;
    return open;
  };
  const isReplaced = (): boolean => open === null || findIdentity(path) !== open.identity;
  const throwIfReplaced = (): void => {
    if (open !== null && isReplaced()) throw replaced(path);
  };
  const dataVersion = (): number => {
    try {
      // A file that is still being copied has another time with every piece.
      return open === null || isReplaced() ? UNREADABLE - findChangeTime(path) : open.dataVersion();
    } catch {
      return UNREADABLE;
    }
  };
  return {
    path,
    get reader() {
      return current().reader;
    },
    get longReader() {
      return current().longReader;
    },
    write: async (run, { action, isLong = false } = {}) =>
      current()
        [isLong ? 'longWriter' : 'writer'].transaction()
        .execute(async (transaction) => {
          throwIfReplaced();
          if (action !== undefined) await setAction(transaction, action);
          const result = await run(transaction);
          if (action !== undefined) await setAction(transaction, null);
          throwIfReplaced();
          return result;
        }),
    lendWriter: (run) =>
      current()
        .writer.connection()
        .execute(async () => {
          throwIfReplaced();
          return run();
        }),
    dataVersion,
    turnMark: () => {
      const version = dataVersion();
      return open === null || version < 0
        ? { log: `file ${version}`, generation: 0 }
        : open.turnMark();
    },
    snapshot: (present) => {
      // A new connection would lay the old file's log over the new file.
      throwIfReplaced();
      return current().snapshot(present);
    },
    mendTriggers: async () => current().mendTriggers(),
    reopenIfReplaced: async () => {
      if (!isReplaced()) return false;
      if (findIdentity(path) === null) throw missing(path);
      try {
        if (open !== null) {
          const { close, log } = open;
          fault = replaced(path);
          open = null;
          await close();
          removeOldLog(path, log);
        }
        open = await openFile(path, { ...options, create: false });
      } catch (error) {
        fault = error;
        throw error;
      }
      return true;
    },
    close: async () => {
      await open?.close();
    },
  };
};

/** SQLite leaves the log of a file that was moved, and would lay it over the new one. */
const removeOldLog = (path: string, log: string | null): void => {
  if (log === null || findIdentity(`${path}-wal`) !== log) return;
  for (const end of ['-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
};

const missing = (path: string): PrepressError =>
  new PrepressError('DATABASE_MISSING', `The database ${path} is gone.`);

const replaced = (path: string): PrepressError =>
  new PrepressError('DATABASE_BUSY', `The database ${path} was replaced just now.`);

type OpenFile = Pick<
  Store,
  'reader' | 'longReader' | 'dataVersion' | 'turnMark' | 'snapshot' | 'mendTriggers' | 'close'
> & {
  readonly writer: Kysely<Tables>;
  readonly longWriter: Kysely<Tables>;
  /** Null once it is closed. */
  readonly identity: string | null;
  /** Of the write-ahead log beside it. */
  readonly log: string | null;
};

const openFile = async (
  path: string,
  { create = false, readWorker = null }: OpenStoreOptions,
): Promise<OpenFile> => {
  if (existsSync(path)) {
    if (!create) throwIfCut(path);
    throwIfForeign(path, { isNew: create });
  }
  const connection = openConnection(path, { mustExist: !create });
  const ensureTriggers = createTriggerKeeper(connection);
  try {
    await retryWhileBusy(() => migrate(connection, PUBLICATION_MIGRATIONS), LOCK_TIMEOUT_MS);
    await retryWhileBusy(ensureTriggers, LOCK_TIMEOUT_MS);
  } catch (error) {
    connection.close();
    throw error;
  }
  const writer = new Kysely<Tables>({
    dialect: new ImmediateSqliteDialect({ database: connection, lockTimeoutMs: LOCK_TIMEOUT_MS }),
  });
  const readerConnection = openConnection(path, { readonly: true });
  const reader = new Kysely<Tables>({
    dialect: new ImmediateSqliteDialect({
      database: readerConnection,
      lockTimeoutMs: LOCK_TIMEOUT_MS,
    }),
  });
  const long = createThreadedReader({ path, workerFile: readWorker, near: reader });
  const dataVersion = readerConnection.prepare('PRAGMA data_version').pluck();
  const snapshots = createSnapshotOpener(path);
  return {
    snapshot: snapshots.open,
    identity: findIdentity(path),
    log: findIdentity(`${path}-wal`),
    writer,
    longWriter:
      readWorker === null
        ? writer
        : createThreadedWriter({ path, workerFile: readWorker, lockTimeoutMs: LOCK_TIMEOUT_MS }),
    reader,
    longReader: long.reader,
    dataVersion: () => dataVersion.get() as number,
    turnMark: () => readTurnMark(readerConnection),
    mendTriggers: () =>
      writer.connection().execute(() => retryWhileBusy(ensureTriggers, LOCK_TIMEOUT_MS)),
    close: async () => {
      await long.close();
      snapshots.close();
      await reader.destroy();
      await writer.destroy();
      // What was not used Kysely leaves open, and the last to close a file puts away its log.
      readerConnection.close();
      connection.close();
    },
  };
};

const setAction = (writer: Writer, action: string | null): Promise<unknown> =>
  writer.updateTable('action_scope').set({ action }).where('id', '=', 1).execute();
