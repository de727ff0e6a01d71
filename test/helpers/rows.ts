// Puts rows into a database through plain SQL, as any other program would; it loads nothing of the store.
import { createId } from '../../src/base/ids.ts';
import type { SqliteConnection } from '../../src/base/sqlite/driver.ts';

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
