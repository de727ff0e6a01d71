// A fresh publishing database for a test, and short ways to put rows into it through plain SQL, as any
// other program would.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createId } from '../../src/base/ids.ts';
import { loadDriver, type SqliteConnection } from '../../src/sqlite/driver.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { temporaryFolder } from './temporary-folder.ts';

export type Publication = {
  readonly folder: string;
  readonly path: string;
  readonly store: Store;
  /** A connection like the sqlite3 shell's: no pragmas, any statement. */
  readonly shell: SqliteConnection;
  readonly insert: (table: string, row: Readonly<Record<string, unknown>>) => string;
};

/** Opens a publication in `folder`; the caller closes it. */
export const openPublication = async (
  folder: string,
): Promise<Publication & { readonly close: () => Promise<void> }> => {
  const path = join(folder, 'publication.db');
  const store = await openStore(path, { create: true });
  const shell = new (loadDriver())(path);
  return {
    folder,
    path,
    store,
    shell,
    insert: (table, row) => insertRow(shell, table, row),
    close: async () => {
      shell.close();
      await store.close();
    },
  };
};

/** A publication that is closed and removed when the test ends. */
export const createPublication = async (): Promise<Publication> => {
  const folder = temporaryFolder();
  empty ??= await makeEmpty();
  writeFileSync(join(folder, 'publication.db'), empty, { mode: 0o600 });
  const publication = await openPublication(folder);
  // Each publication has a change log of its own.
  publication.shell.prepare('UPDATE log_state SET epoch = ?').run(createId());
  onTestFinished(publication.close);
  return publication;
};

/** The file of a publication without rows: running all migrations for each test takes longer than the test. */
let empty: Buffer | null = null;

const makeEmpty = async (): Promise<Buffer> => {
  const folder = temporaryFolder();
  const { close, path } = await openPublication(folder);
  await close();
  return readFileSync(path);
};

const NOW = '2026-01-01T10:00:00.000Z';

/** Columns that a row needs beside the ones a test cares for. */
const DEFAULTS: Readonly<Record<string, (id: string) => Record<string, unknown>>> = {
  posts: (id) => ({ uuid: uuidOf(id), title: `Title ${id}`, slug: `slug-${id}`, created_at: NOW }),
  tags: (id) => ({ name: `Tag ${id}`, slug: `tag-${id}`, created_at: NOW }),
  users: (id) => ({
    name: `Author ${id}`,
    slug: `author-${id}`,
    email: `${id}@example.com`,
    created_at: NOW,
  }),
  settings: () => ({ created_at: NOW }),
  members: (id) => ({ uuid: uuidOf(id), email: `${id}@example.com`, created_at: NOW }),
};

export const uuidOf = (id: string): string =>
  `${id.slice(0, 8)}-${id.slice(8, 12)}-4${id.slice(13, 16)}-8${id.slice(17, 20)}-${id.slice(12)}`;

export const insertRow = (
  shell: SqliteConnection,
  table: string,
  row: Readonly<Record<string, unknown>>,
): string => {
  const id = typeof row.id === 'string' ? row.id : createId();
  const full: Record<string, unknown> = { id, ...DEFAULTS[table]?.(id), ...row };
  const columns = Object.keys(full);
  shell
    .prepare(
      `INSERT INTO ${table} (${columns.map((column) => `"${column}"`).join(', ')})
       VALUES (${columns.map(() => '?').join(', ')})`,
    )
    .run(columns.map((column) => full[column]));
  return id;
};
