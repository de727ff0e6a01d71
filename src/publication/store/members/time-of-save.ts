// The time that a save of a member is stored with.
import { db, type Queryable } from '../db.ts';

/**
 * Later than the beginning of all work on members that goes on (bulk-jobs.ts), even after the clock stepped back: by it, the
 * work tells what was saved since.
 */
export const timeOfSave = async (from: Queryable, nowMs: number): Promise<number> => {
  const { newest } = await db(from)
    .selectFrom('bulk_jobs')
    .select((row) => row.fn.max('created_at').as('newest'))
    .where('state', 'in', ['reading', 'running'])
    .executeTakeFirstOrThrow();
  return Math.max(nowMs, (newest ?? 0) + 1);
};
