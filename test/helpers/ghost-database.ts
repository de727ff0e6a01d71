// A SQLite file as Ghost makes one, from the rows of the project's own export: for tests of databases that are
// broken in one way.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { loadDriver, type SqliteConnection } from '../../src/base/sqlite/driver.ts';
import { GHOST_TABLES, ROLE_TABLES } from '../../src/publication/import/intake/ghost-tables.ts';
import { requiredColumns } from '../../src/publication/sources/ghost-database/schema.ts';
import { openGhostSqlite } from '../../src/publication/sources/ghost-sqlite/source.ts';
import type { Source } from '../../src/publication/sources/source.ts';
import { temporaryFolder } from './temporary-folder.ts';

export const OWN_EXPORT = join(import.meta.dirname, '../fixtures/ghost-export.json');

type Row = Readonly<Record<string, unknown>>;

const readExport = (): Record<string, Row[]> =>
  (JSON.parse(readFileSync(OWN_EXPORT, 'utf8')) as { db: [{ data: Record<string, Row[]> }] }).db[0]
    .data;

/** Makes the file; the caller breaks it and closes the connection. */
export const makeGhostDatabase = (file: string, version = '6.65'): SqliteConnection => {
  const database = new (loadDriver())(file);
  const data = readExport();
  const tables = [...GHOST_TABLES.map(({ from }) => from), ...Object.values(ROLE_TABLES)];
  database.transaction(() => {
    for (const table of new Set(tables)) fillTable(database, table, data[table] ?? []);
    database.exec(`
      CREATE TABLE migrations (id integer PRIMARY KEY AUTOINCREMENT NOT NULL,
        name varchar(120) NOT NULL, version varchar(70) NOT NULL, currentVersion varchar(255));
      CREATE TABLE migrations_lock (lock_key varchar(191) not null, locked boolean default '0',
        acquired_at datetime null, released_at datetime null, primary key (lock_key));
      CREATE TABLE api_keys (id varchar(24) not null primary key, secret varchar(191) not null);
      INSERT INTO api_keys VALUES ('${'5'.repeat(24)}', 'not-for-anyone');
      INSERT INTO migrations_lock VALUES ('km01', 0, NULL, NULL);`);
    const insert = database.prepare(
      'INSERT INTO migrations (name, version, currentVersion) VALUES (?, ?, ?)',
    );
    insert.run('1-create-tables.js', 'init', version);
    insert.run('01-something.js', version, version);
  })();
  return database;
};

/** One that is closed when the test ends, and the source that reads it. */
export const openGhost = (): { file: string; ghost: SqliteConnection; source: Source } => {
  const file = join(temporaryFolder(), 'ghost.db');
  const ghost = makeGhostDatabase(file);
  const source = openGhostSqlite(file);
  onTestFinished(async () => {
    ghost.close();
    await source.close();
  });
  return { file, ghost, source };
};

const fillTable = (database: SqliteConnection, table: string, rows: readonly Row[]): void => {
  const names = [
    ...new Set(['id', ...requiredColumns(table), ...rows.flatMap((row) => Object.keys(row))]),
  ];
  const lines = names.map((name) => `"${name}" ${typeOf(name, rows)}`);
  database.exec(`CREATE TABLE "${table}" (${lines.join(', ')}, PRIMARY KEY ("id"))`);
  const insert = database.prepare(
    `INSERT INTO "${table}" VALUES (${names.map(() => '?').join(', ')})`,
  );
  for (const row of rows) insert.run(names.map((name) => storedAs(name, row[name])));
};

const isTime = (name: string): boolean => /_(?:at|start|end|date|seen)$/.test(name);

const typeOf = (name: string, rows: readonly Row[]): string => {
  if (name === 'id') return 'varchar(24) not null';
  if (isTime(name)) return 'datetime';
  const isNumber = rows.some((row) => ['number', 'boolean'].includes(typeof row[name]));
  return isNumber ? 'integer' : 'text';
};

const storedAs = (name: string, value: unknown): unknown => {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'object') return JSON.stringify(value);
  const isText = isTime(name) && typeof value === 'string';
  return isText ? new Date(value).toISOString().slice(0, 19).replace('T', ' ') : value;
};
