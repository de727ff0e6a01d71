// Stores a new tag, on its own or because a post names it.
import { createId } from '../../../base/ids.ts';
import { toStoredTime } from '../../../base/time.ts';
import { type FullTagRow, insertTag } from '../../../publication/store/content/tags.ts';
import type { Transaction } from '../../../publication/store/store.ts';
import { freeSlug } from '../slugs.ts';

type NewTag = {
  readonly name: string;
  /** What the slug is made of. */
  readonly slug: string;
  readonly columns?: Partial<FullTagRow>;
};

/** Answers its id. A name that begins with `#` makes it internal. */
export const insertNewTag = async (
  tx: Transaction,
  { name, slug, columns = {} }: NewTag,
  nowMs: number,
): Promise<string> => {
  const id = createId(nowMs);
  const at = toStoredTime(nowMs);
  await insertTag(tx, {
    visibility: name.startsWith('#') ? 'internal' : 'public',
    ...columns,
    id,
    name,
    slug: await freeSlug(tx, 'tags', {
      text: slug,
      exceptId: null,
    }),
    created_at: at,
    updated_at: at,
  });
  return id;
};
