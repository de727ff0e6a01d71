// Rows of any publication table by name, for importers: what the columns are, which rows stand in the
// way, and writes that touch only what differs. The caller names tables and columns from facts of the
// program, never from the imported file.
import { sql } from 'kysely';
import type { Tables } from '../../tables/tables.ts';
import { db, type Queryable, type Transaction } from '../db.ts';
import { untyped } from '../table-rows.ts';

export type TableName = keyof Tables;
export type Value = string | number | null;
export type Row = Readonly<Record<string, Value>>;

export type Column = {
  readonly name: string;
  readonly kind: 'text' | 'integer';
  readonly nullable: boolean;
  /** The database fills it in when a row leaves it out. */
  readonly hasDefault: boolean;
};

/** The columns of every table, as the database declares them. */
export const describeTables = async (
  from: Queryable,
): Promise<ReadonlyMap<string, readonly Column[]>> => {
  const tables = await db(from).introspection.getTables();
  return new Map(
    tables.map((table) => [
      table.name,
      table.columns.map(({ name, dataType, isNullable, hasDefaultValue }) => ({
        name,
        kind: dataType.toUpperCase() === 'TEXT' ? ('text' as const) : ('integer' as const),
        nullable: isNullable,
        hasDefault: hasDefaultValue,
      })),
    ]),
  );
};

type Search = {
  readonly table: TableName;
  /** Columns to read; all when left out. */
  readonly columns?: readonly string[];
  /** Absent: all rows. */
  readonly by?: string;
  /** Keep it to a few hundred. */
  readonly values?: readonly Value[];
};

export const findRows = async (
  from: Queryable,
  { table, columns, by, values = [] }: Search,
): Promise<Row[]> => {
  if (by !== undefined && values.length === 0) return [];
  const rows = untyped(from).selectFrom<string>(table);
  const read = columns === undefined ? rows.selectAll() : rows.select(columns);
  return (await (by === undefined ? read : read.where(by, 'in', values)).execute()) as Row[];
};

type Page = Required<Pick<Search, 'table' | 'columns'>> & {
  readonly after: string;
  readonly limit: number;
};

/** In the order of ids. */
export const listRowsAfter = async (
  from: Queryable,
  { table, columns, after, limit }: Page,
): Promise<Row[]> => {
  const rows = untyped(from).selectFrom<string>(table).select(columns).where('id', '>', after);
  return (await rows.orderBy('id').limit(limit).execute()) as Row[];
};

/** Lets rows refer to rows that come later in the same transaction; the commit checks them all. */
export const deferReferences = async (tx: Transaction): Promise<void> => {
  await sql`pragma defer_foreign_keys = on`.execute(db(tx));
};

export const insertRows = async (
  tx: Transaction,
  table: TableName,
  rows: readonly Row[],
): Promise<void> => {
  for (const alike of groupByColumns(rows)) {
    await untyped(tx).insertInto<string>(table).values(alike).execute();
  }
};

const groupByColumns = (rows: readonly Row[]): Row[][] => {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const columns = Object.keys(row).join();
    const group = groups.get(columns);
    if (group === undefined) groups.set(columns, [row]);
    else group.push(row);
  }
  return [...groups.values()];
};

type Update = { readonly table: TableName; readonly id: string; readonly values: Row };

export const updateRow = async (tx: Transaction, { table, id, values }: Update): Promise<void> => {
  await untyped(tx).updateTable<string>(table).set(values).where('id', '=', id).execute();
};

export const deleteRows = async (
  tx: Transaction,
  table: TableName,
  ids: readonly string[],
): Promise<void> => {
  if (ids.length === 0) return;
  await untyped(tx).deleteFrom<string>(table).where('id', 'in', ids).execute();
};
