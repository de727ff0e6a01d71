// A Ghost database that a test edits as Ghost would, through plain SQL which SQLite and MariaDB both read.
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Connection } from 'mysql2/promise';
import { loadDriver } from '../../src/base/sqlite/driver.ts';
import { CAPTURED_DATABASE } from './captured-site.ts';
import { makeGhostDatabase } from './ghost-database.ts';

export type Value = string | number | null;
export type Statement = readonly [sql: string, ...values: Value[]];

export type GhostShell = {
  /** Columns by table. */
  readonly columns: ReadonlyMap<string, readonly string[]>;
  readonly all: (sql: string, ...values: Value[]) => Promise<Record<string, unknown>[]>;
  /** Runs the statements as one commit. */
  readonly commit: (statements: readonly Statement[]) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** The captured site's own database, or a smaller one with PREPRESS_TEST_OWN; returns its path in `folder`. */
export const placeGhostDatabase = (folder: string): string => {
  const path = join(folder, 'ghost.db');
  if (process.env.PREPRESS_TEST_OWN === undefined) copyFileSync(CAPTURED_DATABASE, path);
  else makeGhostDatabase(path).close();
  return path;
};

/** An import schedules what the captured site has published for 2099, a follower does not. */
export const OF_THE_PAST: Statement = [
  "UPDATE posts SET published_at = '2025-01-01 10:00:00' WHERE published_at >= '2099-01-01 00:00:00' AND status = 'published'",
];

type Described = { readonly table: string; readonly column: string };

const byTable = (rows: readonly Described[]): Map<string, string[]> => {
  const columns = new Map<string, string[]>();
  for (const { table, column } of rows) columns.set(table, [...(columns.get(table) ?? []), column]);
  return columns;
};

export const openGhostFile = (path: string): GhostShell => {
  const connection = new (loadDriver())(path, { timeout: 60_000 });
  connection.pragma('foreign_keys = OFF');
  const described = connection.prepare(
    `SELECT t.name AS "table", c.name AS "column"
     FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table'`,
  );
  return {
    columns: byTable(described.all() as Described[]),
    all: async (sql, ...values) =>
      connection.prepare(sql).all(...values) as Record<string, unknown>[],
    commit: async (statements) =>
      connection.transaction(() => {
        for (const [sql, ...values] of statements) connection.prepare(sql).run(...values);
      })(),
    close: async () => {
      connection.close();
    },
  };
};

/** `connection` is of that database. */
export const openGhostServer = async (connection: Connection): Promise<GhostShell> => {
  await connection.query('SET SESSION foreign_key_checks = 0');
  await connection.query("SET SESSION time_zone = '+00:00'");
  const [described] = await connection.query(
    'SELECT table_name AS `table`, column_name AS `column` FROM information_schema.columns WHERE table_schema = database()',
  );
  return {
    columns: byTable(described as Described[]),
    all: async (sql, ...values) =>
      (await connection.query(sql, values))[0] as Record<string, unknown>[],
    commit: async (statements) => {
      await connection.beginTransaction();
      for (const [sql, ...values] of statements) await connection.query(sql, values);
      await connection.commit();
    },
    close: () => connection.end(),
  };
};
