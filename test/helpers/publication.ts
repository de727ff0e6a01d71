// A fresh publishing database for a test, and short ways to put rows into it through plain SQL, as any
// other program would.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { createId } from '../../src/base/ids.ts';
import { loadDriver, type SqliteConnection } from '../../src/base/sqlite/driver.ts';
import { openStore } from '../../src/publication/store/open-store.ts';
import type { Store } from '../../src/publication/store/store.ts';
import { insertRow } from './rows.ts';
import { openFolder, temporaryFolder, temporaryParent } from './temporary-folder.ts';

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
  const isPlaced = !isOnPostgres && (await placeEmpty(join(folder, 'publication.db')));
  const opened = await open(folder);
  // Each publication has a change log of its own.
  if (isPlaced) opened.shell.prepare('UPDATE log_state SET epoch = ?').run(createId());
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
  const publication = await openPublication(temporaryFolder());
  let closing: Promise<void> | null = null;
  const close = (): Promise<void> => {
    closing ??= publication.close();
    return closing;
  };
  onTestFinished(close);
  return { ...publication, close };
};

/** The file of a publication without rows: running all migrations for each test takes longer than the test. */
let empty: Buffer | null = null;

const makeEmpty = async (): Promise<Buffer> => {
  const folder = openFolder(temporaryParent());
  const { close, path } = await open(folder);
  await close();
  const file = readFileSync(path);
  rmSync(folder, { recursive: true });
  return file;
};

/** False where a publication stands already. */
const placeEmpty = async (path: string): Promise<boolean> => {
  if (existsSync(path)) return false;
  empty ??= await makeEmpty();
  writeFileSync(path, empty, { mode: 0o600 });
  return true;
};
