// Refuses a save that was made on an older state of its record (decisions, Admin: 409), unless only the schedule came
// between.
import { PrepressError } from '../../base/errors.ts';
import { parseStoredTime } from '../../base/time.ts';
import type { FullPostRow } from '../../publication/store/content/posts.ts';
import { findSeenBeforeDue } from '../../publication/store/log/publishing.ts';
import type { Transaction } from '../../publication/store/store.ts';
import type { SeenTime } from '../contract/fields.ts';
import type { PostEditInput } from '../contract/input/post-input.ts';

/** The edit as of the post that the schedule published meanwhile, where nothing else has changed it. */
export const afterDue = async (
  tx: Transaction,
  stored: FullPostRow,
  input: PostEditInput,
): Promise<PostEditInput> => {
  const seen = input.updated_at;
  if (seen === null) return input;
  if (!isState(await findSeenBeforeDue(tx, stored), seen)) return input;
  const publishedAt = parseStoredTime(stored.published_at);
  const { published_at = publishedAt, status } = input;
  // Clients send back the status that they read.
  const isKept = status === 'scheduled' && published_at === publishedAt;
  return { ...input, updated_at: null, ...(isKept && { status: 'published' }) };
};

const isState = (ms: number | null, { fromMs, toMs }: SeenTime): boolean =>
  ms !== null && ms >= fromMs && ms < toMs;

/** `given` null says that the client does not care. Throws UPDATE_COLLISION. */
export const refuseStale = (
  { stored, noun }: { readonly stored: string | number | null; readonly noun: string },
  given: SeenTime | null,
  changedFields: readonly string[],
): void => {
  const known = parseStoredTime(stored);
  if (given === null || known === null || isState(known, given)) return;
  throw new PrepressError(
    'UPDATE_COLLISION',
    `Saving failed! Someone else is editing this ${noun}.`,
    {
      details: {
        changedFields,
        clientUpdatedAt: new Date(given.fromMs).toISOString(),
        serverUpdatedAt: new Date(known).toISOString(),
      },
    },
  );
};
