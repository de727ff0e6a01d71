// What is done with rows of any table alike: find one by its columns, insert, update and delete.
import type { Insertable, Kysely, Selectable, Updateable } from 'kysely';
import type { Tables } from '../tables/tables.ts';
import { db, type Queryable, type Transaction } from './db.ts';

/** Tables whose rows have an id. */
type TableWithId = {
  [T in keyof Tables]: 'id' extends keyof Tables[T] ? T : never;
}[keyof Tables];

/** Any table as one whose columns are not known: which they are, the functions below say in their types. */
type Untyped = Kysely<Record<string, Record<string, unknown>>>;

const untyped = (from: Queryable): Untyped => db(from) as unknown as Untyped;

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

export const insertRow = async <T extends keyof Tables & string>(
  tx: Transaction,
  table: T,
  row: Insertable<Tables[T]>,
): Promise<void> => {
  await untyped(tx)
    .insertInto(table)
    .values(row as Record<string, unknown>)
    .execute();
};

export const updateRow = async <T extends TableWithId & string>(
  tx: Transaction,
  table: T,
  { id, ...changes }: Updateable<Tables[T]> & { readonly id: string },
): Promise<void> => {
  await untyped(tx).updateTable<string>(table).set(changes).where('id', '=', id).execute();
};

/** False when no row has these values. */
export const deleteRow = async <T extends keyof Tables & string>(
  tx: Transaction,
  table: T,
  values: Partial<Selectable<Tables[T]>>,
): Promise<boolean> => {
  let query = untyped(tx).deleteFrom<string>(table);
  for (const [column, value] of Object.entries(values)) query = query.where(column, '=', value);
  return (await query.executeTakeFirst()).numDeletedRows > 0n;
};
