// What the publication follows: a source elsewhere that alone changes its content. Kept in the publication, so that
// every program knows. What was taken of the source is in followed.ts.
import type { Selectable } from 'kysely';
import { ERRORS, PrepressError } from '../../../base/errors.ts';
import type { FollowingTable } from '../../tables/pipeline.ts';
import { db, type Queryable, type Transaction } from '../db.ts';

export type Following = Selectable<FollowingTable>;

/** Also one that somebody ended. */
export const findFollowing = (from: Queryable): Promise<Following | undefined> =>
  db(from).selectFrom('following').selectAll().executeTakeFirst();

export const isFollowing = async (from: Queryable): Promise<boolean> =>
  (await findFollowing(from))?.detached_at === null;

/** Throws SOURCE_FOLLOWED. For all that a source gives: posts, pages, tags, members, newsletters, settings. */
export const refuseWhileFollowing = async (from: Queryable): Promise<void> => {
  const following = await findFollowing(from);
  if (following === undefined || following.detached_at !== null) return;
  throw new PrepressError(
    'SOURCE_FOLLOWED',
    `The publication follows ${following.source}, and only that changes its content.`,
    { context: ERRORS.SOURCE_FOLLOWED.hint },
  );
};

type Begin = { readonly source: string; readonly now: number };

/**
 * Follows a source from now on. What was taken before, of the same site under another name or before somebody ended
 * following, is compared whole.
 */
export const beginFollowing = async (tx: Transaction, { source, now }: Begin): Promise<void> => {
  await db(tx)
    .insertInto('following')
    .values({ id: 1, source, began_at: now, detached_at: null, taken: null })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({ source, began_at: now, detached_at: null, taken: null }),
    )
    .execute();
};

/** False when nothing was followed. */
export const endFollowing = async (tx: Transaction, now: number): Promise<boolean> => {
  const { numUpdatedRows } = await db(tx)
    .updateTable('following')
    .set({ detached_at: now })
    .where('detached_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** Notes which columns a look took; returns its number. */
export const noteTaken = async (tx: Transaction, taken: string): Promise<number> => {
  const { revision } = (await db(tx)
    .updateTable('following')
    .set(({ eb }) => ({ taken, revision: eb('revision', '+', 1) }))
    .where('detached_at', 'is', null)
    .returning('revision')
    .executeTakeFirst()) ?? { revision: -1 };
  return revision;
};
