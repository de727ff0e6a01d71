// The tables of a publication, asked of a SQLite database that our migrations made: so PostgreSQL's schema, its log and the
// read model follow from one text of migrations.
import { loadDriver, type SqliteConnection } from '../../../base/sqlite/driver.ts';
import { trimEndOf } from '../../../base/text/trim-of.ts';
import { PUBLICATION_MIGRATIONS } from '../sqlite/migrations.ts';

export type ColumnShape = {
  readonly name: string;
  readonly type: 'TEXT' | 'INTEGER' | 'BLOB';
  readonly isRequired: boolean;
  /** As SQL. */
  readonly ifAbsent: string | null;
  /** What follows CHECK, in parentheses; SQLite's own functions stand for themselves. */
  readonly check: string | null;
};

type Reference = {
  readonly column: string;
  readonly table: string;
  readonly target: string;
  readonly onDelete: string;
};

export type TableShape = {
  readonly name: string;
  readonly columns: readonly ColumnShape[];
  readonly key: readonly ColumnShape[];
  readonly unique: readonly { readonly columns: readonly string[]; readonly folds: boolean }[];
  readonly references: readonly Reference[];
  /** A file keeps the order in which its rows were made, which some lists are in. */
  readonly isOrdered: boolean;
};

/** PostgreSQL has a log of its own, and tells actions in another way. */
const LOCAL = new Set(['changes', 'log_state', 'action_scope', 'migrations']);

/** What a server that only reads has: what documents and queries are made of, and the keys that readers send. */
const READ = new Set(
  'users newsletters posts posts_meta tags posts_tags posts_authors posts_tiers settings tiers benefits tiers_benefits due_posts following followed_rows api_keys media'.split(
    ' ',
  ),
);

export const shownToReaders = ({ name }: TableShape): boolean => READ.has(name);

/** Tables after the migrations up to a number, those that others refer to first. */
export const listTables = (number = Number.POSITIVE_INFINITY): readonly TableShape[] => {
  const connection = new (loadDriver())(':memory:');
  try {
    for (const migration of PUBLICATION_MIGRATIONS)
      if (migration.number <= number) connection.exec(migration.sql);
    return readTables(connection);
  } finally {
    connection.close();
  }
};

export const quote = (name: string): string => `"${name}"`;

export const namesOf = (columns: readonly ColumnShape[]): string =>
  columns.map(({ name }) => quote(name)).join(', ');

type Named = { readonly name: string };

const readTables = (connection: SqliteConnection): TableShape[] => {
  const rows = connection
    .prepare(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'",
    )
    .all() as { name: string; sql: string }[];
  const tables = rows
    .filter(({ name }) => !LOCAL.has(name))
    .map(({ name, sql }) => readTable(connection, name, sql));
  const sorted = new Set<TableShape>();
  const visit = (table: TableShape): void => {
    for (const { table: target } of table.references) {
      const found = tables.find(({ name }) => name === target);
      if (found !== undefined && found !== table) visit(found);
    }
    sorted.add(table);
  };
  for (const table of tables) visit(table);
  return [...sorted];
};

const readTable = (connection: SqliteConnection, name: string, sql: string): TableShape => {
  const info = connection.pragma(`table_info("${name}")`) as {
    name: string;
    type: ColumnShape['type'];
    notnull: number;
    dflt_value: string | null;
    pk: number;
  }[];
  const columns = info.map((column) => ({
    name: column.name,
    type: column.type,
    isRequired: column.notnull === 1 || column.pk > 0,
    ifAbsent: column.dflt_value,
    check: findCheck(sql, column.name),
    pk: column.pk,
  }));
  const indexes = connection.pragma(`index_list("${name}")`) as {
    name: string;
    unique: number;
    origin: string;
    partial: number;
  }[];
  const foreign = connection.pragma(`foreign_key_list("${name}")`) as {
    from: string;
    table: string;
    to: string;
    on_delete: string;
  }[];
  const key = columns.filter(({ pk }) => pk > 0).sort((one, other) => one.pk - other.pk);
  return {
    name,
    columns,
    key,
    isOrdered: !sql.includes('WITHOUT ROWID') && key.some(({ type }) => type !== 'INTEGER'),
    unique: indexes
      .filter(({ unique, origin, partial }) => unique === 1 && origin !== 'pk' && partial === 0)
      .map((index) => readUnique(connection, index)),
    references: foreign.map(({ from, table, to, on_delete }) => ({
      ...{ column: from, table, target: to, onDelete: on_delete },
    })),
  };
};

const readUnique = (connection: SqliteConnection, { name }: Named) => {
  const parts = connection.pragma(`index_xinfo("${name}")`) as {
    name: string;
    coll: string;
    key: number;
  }[];
  const keyed = parts.filter(({ key }) => key === 1);
  return {
    columns: keyed.map((part) => part.name),
    folds: keyed.some(({ coll }) => coll === 'NOCASE'),
  };
};

/** A column and its check stand on one line of a migration. */
const findCheck = (sql: string, column: string): string | null => {
  const line = sql.split('\n').find((text) => text.trim().split(' ')[0] === column) ?? '';
  const at = line.indexOf('CHECK ');
  return at < 0 ? null : trimEndOf(line.slice(at + 'CHECK '.length), ',');
};
