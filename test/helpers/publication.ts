// A fresh publishing database for a test, and short ways to put rows into it through plain SQL, as any
// other program would.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
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
