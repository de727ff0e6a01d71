// A fresh publishing database for a test, and short ways to put rows into it through plain SQL, as any
// other program would.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { createId } from '../../src/base/ids.ts';
import { loadDriver, type SqliteConnection } from '../../src/base/sqlite/driver.ts';
import { openStore } from '../../src/publication/store/open-store.ts';
import type { Store } from '../../src/publication/store/store.ts';
import { insertRow } from './rows.ts';
import { temporaryFolder } from './temporary-folder.ts';

export { insertRow, uuidOf } from './rows.ts';

export type Publication = {
  readonly folder: string;
  readonly path: string;
  readonly store: Store;
  /** A connection like the sqlite3 shell's: no pragmas, any statement. */
  readonly shell: SqliteConnection;
  readonly insert: (table: string, row: Readonly<Record<string, unknown>>) => string;
};

type Opened = Publication & { readonly close: () => Promise<void> };

/** Opens a publication in `folder`, in PostgreSQL where the run asks for that; the caller closes it. */
export const openPublication = async (folder: string): Promise<Opened> => {
  const opened = await open(folder);
  return { ...opened, folder, insert: (table, row) => insertRow(opened.shell, table, row) };
};

const open = async (folder: string): Promise<Omit<Opened, 'folder' | 'insert'>> => {
  const postgres = inject('postgres');
  if (postgres !== undefined)
    return (await import('../postgres/open-on-postgres.ts')).openOnPostgres(folder, postgres);
  const path = join(folder, 'publication.db');
  const store = await openStore(path, { create: true });
  const shell = new (loadDriver())(path);
  return {
    path,
    store,
    shell,
    close: async () => {
      shell.close();
      await store.close();
    },
  };
};

export const isOnPostgres = inject('postgres') !== undefined;

/** SQLite keeps anything in a column of numbers, PostgreSQL whole numbers alone. */
export const isKept = (value: unknown): boolean => !isOnPostgres || Number.isInteger(value);

/** A publication that is closed, unless that was done before, and removed when the test ends. */
export const createPublication = async (): Promise<Opened> => {
  const folder = temporaryFolder();
  if (!isOnPostgres) {
    empty ??= await makeEmpty();
    writeFileSync(join(folder, 'publication.db'), empty, { mode: 0o600 });
  }
  const publication = await openPublication(folder);
  let closing: Promise<void> | null = null;
  const close = (): Promise<void> => {
    closing ??= publication.close();
    return closing;
  };
  onTestFinished(close);
  // Each publication has a change log of its own.
  if (!isOnPostgres) publication.shell.prepare('UPDATE log_state SET epoch = ?').run(createId());
  return { ...publication, close };
};

/** The file of a publication without rows: running all migrations for each test takes longer than the test. */
let empty: Buffer | null = null;

const makeEmpty = async (): Promise<Buffer> => {
  const folder = temporaryFolder();
  const { close, path } = await openPublication(folder);
  await close();
  return readFileSync(path);
};
