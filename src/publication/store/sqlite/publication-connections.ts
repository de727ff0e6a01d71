// The connections to the file of a publication: one that writes, one that reads, a thread for what takes long to read, and those
// of snapshots. They are opened once the file has the newest schema and its triggers.

import { Kysely } from 'kysely';
import { isDatabaseAt, openConnection } from '../../../base/sqlite/connection.ts';
import type { SqliteConnection } from '../../../base/sqlite/driver.ts';
import { findIdentity } from '../../../base/sqlite/file-identity.ts';
import { migrate } from '../../../base/sqlite/migrate.ts';
import { createSnapshotOpener } from '../../snapshot/sqlite/snapshot.ts';
import type { Tables } from '../../tables/tables.ts';
import type { OpenStoreOptions, Store } from '../store.ts';
import { ImmediateSqliteDialect, retryWhileBusy } from './dialect.ts';
import { PUBLICATION_MIGRATIONS } from './migrations.ts';
import { throwIfCut, throwIfForeign } from './publication-file.ts';
import { readPublicationMark } from './publication-mark.ts';
import { boundReading, openListReader } from './reading-time.ts';
import { createThreadedReader } from './threaded-reader.ts';
import { createTriggerKeeper } from './triggers.ts';

const LOCK_TIMEOUT_MS = 5_000;

export type PublicationConnections = Pick<
  Store,
  'dataVersion' | 'publicationMark' | 'snapshot' | 'mendTriggers' | 'close'
> & {
  readonly reader: Kysely<Tables>;
  readonly longReader: Kysely<Tables>;
  readonly writer: Kysely<Tables>;
  /** Null once it is closed. */
  readonly identity: string | null;
  /** Of the write-ahead log beside it. */
  readonly log: string | null;
  /** Of the index of that log, which all programs share; null where another connection here has one that was removed. */
  readonly index: string | null;
  /** Writes what is read here to an empty file, as of one moment. */
  readonly backup: (target: string) => Promise<unknown>;
};

export type PublicationOptions = OpenStoreOptions & {
  /**
   * The file is a read model, which has the newest schema and no triggers of ours: takes the connection that writes, each
   * time one is opened.
   */
  readonly onReadModel?: (connection: SqliteConnection) => void;
};

/** Throws what `openStore` throws. */
export const openPublication = async (
  path: string,
  { create = false, readWorker = null, onReadModel }: PublicationOptions,
): Promise<PublicationConnections> => {
  if (isDatabaseAt(path)) {
    if (!create) throwIfCut(path);
    throwIfForeign(path, { isNew: create });
  }
  const connection = openConnection(path, { mustExist: !create });
  boundReading(connection);
  const ensureTriggers = onReadModel ? () => false : createTriggerKeeper(connection);
  try {
    onReadModel?.(connection);
    if (!onReadModel)
      await retryWhileBusy(() => migrate(connection, PUBLICATION_MIGRATIONS), LOCK_TIMEOUT_MS);
    await retryWhileBusy(ensureTriggers, LOCK_TIMEOUT_MS);
  } catch (error) {
    connection.close();
    throw error;
  }
  const writer = new Kysely<Tables>({
    dialect: new ImmediateSqliteDialect({ database: connection, lockTimeoutMs: LOCK_TIMEOUT_MS }),
  });
  const readerConnection = openListReader(path);
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
    index: findIdentity(`${path}-shm`),
    backup: (target) => readerConnection.backup(target, { progress: () => 0x7fffffff }),
    writer,
    reader,
    longReader: long.reader,
    dataVersion: () => dataVersion.get() as number,
    publicationMark: () => readPublicationMark(readerConnection),
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
