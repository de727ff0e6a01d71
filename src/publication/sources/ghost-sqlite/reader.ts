// Reads a copy of Ghost's SQLite file, a batch at a time, with a tick for the event loop after each.

import { setImmediate as tick } from 'node:timers/promises';
import { addTo } from '../../../base/group-by.ts';
import type { SqliteConnection } from '../../../base/sqlite/driver.ts';
import { createBatch, type DatabaseReader, type Query } from '../ghost-database/reader.ts';
import type { RawRow } from '../source.ts';
import type { SourceCopy } from './database-copy.ts';
import { asReadError } from './fetch-copy.ts';

/** Throws what the copy throws. */
export const openSqliteReader = async (path: string, copy: SourceCopy): Promise<DatabaseReader> => {
  const connection = await copy.refresh();
  try {
    return {
      tables: describe(connection),
      count: async (table) => countRows(path, connection, table),
      read: (query) => readRows(path, connection, query),
      throwIfHidden: async () => {},
      nowMs: async () => Date.now(),
      tableVersions: async (queries) => copy.tableVersions(queries.map(({ table }) => table)),
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
  for (const { table, column } of columns) addTo(tables, table, column);
  return tables;
};

/** The index of ids is of no use to it. */
const TEXT_ID = 'CAST(id AS TEXT)';

/** A column of SQLite holds what it is given: an id of bytes is found, and has its place, as the text that it spells. */
const hasOddIds = (connection: SqliteConnection, table: string): boolean =>
  connection
    .prepare(`SELECT 1 FROM "${table}" WHERE typeof(id) <> 'text' LIMIT 1`)
    .pluck()
    .get() !== undefined;

async function* readRows(
  path: string,
  connection: SqliteConnection,
  { table, columns, ids, isOrdered }: Query,
): AsyncGenerator<readonly RawRow[]> {
  const names = columns?.map((name) => `"${name}"`).join(', ') ?? '*';
  const values = ids === undefined ? [] : [JSON.stringify(ids)];
  const batch = createBatch();
  try {
    const id = (isOrdered || ids !== undefined) && hasOddIds(connection, table) ? TEXT_ID : 'id';
    const which = ids === undefined ? '' : `WHERE ${id} IN (SELECT value FROM json_each(?))`;
    const inOrder = `WHERE id IS NOT NULL ORDER BY ${id} COLLATE BINARY`;
    const sql = `SELECT ${names} FROM "${table}" ${isOrdered ? inOrder : which}`;
    const statement = connection.prepare(sql);
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
