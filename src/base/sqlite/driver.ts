// Picks the SQLite driver. The newest better-sqlite3 ships compiled and runs on Node.js 22 and newer; npm leaves it out on
// Node.js 20, which takes an older one under a name of its own: compiled in a clone, added by hand in a project.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, sep } from 'node:path';
import type BetterSqlite3 from 'better-sqlite3';
import { codeOf } from '../error-code.ts';
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

/** Loads the driver; throws DATABASE_DRIVER_MISSING when it is not installed, or Node.js does not load it. */
export const loadDriver = (nodeVersion = process.versions.node): typeof BetterSqlite3 => {
  const name = driverFor(nodeVersion);
  try {
    const load = createRequire(import.meta.url);
    const Driver = load(findPackage(load, name)) as typeof BetterSqlite3;
    // Only the first database loads what is compiled.
    new Driver(':memory:').close();
    return Driver;
  } catch (cause) {
    const [why, hint] = isOfOptions(cause)
      ? [' with these options of Node.js', OPTIONS_HINT]
      : ['', `With the Node.js that starts Prepress, run "${commandFor(name)}".`];
    const sentence = `The SQLite driver "${name}" for Node.js ${nodeVersion} cannot be loaded${why}.`;
    throw new PrepressError('DATABASE_DRIVER_MISSING', sentence, { cause, hint });
  }
};

/** In a clone, `npm install` of any package takes away the link to the one that scripts/install-driver.js installed. */
const findPackage = (load: NodeJS.Require, name: string): string => {
  try {
    return load.resolve(name);
  } catch (error) {
    const home = name === NODE_20_DRIVER.name ? 'node-20' : 'node-22';
    const found = ['..', '../../..']
      .map((up) => join(import.meta.dirname, up, 'drivers', home, 'node_modules/better-sqlite3'))
      .find((path) => existsSync(path));
    if (found === undefined) throw error;
    return found;
  }
};

/** With frozen intrinsics, the driver fails at its own code. */
const isOfOptions = (cause: unknown): boolean =>
  codeOf(cause) === 'ERR_DLOPEN_DISABLED' || cause instanceof TypeError;

const OPTIONS_HINT =
  'Leave --no-addons and --frozen-intrinsics out of its command line and of NODE_OPTIONS. With --permission, add --allow-addons.';
