// A copy of the captured site's own database that a test edits as Ghost would, through plain SQL which SQLite and
// MariaDB both read.
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadDriver } from '../../src/store/sqlite/driver.ts';

const CAPTURED = fileURLToPath(
  new URL('../../../shared/fixtures/ghost-small/ghost.sqlite', import.meta.url),
);

export type Value = string | number | null;

export type GhostShell = {
  readonly all: (sql: string, ...values: Value[]) => Promise<Record<string, unknown>[]>;
  /** Runs the statements as one commit. */
  readonly commit: (
    statements: readonly (readonly [sql: string, ...values: Value[]])[],
  ) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Copies the captured database into `folder`; returns its path. */
export const copyGhostDatabase = (folder: string): string => {
  const path = join(folder, 'ghost.db');
  copyFileSync(CAPTURED, path);
  return path;
};

export const openGhostFile = (path: string): GhostShell => {
  const connection = new (loadDriver())(path, { timeout: 10_000 });
  connection.pragma('foreign_keys = OFF');
  return {
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
