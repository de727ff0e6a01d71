// Manifest over SQLite (data/build.db). `begin` commits "not whole" before anything is written, then one
// transaction holds all that is put until `commit` says "whole" again: a crash between them is seen as a
// broken-off build. A file that is damaged, or another Prepress's, is given up and made again.
import { rmSync } from 'node:fs';
import { PrepressError } from '../../../base/errors.ts';
import { openConnection } from '../../../base/sqlite/connection.ts';
import { isUnfit } from '../../../base/sqlite/database-fault.ts';
import type { SqliteConnection } from '../../../base/sqlite/driver.ts';
import { findIdentity } from '../../../base/sqlite/file-identity.ts';
import { type Migration, migrate } from '../../../base/sqlite/migrate.ts';
import type { Manifest, ManifestOptions } from '../manifest.ts';
import { checkRecords, manifestRows } from './manifest-rows.ts';
import build001 from './migrations/build_001.sql';
import build002 from './migrations/build_002.sql';
import build003 from './migrations/build_003.sql';
import build004 from './migrations/build_004.sql';
import build005 from './migrations/build_005.sql';
import build006 from './migrations/build_006.sql';
import build007 from './migrations/build_007.sql';

const MIGRATIONS: readonly Migration[] = [
  { number: 1, name: 'build', sql: build001 },
  { number: 2, name: 'checks', sql: build002 },
  { number: 3, name: 'other_names', sql: build003 },
  { number: 4, name: 'packed_tree', sql: build004 },
  { number: 5, name: 'asked_queries', sql: build005 },
  { number: 6, name: 'row_sums', sql: build006 },
  { number: 7, name: 'no_asked_queries', sql: build007 },
];

/** A first build writes all of the file: larger pages take fewer calls. */
const PAGE_BYTES = 16_384;

/** See `openManifest` in the port. */
export const openSqliteManifest = (path: string, { onRemade }: ManifestOptions): Manifest => {
  const remake = (reason: string): OpenManifest => {
    for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
    onRemade?.(path, reason);
    return openFile(path);
  };
  let open: OpenManifest;
  try {
    open = openFile(path);
  } catch (error) {
    if (!isUnfit(error) && !isForeign(error)) throw error;
    open = remake((error as Error).message);
  }
  const manifest: Manifest = {
    ...delegate(() => open.rows),
    reopenIfReplaced: () => {
      if (findIdentity(path) === open.identity) return false;
      open.rows.close();
      open = openFile(path);
      return true;
    },
    remakeIfDamaged: () => {
      const fault = open.findFault();
      if (fault === null) return false;
      open.rows.close();
      open = remake(fault);
      return true;
    },
  };
  return manifest;
};

/** Made by another Prepress; it can be made again by this one. */
const isForeign = (error: unknown): boolean =>
  error instanceof PrepressError &&
  (error.code === 'DATABASE_TOO_NEW' || error.code === 'MIGRATION_CHANGED');

type Rows = Omit<Manifest, 'reopenIfReplaced' | 'remakeIfDamaged'>;

type OpenManifest = {
  readonly rows: Rows;
  readonly identity: string | null;
  /** Null when SQLite finds the file whole, and the records are as they were written. */
  readonly findFault: () => string | null;
};

const openFile = (path: string): OpenManifest => {
  const connection = openConnection(path, { cacheKb: 8_000, pageBytes: PAGE_BYTES });
  try {
    migrate(connection, MIGRATIONS);
    const rows = manifestRows(connection);
    const identity = findIdentity(path);
    return {
      rows: {
        ...rows,
        version: () => `${identity} ${rows.version()}`,
        close: () => connection.close(),
      },
      identity,
      findFault: () => findFault(connection),
    };
  } catch (error) {
    connection.close();
    throw error;
  }
};

const findFault = (connection: SqliteConnection): string | null => {
  try {
    const result = connection.pragma('integrity_check(1)', { simple: true }) as string;
    if (result !== 'ok') return result;
    checkRecords(connection);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
};

/** The same functions, each of the file that is open when it is called. */
const delegate = (current: () => Rows): Rows =>
  Object.fromEntries(
    Object.keys(current()).map((name) => [
      name,
      (...given: never[]) => (current()[name as keyof Rows] as Call)(...given),
    ]),
  ) as Rows;

type Call = (...given: never[]) => unknown;
