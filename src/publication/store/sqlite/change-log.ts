// The tables of the change log, made again when another program dropped them or left them out of a copy:
// without them every write to a watched table fails in its trigger.
import type { SqliteConnection } from '../../../base/sqlite/driver.ts';
import pipeline from './migrations/002_pipeline.sql';

const TABLES = ['action_scope', 'changes', 'log_state'] as const;

const listStanding = (connection: SqliteConnection): string[] =>
  connection
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name IN (?, ?, ?)")
    .pluck()
    .all(...TABLES) as string[];

/** True when all tables of the change log stand. */
export const hasChangeLog = (connection: SqliteConnection): boolean =>
  listStanding(connection).length === TABLES.length;

/** Makes those that are missing, as the migration does; call it in a transaction. */
export const makeChangeLog = (connection: SqliteConnection): void => {
  const standing = listStanding(connection);
  for (const table of TABLES) {
    if (!standing.includes(table)) connection.exec(findStatement(table));
  }
  connection.exec('INSERT OR IGNORE INTO action_scope (id, action) VALUES (1, NULL)');
};

const findStatement = (table: string): string => {
  const statement = pipeline
    .split(/;\s*\n/)
    .find((text) => text.includes(`CREATE TABLE ${table} (`));
  if (statement === undefined) throw new Error(`The migration makes no table ${table}.`);
  return statement;
};
