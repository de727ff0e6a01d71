// Stores a new label, on its own or because a member names it.
import { createId } from '../../../base/ids.ts';
import { toStoredTime } from '../../../base/time.ts';
import { insertLabel } from '../../../publication/store/members/labels.ts';
import type { Transaction } from '../../../publication/store/store.ts';
import { freeSlug } from '../slugs.ts';

type NewLabel = {
  readonly name: string;
  /** What the slug is made of. */
  readonly slug: string;
};

export const insertNewLabel = async (
  tx: Transaction,
  { name, slug }: NewLabel,
  nowMs: number,
): Promise<string> => {
  const id = createId(nowMs);
  const at = toStoredTime(nowMs);
  const free = await freeSlug(tx, 'labels', { text: slug, exceptId: null });
  await insertLabel(tx, { id, name, slug: free, created_at: at, updated_at: at });
  return id;
};
