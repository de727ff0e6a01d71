// Nets the steps of one post inside one generation: what was published and taken back, or taken back
// and published again, before the build is as if it had been one edit, so that no event announces
// what cannot be read in that generation. Steps beside those flips keep their own events.
import type { PostRecord } from '../../../publication/documents/admin/document-context.ts';
import { isPublicPost } from '../../../publication/tables/published-posts.ts';
import type { ChangeBatch } from './change-batches.ts';

/** `stateAt(i)` is the record before step i; `stateAt(steps.length)` the one after the last. */
export const mergeEvents = (
  steps: readonly ChangeBatch[],
  stateAt: (index: number) => PostRecord | null,
): ChangeBatch[] => {
  const readable = Array.from({ length: steps.length + 1 }, (_, index) => readAs(stateAt(index)));
  const flips = steps.map((_, index) => index).filter((i) => readable[i] !== readable[i + 1]);
  const first = flips[0];
  const last = flips.at(-1);
  if (first === undefined || last === undefined || first === last) return [...steps];
  const from = steps[first];
  const to = steps[last];
  if (from === undefined || to === undefined) return [...steps];
  return [...steps.slice(0, first), { ...to, from: from.from }, ...steps.slice(last + 1)];
};

/** As what a stranger can read the record: a post, a page, or not at all. */
const readAs = (record: PostRecord | null): string | null =>
  record !== null && isPublicPost(record) ? record.post.type : null;
