// The publishing database, open: reads, writes and snapshots. Every write goes through `write`, one
// transaction at a time; a snapshot is a connection of its own that sees one state of the database.
import { Kysely, type Transaction } from 'kysely';
import type { Snapshot } from './snapshot.ts';
import { openConnection } from './sqlite/connection.ts';
import { ImmediateSqliteDialect, retryWhileBusy } from './sqlite/dialect.ts';
import { migrate } from './sqlite/migrate.ts';
import { PUBLICATION_MIGRATIONS } from './sqlite/migrations.ts';
import { createSnapshotOpener } from './sqlite/snapshot.ts';
import { createTriggerKeeper } from './sqlite/triggers.ts';
import type { Tables } from './tables/tables.ts';

export type Reader = Kysely<Tables>;
export type Writer = Transaction<Tables>;

type WriteOptions = {
  /** Id of the admin save: its changes become one action (decisions, Publishing). */
  readonly action?: string;
};

export type Store = {
  /** Path of the database file. */
  readonly path: string;
  /** Reads outside any transaction; each query sees the newest commit. */
  readonly reader: Reader;
  /** Runs `run` in one IMMEDIATE transaction; throws DATABASE_BUSY after five seconds of waiting. */
  readonly write: <T>(run: (writer: Writer) => Promise<T>, options?: WriteOptions) => Promise<T>;
  /** A number that differs once any connection but the reader's has committed. */
  readonly dataVersion: () => number;
  /**
   * Opens a read transaction on a connection of its own; the caller closes it. Posts whose time comes
   * after `shownUntil` (milliseconds) are not among what is shown.
   */
  readonly snapshot: (shownUntil?: number) => Snapshot;
  /** Installs lost triggers again; true when some were lost, so that changes may be missing. */
  readonly mendTriggers: () => Promise<boolean>;
  readonly close: () => Promise<void>;
};

const LOCK_TIMEOUT_MS = 5_000;

type OpenStoreOptions = {
  /** Makes the file when it is absent; otherwise absence is DATABASE_MISSING. */
  readonly create?: boolean;
};

/** Opens the database, brings it to the newest schema and makes sure of its triggers. */
export const openStore = async (path: string, options: OpenStoreOptions = {}): Promise<Store> => {
  const connection = openConnection(path, { mustExist: options.create !== true });
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
  const snapshots = createSnapshotOpener(path);
  return {
    path,
    reader,
    write: (run, { action } = {}) =>
      writer.transaction().execute(async (transaction) => {
        if (action !== undefined) await setAction(transaction, action);
        const result = await run(transaction);
        if (action !== undefined) await setAction(transaction, null);
        return result;
      }),
    dataVersion: () => readerConnection.pragma('data_version', { simple: true }) as number,
    snapshot: snapshots.open,
    mendTriggers: () =>
      writer.connection().execute(() => retryWhileBusy(ensureTriggers, LOCK_TIMEOUT_MS)),
    close: async () => {
      snapshots.close();
      await reader.destroy();
      await writer.destroy();
    },
  };
};

const setAction = (writer: Writer, action: string | null): Promise<unknown> =>
  writer.updateTable('action_scope').set({ action }).where('id', '=', 1).execute();
