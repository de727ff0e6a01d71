// Reads a copy of Ghost's SQLite file, a batch at a time, with a tick for the event loop after each.
import { setImmediate as tick } from 'node:timers/promises';
import type { SqliteConnection } from '../../sqlite/driver.ts';
import { createBatch, type DatabaseReader, type Query } from '../ghost-database/reader.ts';
import type { RawRow } from '../source.ts';
import { asReadError } from './copy-database.ts';
import type { KeptCopy } from './kept-copy.ts';

/** Throws what the copy throws. */
export const openSqliteReader = async (path: string, copy: KeptCopy): Promise<DatabaseReader> => {
  const connection = await copy.refresh();
  try {
    return {
      tables: describe(connection),
      count: async (table) => countRows(path, connection, table),
      read: (query) => readRows(path, connection, query),
      throwIfHidden: async () => {},
      nowMs: async () => Date.now(),
      marks: async (queries) => copy.marks(queries.map(({ table }) => table)),
      close: async () => {},
    };
  } catch (error) {
    throw asReadError(path, error);
  }
};

const countRows = (path: string, connection: SqliteConnection, table: string): number => {
  try {
    return connection.prepare(`SELECT count(*) FROM "${table}"`).pluck().get() as number;
  } catch (error) {
    throw asReadError(path, error);
  }
};

const describe = (connection: SqliteConnection): Map<string, string[]> => {
  const columns = connection
    .prepare(
      `SELECT t.name AS "table", c.name AS "column"
       FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table' ORDER BY t.name, c.cid`,
    )
    .all() as { readonly table: string; readonly column: string }[];
  const tables = new Map<string, string[]>();
  for (const { table, column } of columns) {
    const known = tables.get(table);
    if (known === undefined) tables.set(table, [column]);
    else known.push(column);
  }
  return tables;
};

async function* readRows(
  path: string,
  connection: SqliteConnection,
  { table, columns, ids, isOrdered }: Query,
): AsyncGenerator<readonly RawRow[]> {
  const names = columns?.map((name) => `"${name}"`).join(', ') ?? '*';
  const which = ids === undefined ? '' : 'WHERE id IN (SELECT value FROM json_each(?))';
  const order = isOrdered ? 'ORDER BY id COLLATE BINARY' : '';
  const values = ids === undefined ? [] : [JSON.stringify(ids)];
  const batch = createBatch();
  try {
    const statement = connection.prepare(`SELECT ${names} FROM "${table}" ${which} ${order}`);
    for (const row of statement.iterate(...values) as Iterable<RawRow>) {
      const full = batch.add(row);
      if (full === null) continue;
      yield full;
      await tick();
    }
  } catch (error) {
    throw asReadError(path, error);
  }
  yield batch.rest();
}
