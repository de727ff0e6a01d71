// Databases of Ghost in a MariaDB, filled from a SQLite file of Ghost, with the column types that Ghost's own migrations make
// there.
import type { Connection } from 'mysql2/promise';
import { loadDriver, type SqliteConnection } from '../../src/base/sqlite/driver.ts';

/** Makes `database` anew with the tables and rows of Ghost's SQLite file. */
export const fillFromSqlite = async (
  root: Connection,
  database: string,
  file: string,
): Promise<void> => {
  const from = new (loadDriver())(file, { readonly: true });
  try {
    await root.query('DROP DATABASE IF EXISTS ??', [database]);
    await root.query('CREATE DATABASE ?? CHARACTER SET utf8mb4', [database]);
    await root.query('USE ??', [database]);
    const tables = from
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
      .pluck()
      .all() as string[];
    for (const table of tables) await copyTable(root, from, table);
  } finally {
    from.close();
  }
};

type SqliteColumn = { readonly name: string; readonly type: string; readonly pk: number };

const copyTable = async (
  root: Connection,
  from: SqliteConnection,
  table: string,
): Promise<void> => {
  const columns = from.pragma(`table_info("${table}")`) as SqliteColumn[];
  const key = columns.filter(({ pk }) => pk > 0).map(({ name }) => `\`${name}\``);
  const lines = columns.map(({ name, type, pk }) => {
    // A key has a length there.
    const own = typeIn(type);
    return `\`${name}\` ${pk > 0 && own === 'LONGTEXT' ? 'VARCHAR(191)' : own}`;
  });
  if (key.length > 0) lines.push(`PRIMARY KEY (${key.join(', ')})`);
  await root.query(`CREATE TABLE \`${table}\` (${lines.join(', ')}) ENGINE = InnoDB`);
  const rows = from.prepare(`SELECT * FROM "${table}"`).raw().all() as unknown[][];
  const values = rows.map((row) => row.map((value, at) => valueIn(columns[at]?.type, value)));
  for (let at = 0; at < values.length; at += 500) {
    await root.query('INSERT INTO ?? VALUES ?', [table, values.slice(at, at + 500)] as never);
  }
};

const typeIn = (type: string): string => {
  if (/^(?:long)?text/i.test(type)) return 'LONGTEXT';
  if (/^boolean/i.test(type)) return 'TINYINT(1)';
  return /^(?:datetime|integer|bigint)/i.test(type)
    ? type
    : /^varchar/i.test(type)
      ? type
      : 'LONGTEXT';
};

/** Some of Ghost's writers leave milliseconds or another form in SQLite, which MySQL's column cannot hold. */
const valueIn = (type: string | undefined, value: unknown): unknown =>
  /^datetime/i.test(type ?? '') && (typeof value === 'number' || String(value).includes('T'))
    ? new Date(value as string | number).toISOString().slice(0, 19).replace('T', ' ')
    : value;
