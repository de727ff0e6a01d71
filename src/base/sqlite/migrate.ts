// Brings a database to the newest schema: numbered .sql files, each applied once, whole, and kept with
// the SHA-256 of its text so that a changed or newer history is noticed before anything is read.
import { createHash } from 'node:crypto';
import { PrepressError } from '../errors.ts';
import type { SqliteConnection } from './driver.ts';

export type Migration = {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
  /** Programs without it may go on beside it: it only adds what they need not know, and what has a default is added. */
  readonly isAdditive?: true;
};

/**
 * Applies what is missing in one transaction. Throws DATABASE_TOO_NEW when the database knows a
 * migration that this program does not, MIGRATION_CHANGED when a text differs from the one applied.
 */
export const migrate = (connection: SqliteConnection, migrations: readonly Migration[]): void => {
  if (isCurrent(connection, migrations)) return;
  connection.exec('BEGIN IMMEDIATE');
  try {
    connection.exec(
      `CREATE TABLE IF NOT EXISTS migrations (
        number INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL, sha256 TEXT NOT NULL)`,
    );
    const applied = readApplied(connection);
    for (const migration of migrations) {
      if (applied.has(migration.number)) continue;
      connection.exec(migration.sql);
      connection
        .prepare('INSERT INTO migrations (number, name, sha256) VALUES (?, ?, ?)')
        .run(migration.number, migration.name, checksum(migration));
    }
    connection.exec('COMMIT');
  } catch (error) {
    if (connection.inTransaction) connection.exec('ROLLBACK');
    throw error;
  }
};

const checksum = (migration: Migration): string =>
  createHash('sha256').update(migration.sql).digest('hex');

const readApplied = (connection: SqliteConnection): Map<number, string> => {
  const rows = connection.prepare('SELECT number, sha256 FROM migrations').all() as {
    number: number;
    sha256: string;
  }[];
  return new Map(rows.map((row) => [row.number, row.sha256]));
};

const isCurrent = (connection: SqliteConnection, migrations: readonly Migration[]): boolean => {
  const hasTable = connection
    .prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'migrations'")
    .get();
  if (hasTable === undefined) return false;
  const applied = readApplied(connection);
  const known = new Map(migrations.map((migration) => [migration.number, migration]));
  for (const [number, sha256] of applied) {
    const migration = known.get(number);
    if (migration === undefined) {
      throw new PrepressError(
        'DATABASE_TOO_NEW',
        `The database has migration ${number}, which this Prepress does not know.`,
      );
    }
    if (checksum(migration) !== sha256) {
      throw new PrepressError(
        'MIGRATION_CHANGED',
        `Migration ${number} (${migration.name}) differs from the one this database was made with.`,
      );
    }
  }
  return applied.size === migrations.length;
};
