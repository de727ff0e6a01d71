// The table of columns is the schema's, and nobody's memory: every column, unique set and reference of the
// tables that are logged.
import { expect, test } from 'vitest';
import { type Column, RECORD_COLUMNS } from '../../../../src/publication/tables/record-columns.ts';
import {
  columnsWhere,
  keyColumn,
  type LoggedName,
  RECORD_TABLES,
  type RecordTable,
  type TableFacts,
} from '../../../../src/publication/tables/record-tables.ts';
import { createPublication } from '../../../helpers/publication.ts';

const TABLES = Object.entries(RECORD_TABLES) as [LoggedName, TableFacts][];

type SchemaColumn = { name: string; type: string; notnull: 0 | 1; dflt_value: string | null };

const isSchemaType = ({ type, notnull, dflt_value }: SchemaColumn, declared: Column['type']) => {
  if (declared.startsWith('time')) return type === 'TEXT' && (notnull === 0) === isNull(declared);
  const isNumber = declared.startsWith('number');
  if (isNumber === (type === 'TEXT') || isNull(declared) !== (notnull === 0)) return false;
  return declared.endsWith('ByDefault') === (notnull === 1 && dflt_value !== null);
};

const isNull = (type: Column['type']): boolean => type.endsWith('OrNull');

test('every column of the schema stands in the table with its type, and no other', async () => {
  const { shell } = await createPublication();
  for (const [table] of TABLES) {
    const columns = shell.prepare('SELECT * FROM pragma_table_info(?)').all(table);
    const declared: Readonly<Record<string, Column>> = RECORD_COLUMNS[table];
    const names = (columns as SchemaColumn[]).map(({ name }) => name);
    expect(Object.keys(declared).sort(), table).toEqual(names.sort());
    const other = (columns as SchemaColumn[])
      .filter((column) => !isSchemaType(column, (declared[column.name] as Column).type))
      .map(({ name, type, notnull, dflt_value }) => [table, name, type, notnull, dflt_value]);
    expect(other).toEqual([]);
  }
});

test('unique sets and references are those of the schema', async () => {
  const { shell } = await createPublication();
  for (const [table, { unique = [], record, owner, other, target }] of TABLES) {
    const indexes = shell
      .prepare(`SELECT name FROM pragma_index_list(?) WHERE "unique" AND origin <> 'pk'`)
      .pluck()
      .all(table);
    const sets = indexes.map((index) =>
      shell.prepare('SELECT name FROM pragma_index_info(?)').pluck().all(index).sort().join(),
    );
    expect(unique.map((columns) => [...columns].sort().join()).sort(), table).toEqual(sets.sort());
    const references = shell
      .prepare('SELECT "from", "table" FROM pragma_foreign_key_list(?)')
      .raw()
      .all(table) as [string, string][];
    if (owner !== undefined) expect(references, table).toContainEqual([record, owner]);
    if (target !== undefined) expect(references, table).toContainEqual([other, target]);
  }
});

test('whatever is read is logged, and what is logged in part is text', async () => {
  const { shell } = await createPublication();
  for (const [table] of TABLES) {
    const unlogged = columnsWhere(table, ({ reads, logs }) => reads !== null && logs === null);
    expect(unlogged, table).toEqual([]);
    for (const column of columnsWhere(table, ({ logs }) => logs === 'changes')) {
      const type = shell
        .prepare('SELECT type FROM pragma_table_info(?) WHERE name = ?')
        .pluck()
        .get(table, column);
      expect(type, `${table}.${column}`).toBe('TEXT');
    }
  }
});

test.each(['tiers', 'customers', 'subscriptions', 'posts', 'posts_tags', 'members_tiers'] as const)(
  'rows of %s are asked for by a column that it has',
  async (table: RecordTable) => {
    const { shell, store } = await createPublication();
    const columns = shell.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(table);
    expect(columns).toContain(keyColumn(table));
    const snapshot = store.snapshot();
    expect(snapshot.rows(table, ['none'])).toEqual([]);
    snapshot.close();
  },
);
