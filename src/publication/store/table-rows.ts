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

/** The row that has all of these values. */
export const findRow = async <T extends keyof Tables & string>(
  from: Queryable,
  table: T,
  values: Partial<Selectable<Tables[T]>>,
): Promise<Selectable<Tables[T]> | undefined> => {
  let query = untyped(from).selectFrom<string>(table).selectAll();
  for (const [column, value] of Object.entries(values)) query = query.where(column, '=', value);
  return (await query.executeTakeFirst()) as Selectable<Tables[T]> | undefined;
};

export const rowsOf = <T extends TableWithId & string>(table: T) => ({
  find: (from: Queryable, id: string): Promise<Selectable<Tables[T]> | undefined> =>
    findRow(from, table, { id } as Partial<Selectable<Tables[T]>>),
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
