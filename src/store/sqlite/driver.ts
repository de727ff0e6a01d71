// Picks the SQLite driver: no one better-sqlite3 runs on every supported Node.js, so two are
// optional dependencies and this file alone knows which belongs to which.
import { createRequire } from 'node:module';
import type BetterSqlite3 from 'better-sqlite3';
import { PrepressError } from '../../base/errors.ts';

export type SqliteConnection = BetterSqlite3.Database;

/** What reads with statements alone. */
export type Preparing = { readonly prepare: (sql: string) => BetterSqlite3.Statement };

const driverFor = (nodeVersion: string): string =>
  Number(nodeVersion.split('.')[0]) < 22 ? 'better-sqlite3-node20' : 'better-sqlite3';

/** Loads the driver; throws DATABASE_DRIVER_MISSING when it is not installed. */
export const loadDriver = (nodeVersion = process.versions.node): typeof BetterSqlite3 => {
  const name = driverFor(nodeVersion);
  try {
    return createRequire(import.meta.url)(name) as typeof BetterSqlite3;
  } catch (cause) {
    throw new PrepressError(
      'DATABASE_DRIVER_MISSING',
      `The SQLite driver "${name}" for Node.js ${nodeVersion} cannot be loaded.`,
      { cause },
    );
  }
};
