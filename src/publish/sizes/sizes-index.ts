// The index of sizes (data/sizes/index.db): which record shows which picture, what was made of each original, and what
// stands in the output. It can be lost: the records are read again, and a size that was made is found by its name.
import { join } from 'node:path';
import { makeFolder } from '../../base/files/make-folder.ts';
import { openConnection } from '../../base/sqlite/connection.ts';
import type { SqliteConnection } from '../../base/sqlite/driver.ts';
import { migrate } from '../../base/sqlite/migrate.ts';
import { openOrRemake } from '../../base/sqlite/open-or-remake.ts';
import { cacheStatements } from '../../base/sqlite/statement-cache.ts';
import type { Encoded } from './encode-picture.ts';
import sizes001 from './migrations/sizes_001.sql';
import sizes002 from './migrations/sizes_002.sql';
import sizes003 from './migrations/sizes_003.sql';
import sizes004 from './migrations/sizes_004.sql';

/** A picture by its path, such as images/2026/01/a.png; an empty size stands for the widths of the settings. */
export type Use = { readonly path: string; readonly size: string };

/** A picture that has its original in these sizes, and why. */
export type Fault = { readonly path: string; readonly reason: string; readonly sizes: string };

/** A file as it was seen. */
type Seen = { readonly size: number; readonly mtimeMs: number };

export type SizesIndex = ReturnType<typeof indexOf>;

/** One program makes sizes at a time, or removes files that no row names. */
export const sizesLockOf = (folder: string): string => join(folder, 'lock.db');

export const indexFileOf = (folder: string): string => join(folder, 'index.db');

/** Opens the index in the folder of sizes, making it when it is absent or cannot be used. */
export const openSizesIndex = (folder: string): SizesIndex => {
  makeFolder(folder, { isPrivate: true });
  return openOrRemake(indexFileOf(folder), openFile);
};

const openFile = (path: string): SizesIndex => {
  const connection = openConnection(path);
  try {
    migrate(connection, [
      { number: 1, name: 'sizes', sql: sizes001 },
      { number: 2, name: 'problem', sql: sizes002 },
      { number: 3, name: 'faults', sql: sizes003 },
      { number: 4, name: 'names', sql: sizes004 },
    ]);
    return indexOf(connection);
  } catch (error) {
    connection.close();
    throw error;
  }
};

const indexOf = (connection: SqliteConnection) => {
  const prepare = cacheStatements((sql) => connection.prepare(sql));
  const run =
    (sql: string) =>
    (...values: readonly (string | number)[]): void => {
      prepare(sql).run(...values);
    };
  const texts =
    (sql: string) =>
    (...values: readonly string[]): string[] =>
      prepare(sql)
        .pluck()
        .all(...values) as string[];
  const putUse = connection.prepare('INSERT OR IGNORE INTO uses VALUES (?, ?, ?)');
  const putMade = connection.prepare('INSERT OR REPLACE INTO made VALUES (?, ?, ?, ?)');
  const usesOfRecord = connection.prepare('SELECT path, size FROM uses WHERE record = ?');
  const state = connection.prepare('SELECT asked, root FROM state');
  const original = connection.prepare(
    'SELECT size, mtime_ms AS mtimeMs, hash FROM originals WHERE path = ?',
  );
  const made = connection.prepare('SELECT size, file FROM made WHERE hash = ?');
  const placed = connection.prepare(
    'SELECT address, size, mtime_ms AS mtimeMs FROM placed WHERE path = ?',
  );
  return {
    /** What the uses were found with; empty while they are not all found. */
    asked: () => (state.get() as { asked: string }).asked,
    setAsked: run('UPDATE state SET asked = ?'),
    /** Why no sizes can be made at all; null: they can. */
    setProblem: (problem: string | null): void =>
      run('UPDATE state SET problem = ?')(problem ?? ''),
    /** Forgets what was placed elsewhere than in this content folder. */
    openAt: (root: string): void => {
      if ((state.get() as { root: string }).root === root) return;
      connection.exec("DELETE FROM placed; UPDATE state SET asked = ''");
      run('UPDATE state SET root = ?')(root);
    },
    usesOf: texts('SELECT DISTINCT size FROM uses WHERE path = ? ORDER BY size'),
    /** Every picture that has sizes, or had some. */
    paths: texts('SELECT path FROM uses UNION SELECT path FROM placed'),
    dropUses: run('DELETE FROM uses'),
    /** Replaces the uses of a record, where they differ; returns the pictures that it shows, or showed. */
    setUses: connection.transaction((record: string, uses: readonly Use[]): string[] => {
      const before = usesOfRecord.all(record) as Use[];
      if (spell(before) !== spell(uses)) {
        run('DELETE FROM uses WHERE record = ?')(record);
        for (const { path, size } of uses) putUse.run(record, path, size);
      }
      return [...before, ...uses].map(({ path }) => path);
    }),
    original: (path: string) => original.get(path) as (Seen & { hash: string }) | undefined,
    putOriginal: (path: string, { size, mtimeMs }: Seen, hash: string): void =>
      run('INSERT OR REPLACE INTO originals VALUES (?, ?, ?, ?)')(path, size, mtimeMs, hash),
    /** Files by size; an empty one: the original answers. */
    made: (hash: string): Map<string, string> =>
      new Map(
        (made.all(hash) as { size: string; file: string }[]).map((one) => [one.size, one.file]),
      ),
    putMade: connection.transaction(({ hash, made: files, faults }: Encoded): void => {
      for (const [size, file] of Object.entries(files))
        putMade.run(hash, size, file, faults[size] ?? '');
    }),
    /** Pictures that could not be made in sizes are tried again. */
    forgetFaults: run("DELETE FROM made WHERE fault <> ''"),
    faults: () =>
      connection
        .prepare(
          `SELECT path, fault AS reason, CASE count(*)
               WHEN (SELECT count(*) FROM made AS every WHERE every.hash = made.hash) THEN 'all sizes'
               ELSE group_concat(made.size, ', ') END AS sizes
             FROM made JOIN originals USING (hash)
             WHERE fault <> '' GROUP BY path, fault ORDER BY path`,
        )
        .all() as Fault[],
    placedOf: (path: string): Map<string, Seen> =>
      new Map(
        (placed.all(path) as (Seen & { address: string })[]).map((one) => [one.address, one]),
      ),
    /** All in this content folder. */
    placedIn: (folder: string) =>
      connection
        .prepare(
          'SELECT address, size, mtime_ms AS mtimeMs FROM placed, state WHERE root = ? ORDER BY address',
        )
        .all(folder) as (Seen & { address: string })[],
    putPlaced: (address: string, path: string, { size, mtimeMs }: Seen): void =>
      run('INSERT OR REPLACE INTO placed VALUES (?, ?, ?, ?)')(address, path, size, mtimeMs),
    removePlaced: run('DELETE FROM placed WHERE address = ?'),
    wait: run('INSERT OR IGNORE INTO waiting VALUES (?)'),
    unwait: run('DELETE FROM waiting WHERE path = ?'),
    waiting: texts('SELECT path FROM waiting ORDER BY path'),
    totals: () =>
      connection
        .prepare(
          `SELECT (SELECT count(*) FROM made WHERE file <> '') AS made,
             (SELECT count(*) FROM placed) AS files, (SELECT count(*) FROM waiting) AS waiting,
             nullif(problem, '') AS problem FROM state`,
        )
        .get() as { made: number; files: number; waiting: number; problem: string | null },
    isFileNeeded: (file: string): boolean =>
      connection.prepare('SELECT 1 FROM made WHERE file = ?').get(file) !== undefined,
    /** Forgets originals that no record shows, and sizes that none is asked for in; returns files of theirs. */
    forgetUnused: connection.transaction((isAsked: (hash: string, size: string) => boolean) => {
      connection.exec('DELETE FROM originals WHERE path NOT IN (SELECT path FROM uses)');
      const rows = connection.prepare('SELECT hash, size, file FROM made').all() as {
        hash: string;
        size: string;
        file: string;
      }[];
      const unused = rows.filter(({ hash, size }) => !isAsked(hash, size));
      for (const { hash, size } of unused)
        run('DELETE FROM made WHERE hash = ? AND size = ?')(hash, size);
      return unused.map(({ file }) => file).filter((file) => file !== '');
    }),
    pathsOf: texts('SELECT path FROM originals WHERE hash = ?'),
    inOne: <T>(work: () => T): T => connection.transaction(work)(),
    close: (): void => {
      connection.close();
    },
  };
};

/** In one order, each once. */
const spell = (uses: readonly Use[]): string =>
  JSON.stringify([...new Set(uses.map(({ path, size }) => `${path} ${size}`))].sort());
