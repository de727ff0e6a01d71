// Reads Ghost's tables from MySQL or MariaDB: one connection, one read-only transaction on a consistent
// snapshot, each table streamed. Times are texts in UTC, big numbers and JSON are texts.

import { PrepressError } from '../../../base/errors.ts';
import { addTo } from '../../../base/group-by.ts';
import { createBatch, type DatabaseReader, type Query } from '../ghost-database/reader.ts';
import type { RawRow } from '../source.ts';
import type { MysqlAddress } from './address.ts';
import { type MysqlSession, openSession, type Statement } from './session.ts';
import { readTableTimes } from './table-times.ts';

/** A server ends a connection that takes nothing for so long, while rows that it sent are worked on. */
const WRITE_TIMEOUT_S = 600;
/** A table that somebody alters or locks is waited for so long; a server's own measure is a day. */
const LOCK_TIMEOUT_S = 10;

const SESSION = [
  // Quotation marks and escapes mean what they mean here, whatever the server is set to.
  // What MySQL 8 tells of tables is else a day old.
  `SET SESSION sql_mode = '' /*!80000 , SESSION information_schema_stats_expiry = 0 */`,
  `SET SESSION time_zone = '+00:00'`,
  `SET SESSION net_write_timeout = ${WRITE_TIMEOUT_S}`,
  `SET SESSION lock_wait_timeout = ${LOCK_TIMEOUT_S}`,
  'SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ',
];
const SNAPSHOT = 'START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY';

/** Throws one of the SOURCE_ codes. */
export const openMysqlReader = async (address: MysqlAddress): Promise<DatabaseReader> => {
  const session = await openSession(address);
  try {
    for (const sql of SESSION) await session.query({ sql });
    // Before the snapshot: what is committed in between has a later time.
    const times = await readTableTimes(session);
    await session.query({ sql: SNAPSHOT });
    const tables = await describe(session);
    return {
      tables,
      count: async (table) => Number(await one(session, `SELECT count(*) FROM ${quote(table)}`)),
      read: (query) => readRows(session, query),
      tableVersions: async (queries) => tableVersionsOf(times, tables, queries),
      throwIfHidden: (table, column) => throwIfHidden(session, table, column),
      nowMs: async () => Date.parse(`${await one(session, 'SELECT utc_timestamp()')}Z`),
      close: session.close,
    };
  } catch (error) {
    await session.close();
    throw error;
  }
};

/** A column may be added to a table without a time. */
const tableVersionsOf = (
  times: ReadonlyMap<string, string>,
  tables: DatabaseReader['tables'],
  queries: readonly Query[],
): Map<string, string> => {
  const versions = new Map<string, string>();
  for (const { table } of queries) {
    const time = times.get(table);
    if (time !== undefined) versions.set(table, `${time} ${tables.get(table)?.join()}`);
  }
  return versions;
};

const quote = (name: string): string => `\`${name.replaceAll('`', '``')}\``;

const one = async (session: MysqlSession, sql: string): Promise<unknown> =>
  Object.values((await session.query({ sql }))[0] ?? {})[0];

const describe = async (session: MysqlSession): Promise<Map<string, string[]>> => {
  const columns = await session.query({
    sql: `SELECT table_name AS t, column_name AS c FROM information_schema.columns
          WHERE table_schema = database() ORDER BY table_name, ordinal_position`,
  });
  const tables = new Map<string, string[]>();
  for (const { t, c } of columns) addTo(tables, String(t), String(c));
  return tables;
};

/** A user is shown only what they may use; asked for another table or column, the server tells why not. */
const throwIfHidden = async (
  session: MysqlSession,
  table: string,
  column?: string,
): Promise<void> => {
  const what = column === undefined ? '1' : quote(column);
  try {
    await session.query({ sql: `SELECT ${what} FROM ${quote(table)} LIMIT 0` });
  } catch (error) {
    if (error instanceof PrepressError && error.code === 'SOURCE_NO_PERMISSION') throw error;
  }
};

/** Numbers are shorter. */
const ID_LENGTH = 24;

/** Of a statement with `IN`. */
const IDS_MAX = 1_000;

async function* readRows(
  session: MysqlSession,
  { table, columns, ids, isOrdered }: Query,
): AsyncGenerator<readonly RawRow[]> {
  const select = `SELECT ${columns?.map(quote).join(', ') ?? '*'} FROM ${quote(table)}`;
  const order = isOrdered ? ` ORDER BY ${await orderOf(session, table)}` : '';
  const batch = createBatch();
  for (const some of ids === undefined ? [null] : slices(ids)) {
    const statement: Statement =
      some === null
        ? { sql: `${select}${order}` }
        : { sql: `${select} WHERE id IN (?)`, values: [some] };
    for await (const row of session.stream(statement)) {
      const full = batch.add(row);
      if (full !== null) yield full;
    }
  }
  yield batch.rest();
}

/**
 * Of ids that are digits and letters in lower case, the order of the key is that of bytes. Other ids, and those of a column
 * of numbers, are sorted.
 */
const orderOf = async (session: MysqlSession, table: string): Promise<string> => {
  const text = 'CONVERT(id USING latin1) COLLATE latin1_bin';
  const odd = `SELECT EXISTS (SELECT 1 FROM ${quote(table)}
    WHERE ${text} NOT REGEXP '^[0-9a-z]+$' OR char_length(id) <> ${ID_LENGTH})`;
  return Number(await one(session, odd)) === 0 ? 'id' : 'CAST(id AS BINARY)';
};

function* slices(ids: readonly string[]): Generator<string[]> {
  for (let at = 0; at < ids.length; at += IDS_MAX) yield ids.slice(at, at + IDS_MAX);
}
