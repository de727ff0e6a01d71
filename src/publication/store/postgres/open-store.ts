// A publication in PostgreSQL as a store: everything reads the read model of this machine.

import { PrepressError } from '../../../base/errors.ts';
import type { SqliteConnection } from '../../../base/sqlite/driver.ts';
import type { PostgresPlace } from '../../../settings/database-address.ts';
import { DB } from '../db.ts';
import { openSqliteStore } from '../sqlite/open-store.ts';
import type { OpenStoreOptions, Store } from '../store.ts';
import { openReadModel } from './read-model.ts';
import type { Scope } from './read-model-file.ts';
import { quote } from './table-shapes.ts';

/** See `openStore` in the port. Throws DATABASE_UNREACHABLE and DATABASE_UNSUPPORTED, too. */
export const openPostgresStore = async (
  path: string,
  place: PostgresPlace,
  options: OpenStoreOptions,
): Promise<Store> => {
  if (!place.isReader) {
    const sentence =
      'The setting lead must be never: this version only reads a publication in PostgreSQL.';
    throw new PrepressError('CONFIG_INVALID', sentence, { property: 'lead' });
  }
  const model = await openReadModel(path, place, options);
  const onReadModel = (connection: SqliteConnection): void => refuse(connection, model.scope);
  let local: Store;
  try {
    local = await openSqliteStore(path, { ...options, create: false, onReadModel });
  } catch (error) {
    await model.close();
    throw error;
  }
  return {
    path,
    isReader: true,
    get [DB]() {
      return local[DB];
    },
    onThread: local.onThread,
    write: (run, writing) => local.write(run, writing).catch(asRefusal),
    hold: local.hold,
    dataVersion: local.dataVersion,
    publicationMark: local.publicationMark,
    snapshot: local.snapshot,
    mendTriggers: async () => false,
    reopenIfReplaced: local.reopenIfReplaced,
    close: async () => {
      await model.close();
      await local.close();
    },
  };
};

const REFUSAL = 'prepress: rows are changed in PostgreSQL';

/** What is written here to a table that PostgreSQL has would be lost: this connection refuses it. */
const refuse = (connection: SqliteConnection, { tables }: Scope): void => {
  for (const { name } of tables)
    for (const event of ['INSERT', 'UPDATE', 'DELETE'])
      connection.exec(
        `CREATE TEMP TRIGGER ${quote(`refuse_${name}_${event}`)} BEFORE ${event} ON main.${quote(name)}
         BEGIN SELECT RAISE(ABORT, '${REFUSAL}'); END`,
      );
};

const asRefusal = (cause: unknown): never => {
  if (!(cause instanceof Error) || cause.message !== REFUSAL) throw cause;
  const sentence = 'This server only reads the publication (setting lead), and saved nothing.';
  throw new PrepressError('DATABASE_ONLY_READ', sentence, { cause });
};
