// Picks the SQLite driver. The newest better-sqlite3 ships compiled and runs on Node.js 22 and newer; npm leaves it out on
// Node.js 20, which takes an older one under a name of its own: compiled in a clone, added by hand in a project.
import { createRequire } from 'node:module';
import { sep } from 'node:path';
import type BetterSqlite3 from 'better-sqlite3';
import { PrepressError } from '../errors.ts';
import { NODE_20_DRIVER } from '../optional-packages.ts';

/** Longest time the event loop waits for a lock of the database. */
export const BUSY_TIMEOUT_MS = 50;

export type SqliteConnection = BetterSqlite3.Database;

export type Preparing = { readonly prepare: (sql: string) => BetterSqlite3.Statement };

/** What installs it, in a clone and in a project. */
const commandFor = (name: string): string => {
  if (!import.meta.dirname.split(sep).includes('node_modules')) return 'npm ci';
  return name === NODE_20_DRIVER.name
    ? `npm install ${name}@${NODE_20_DRIVER.spec}`
    : 'npm install --ignore-scripts';
};

/** The name of its package. */
export const driverFor = (nodeVersion: string): string =>
  Number(nodeVersion.split('.')[0]) < 22 ? NODE_20_DRIVER.name : 'better-sqlite3';

/** Loads the driver; throws DATABASE_DRIVER_MISSING when it is not installed. */
export const loadDriver = (nodeVersion = process.versions.node): typeof BetterSqlite3 => {
  const name = driverFor(nodeVersion);
  try {
    return createRequire(import.meta.url)(name) as typeof BetterSqlite3;
  } catch (cause) {
    const sentence = `The SQLite driver "${name}" for Node.js ${nodeVersion} cannot be loaded.`;
    const hint = `With the Node.js that starts Prepress, run "${commandFor(name)}".`;
    throw new PrepressError('DATABASE_DRIVER_MISSING', sentence, { cause, hint });
  }
};
