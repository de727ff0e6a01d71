// Which table each page of a SQLite file belonged to when it was last asked for, and so which tables a changed page
// changes. Tables that were never asked for, and pages of indexes, are not followed.
import type { SqliteConnection } from '../../../base/sqlite/driver.ts';

export type PageOwners = {
  /** Before pages are changed: their size, and how many bytes of file they may be in. */
  readonly setPages: (pageBytes: number, fileBytes: number) => void;
  /** The page with this number, counted from zero, is another one now, or gone. */
  readonly change: (page: number) => void;
  /** After pages were changed: roots of tables may have moved. */
  readonly checkSchema: () => void;
  readonly tableVersions: (tables: readonly string[]) => ReadonlyMap<string, string>;
};

export const createPageOwners = (connection: SqliteConnection): PageOwners => {
  /** Numbers of tables, one more than their place in `names`; zero is nobody's. */
  let owners = new Uint16Array(0);
  let pageBytes = 0;
  let schema = '';
  let made = 0;
  const names: string[] = [];
  const versions = new Map<string, string>();

  const forgetAll = (): void => {
    owners.fill(0);
    versions.clear();
  };

  const find = (table: string): string => {
    if (!names.includes(table)) names.push(table);
    const owner = names.indexOf(table) + 1;
    for (let page = owners.indexOf(owner); page >= 0; page = owners.indexOf(owner, page + 1)) {
      owners[page] = 0;
    }
    const pages = connection.prepare('SELECT pageno FROM dbstat WHERE name = ?').pluck();
    for (const page of pages.iterate(table) as Iterable<number>) owners[page - 1] = owner;
    made += 1;
    return String(made);
  };

  return {
    setPages: (bytes, fileBytes) => {
      if (bytes !== pageBytes) forgetAll();
      pageBytes = bytes;
      const count = Math.ceil(fileBytes / bytes);
      if (count <= owners.length) return;
      const longer = new Uint16Array(count);
      longer.set(owners);
      owners = longer;
    },
    change: (page) => {
      const owner = owners[page] ?? 0;
      if (owner > 0) versions.delete(names[owner - 1] ?? '');
    },
    checkSchema: () => {
      const rows = connection.prepare(
        'SELECT name, rootpage, sql FROM sqlite_schema ORDER BY rowid',
      );
      const now = JSON.stringify(rows.all());
      if (now !== schema) forgetAll();
      schema = now;
    },
    tableVersions: (tables) => {
      for (const table of tables) if (!versions.has(table)) versions.set(table, find(table));
      return new Map(tables.map((table) => [table, versions.get(table) ?? '']));
    },
  };
};
