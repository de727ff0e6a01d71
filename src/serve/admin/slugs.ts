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

type SlugEdit = {
  readonly stored: { readonly id: string; readonly slug: string };
  readonly wanted: string | null | undefined;
};

/** Nothing where a save names no slug, or the one that the row has. */
export const editedSlug = async (
  from: Queryable,
  table: SluggedTable,
  { stored, wanted }: SlugEdit,
): Promise<{ slug?: string }> =>
  wanted && wanted !== stored.slug
    ? { slug: await freeSlug(from, table, { text: wanted, exceptId: stored.id }) }
    : {};

/** The slug of a text that no other row of the table has. */
export const freeSlug = async (
  from: Queryable,
  table: SluggedTable,
  { text, reserved = RESERVED[table] ?? [], exceptId = null }: Wanted,
): Promise<string> => {
  const base = slugOf(text, { noun: NOUNS[table], reserved });
  return numberedSlug(base, new Set(await listSlugsLike(from, table, { base, exceptId })));
};
