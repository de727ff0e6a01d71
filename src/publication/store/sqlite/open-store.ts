// The publishing database in a SQLite file: each call goes to the file that stands at the path.
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../tables/tables.ts';
import { DB } from '../db.ts';
import type { Store } from '../store.ts';
import { openPublication, type PublicationOptions } from './publication-connections.ts';
import { ReplaceablePublication } from './replaceable-publication.ts';

/** See `openStore` in the port. */
export const openSqliteStore = async (
  path: string,
  options: PublicationOptions,
): Promise<Store> => {
  const file = new ReplaceablePublication(path, options, await openPublication(path, options));
  return {
    get path() {
      // A thread of this program shares what its connections have mapped, and could not tell that it is old.
      file.throwIfReplaced();
      return path;
    },
    isReader: false,
    postgres: null,
    servers: {
      seen: () => 0,
      becomeCurrent: async () => undefined,
      placed: () => undefined,
      describe: () => undefined,
      list: async () => [],
      lacking: async () => [],
    },
    leads: () => true,
    get [DB]() {
      return file.current.reader;
    },
    onThread: {
      get [DB]() {
        return file.current.longReader;
      },
    },
    write: async (run, { action, mayBeLost = false } = {}) => {
      await file.reopenIfIndexGone();
      const save = (writer: Kysely<Tables>) =>
        writer.transaction().execute(async (transaction) => {
          file.throwIfReplaced();
          if (action !== undefined) await setAction(transaction, action);
          const result = await run({ [DB]: transaction });
          if (action !== undefined) await setAction(transaction, null);
          file.throwIfReplaced();
          return result;
        });
      const { writer } = file.current;
      return mayBeLost ? unsynced(writer, save) : save(writer);
    },
    claim: null,
    hold: (run) => file.current.writer.transaction().execute(run),
    dataVersion: () => file.dataVersion(),
    publicationMark: () => {
      const version = file.dataVersion();
      return version < 0
        ? { log: `file ${version}`, generation: 0, announcedMs: null, isOneSave: false }
        : file.current.publicationMark();
    },
    snapshot: () => {
      // A new connection would lay the old file's log over the new file.
      file.throwIfReplaced();
      return file.current.snapshot();
    },
    mendTriggers: async () => file.current.mendTriggers(),
    reopenIfReplaced: () => file.reopenIfReplaced(),
    beginClosing: () => undefined,
    close: () => file.close(),
  };
};

const unsynced = <T>(
  writer: Kysely<Tables>,
  save: (writer: Kysely<Tables>) => Promise<T>,
): Promise<T> =>
  writer.connection().execute(async (connection) => {
    await sql`PRAGMA synchronous = NORMAL`.execute(connection);
    try {
      return await save(connection);
    } finally {
      await sql`PRAGMA synchronous = FULL`.execute(connection);
    }
  });

const setAction = (writer: Kysely<Tables>, action: string | null): Promise<unknown> =>
  writer.updateTable('action_scope').set({ action }).where('id', '=', 1).execute();
