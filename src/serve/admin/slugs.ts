// Slugs that no other row of their table has: made of a text, and numbered when another record has it.

import { listSlugsLike, type SluggedTable } from '../../publication/store/content/slugs-like.ts';
import type { Queryable } from '../../publication/store/store.ts';
import {
  type Noun,
  numberedSlug,
  type SlugRules,
  slugOf,
} from '../../publication/tables/slug-text.ts';

const NOUNS: Readonly<Record<SluggedTable, Noun>> = {
  posts: 'post',
  tags: 'tag',
  newsletters: 'newsletter',
  labels: 'label',
  tiers: 'tier',
  benefits: 'benefit',
};

/** Protected in their tables. */
const RESERVED: Partial<Record<SluggedTable, readonly string[]>> = { tags: ['new'] };

type Wanted = Pick<SlugRules, 'reserved'> & {
  readonly text: string;
  /** The row whose own slug is no obstacle. */
  readonly exceptId?: string | null;
};

/** The slug of a text that no other row of the table has. */
export const freeSlug = async (
  from: Queryable,
  table: SluggedTable,
  { text, reserved = RESERVED[table] ?? [], exceptId = null }: Wanted,
): Promise<string> => {
  const base = slugOf(text, { noun: NOUNS[table], reserved });
  return numberedSlug(base, new Set(await listSlugsLike(from, table, { base, exceptId })));
};
