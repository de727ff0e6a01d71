// Says which scheduled posts are held back at their time: they are e-mail only, and nothing here sends mail.
import { toStoredTime } from '../../../base/time.ts';
import { listHeldPosts } from '../../../publication/store/log/publishing.ts';
import type { Queryable } from '../../../publication/store/store.ts';

/** One sentence for each, the one that is due longest first. */
export const describeUnsentPosts = async (from: Queryable, nowMs: number): Promise<string[]> =>
  (await listHeldPosts(from, nowMs)).map(
    ({ type, slug, dueAt }) =>
      `The ${type} "${slug}" stays scheduled after ${toStoredTime(dueAt)}: it is e-mail only, and Prepress sends no newsletters.`,
  );
