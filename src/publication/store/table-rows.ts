// What is done with rows of any table alike: find one by its columns, or by its id, insert, update and remove it.
import type { Insertable, Kysely, Selectable, Updateable } from 'kysely';
import type { Tables } from '../tables/tables.ts';
import { db, type Queryable, type Transaction } from './db.ts';

/** Tables whose rows have an id. */
type TableWithId = {
  [T in keyof Tables]: 'id' extends keyof Tables[T] ? T : never;
}[keyof Tables];

/** Any table as one whose columns are not known: whoever uses it says in types which they are. */
type Untyped = Kysely<Record<string, Record<string, unknown>>>;

export const untyped = (from: Queryable): Untyped => db(from) as unknown as Untyped;

type Row<T extends keyof Tables> = Selectable<Tables[T]>;

/** Of a list, any value will do. */
type Values<T extends keyof Tables> = {
  readonly [Name in keyof Row<T>]?: Row<T>[Name] | readonly Row<T>[Name][];
};

/** The rows that have all of these values, in the order of these columns. */
export const listRows = async <T extends keyof Tables & string>(
  from: Queryable,
  table: T,
  { where, by = [] }: { readonly where?: Values<T>; readonly by?: readonly (keyof Row<T>)[] },
): Promise<Row<T>[]> => {
  let query = untyped(from).selectFrom<string>(table).selectAll();
  for (const [column, value] of Object.entries(where ?? {})) {
    if (Array.isArray(value) && value.length === 0) return [];
    const operator = Array.isArray(value) ? 'in' : value === null ? 'is' : '=';
    query = query.where(column, operator, value);
  }
  for (const column of by) query = query.orderBy(String(column));
  return (await query.execute()) as Row<T>[];
};

/** The row that has all of these values. */
export const findRow = async <T extends keyof Tables & string>(
  from: Queryable,
  table: T,
  where: Values<T>,
): Promise<Row<T> | undefined> => (await listRows(from, table, { where }))[0];

export const rowsOf = <T extends TableWithId & string>(table: T) => ({
  find: (from: Queryable, id: string): Promise<Row<T> | undefined> =>
    findRow(from, table, { id } as Values<T>),
  insert: async (tx: Transaction, row: Insertable<Tables[T]>): Promise<void> => {
    const values = row as Record<string, unknown>;
    await untyped(tx).insertInto<string>(table).values(values).execute();
  },
  update: async (tx: Transaction, id: string, changes: Updateable<Tables[T]>): Promise<void> => {
    await untyped(tx).updateTable<string>(table).set(changes).where('id', '=', id).execute();
  },
  /** False when there is none. */
  remove: async (tx: Transaction, id: string): Promise<boolean> => {
    const removal = untyped(tx).deleteFrom<string>(table).where('id', '=', id);
    return (await removal.executeTakeFirst()).numDeletedRows > 0n;
  },
});
