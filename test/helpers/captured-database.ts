// Copies the rows of the captured site's own database into a publication: every table that an import
// knows, by its renames, every column that both sides have, values as they are.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { GHOST_TABLES } from '../../src/importers/ghost-tables.ts';
import { loadDriver, type SqliteConnection } from '../../src/store/sqlite/driver.ts';

const CAPTURED_DATABASE = fileURLToPath(
  new URL('../../../shared/fixtures/ghost-small/ghost.sqlite', import.meta.url),
);

export const isCapturedDatabaseThere = existsSync(CAPTURED_DATABASE);

const columnsOf = (connection: SqliteConnection, table: string): string[] =>
  (connection.prepare(`PRAGMA table_info("${table}")`).all() as { name: string }[]).map(
    ({ name }) => name,
  );

export const copyCapturedDatabase = (into: SqliteConnection): void => {
  const from = new (loadDriver())(CAPTURED_DATABASE, { readonly: true });
  into.pragma('foreign_keys = OFF');
  into.transaction(() => {
    for (const { from: source, into: table, renames = {} } of GHOST_TABLES) {
      const theirs = columnsOf(from, source);
      const ours = new Set(columnsOf(into, table));
      const pairs = theirs
        .map((column) => ({ column, own: renames[column] ?? column }))
        .filter(({ own }) => ours.has(own));
      const insert = into.prepare(
        `INSERT OR REPLACE INTO "${table}" (${pairs.map(({ own }) => `"${own}"`).join(', ')})
         VALUES (${pairs.map(() => '?').join(', ')})`,
      );
      // As integers: a number of this language would come out as text with a fraction.
      const rows = from.prepare(`SELECT * FROM "${source}"`).safeIntegers().all() as Record<
        string,
        unknown
      >[];
      for (const row of rows) insert.run(pairs.map(({ column }) => row[column]));
    }
    copyRoles(from, into);
  })();
  into.pragma('foreign_keys = ON');
  from.close();
};

const copyRoles = (from: SqliteConnection, into: SqliteConnection): void => {
  const roles = from
    .prepare('SELECT l.user_id, r.name FROM roles_users l JOIN roles r ON r.id = l.role_id')
    .all() as { user_id: string; name: string }[];
  const update = into.prepare('UPDATE users SET role = ? WHERE id = ?');
  for (const { user_id, name } of roles) update.run(name, user_id);
};
