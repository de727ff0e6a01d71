// Rows of pictures and other files that a bucket keeps. Each row that is written gets the next number, so whoever has seen
// one reads on from there.
import type { Selectable } from 'kysely';
import type { MediaTable } from '../../tables/pipeline.ts';
import { db, type Queryable, type Transaction } from '../db.ts';

export type MediaFile = Selectable<MediaTable>;

/** From a number on, in their order. */
export const listMediaFiles = (from: Queryable, number = 0): Promise<MediaFile[]> =>
  db(from)
    .selectFrom('media')
    .selectAll()
    .where('number', '>=', number)
    .orderBy('number')
    .execute();

type Given = Omit<MediaFile, 'number'> & {
  /** The row of that path gives way. */
  readonly replaces?: boolean;
};

/** False when another file has that path. */
export const saveMediaFile = async (
  tx: Transaction,
  { replaces = false, ...file }: Given,
): Promise<boolean> => {
  const newest = await db(tx)
    .selectFrom('media')
    .select(({ fn }) => fn.max('number').as('number'))
    .executeTakeFirst();
  const row = { ...file, number: Number(newest?.number ?? 0) + 1 };
  const { numInsertedOrUpdatedRows = 0n } = await db(tx)
    .insertInto('media')
    .values(row)
    .onConflict((conflict) =>
      replaces ? conflict.column('path').doUpdateSet(row) : conflict.column('path').doNothing(),
    )
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
};
