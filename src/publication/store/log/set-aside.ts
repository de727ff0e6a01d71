// Records that are set aside: their present row cannot be rendered, so an earlier one is shown in its place, or
// nothing. Owns what is stored of them; publish/build/set-aside/set-aside.ts decides what that is. An entry holds for the row as it
// was at its position in the change log; a later change of that row outdates it.
import { toText } from '../../../base/text/stored-text.ts';
import type {
  LastGoodKey,
  LastGoodRow,
  RecordHolder,
  SetAside,
  SetAsideEntry,
} from '../../snapshot/last-good-row.ts';
import type { Position } from '../../snapshot/snapshot.ts';
import { db, type Queryable, type Transaction } from '../db.ts';

export type NewEntry = SetAside & { readonly kept: LastGoodRow | null };

/** `position` is the one of the snapshot in which the rows were looked at. */
export const putSetAside = async (
  tx: Transaction,
  { entity, id, problems, since, brokenSeq, hiddenSeq, kept }: NewEntry,
  { epoch, seq }: Position,
): Promise<void> => {
  const values = {
    problems: JSON.stringify(problems),
    since,
    epoch,
    seq,
    broken_seq: brokenSeq,
    hidden_seq: hiddenSeq,
    kept_key: kept === null ? null : JSON.stringify(keyOf(entity, kept)),
    kept: kept === null ? null : JSON.stringify(kept, nameInfinity),
  };
  await db(tx)
    .insertInto('set_aside')
    .values({ entity, id, ...values })
    .onConflict((conflict) => conflict.columns(['entity', 'id']).doUpdateSet(values))
    .execute();
};

/** JSON has no infinite number and would make it null; the text reads as the same number. */
const nameInfinity = (_: string, value: unknown): unknown =>
  typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;

const keyOf = (entity: RecordHolder, { row }: LastGoodRow): LastGoodKey => {
  const slug = toText(row.slug);
  if (entity !== 'posts') return { slug };
  return { type: row.type, slug, time: row.published_at as string | number | null };
};

type Keyed = Pick<SetAsideEntry, 'entity' | 'id' | 'seq'>;

/** Has the next snapshot render the rows as they are; entries that were made anew meanwhile stay. */
export const outdateSetAside = async (
  tx: Transaction,
  entries: readonly Keyed[],
): Promise<void> => {
  for (const { entity, id, seq } of entries) {
    await db(tx)
      .updateTable('set_aside')
      .set({ seq: OUTDATED })
      .where('entity', '=', entity)
      .where('id', '=', id)
      .where('seq', '=', seq)
      .execute();
  }
};

/** Comes before any change. */
const OUTDATED = -1;

/** Forgets entries of rows that were rendered; entries that were made anew meanwhile stay. */
export const removeSetAside = async (tx: Transaction, entries: readonly Keyed[]): Promise<void> => {
  for (const { entity, id, seq } of entries) {
    await db(tx)
      .deleteFrom('set_aside')
      .where('entity', '=', entity)
      .where('id', '=', id)
      .where('seq', '=', seq)
      .execute();
  }
};

export const hasSetAside = async (from: Queryable): Promise<boolean> =>
  (await db(from).selectFrom('set_aside').select('id').limit(1).executeTakeFirst()) !== undefined;
