// Makes slugs by Ghost's rules (facts section 9): from the text, cut, protected words suffixed, and
// numbered when another record has it. The one home of @tryghost/string.
import { slugify } from '@tryghost/string';
import { trimOf } from '../base/trim-of.ts';
import { listSlugsLike, type SluggedTable } from '../store/slugs-like.ts';
import type { Reader } from '../store/store.ts';

const SLUG_UNITS_MAX = 185;
/** Of a longer text only the beginning is read: no title or name that is saved is longer. */
const SLUG_SOURCE_UNITS_MAX = 2_000;
const PROTECTED = ['ghost', 'rss', 'amp'];

/** Stands for a text without any usable letter, and in the suffix of protected words. */
const NOUNS = {
  posts: 'post',
  tags: 'tag',
  newsletters: 'newsletter',
  labels: 'label',
  tiers: 'tier',
  benefits: 'benefit',
} as const satisfies Record<SluggedTable, string>;

/** Protected in their tables. */
const RESERVED: Partial<Record<SluggedTable, readonly string[]>> = { tags: ['new'] };

type Noun = (typeof NOUNS)[SluggedTable] | 'offer';

type SlugRules = {
  readonly noun: Noun;
  /** Protected beside Ghost's own words. */
  readonly reserved?: readonly string[];
};

/** The slug of a text, whoever else has it. */
export const slugOf = (text: string, noun: Noun): string => slugBase(text, { noun });

type Wanted = Pick<SlugRules, 'reserved'> & {
  readonly text: string;
  /** The row whose own slug is no obstacle. */
  readonly exceptId?: string | null;
};

/** The slug of a text that no other row of the table has. */
export const freeSlug = async (
  reader: Reader,
  table: SluggedTable,
  { text, reserved = RESERVED[table] ?? [], exceptId = null }: Wanted,
): Promise<string> => {
  const base = slugBase(text, { noun: NOUNS[table], reserved });
  const taken = new Set(await listSlugsLike(reader, table, { base, exceptId }));
  if (!taken.has(base)) return base;
  let number = 2;
  while (taken.has(`${base}-${number}`)) number += 1;
  return `${base}-${number}`;
};

/** The text as a slug of at most `unitsMax`; empty without any usable letter. */
export const plainSlug = (text: string, unitsMax: number): string =>
  trimOf(slugify(text.slice(0, SLUG_SOURCE_UNITS_MAX)).slice(0, unitsMax), '-');

const slugBase = (text: string, { noun, reserved = [] }: SlugRules): string => {
  const hash = noun === 'tag' && text.trim().startsWith('#') ? 'hash-' : '';
  const written = `${hash}${slugify(text.slice(0, SLUG_SOURCE_UNITS_MAX))}`;
  const slug = trimOf(written.slice(0, SLUG_UNITS_MAX), '-');
  if (slug === '') return noun;
  return PROTECTED.includes(slug) || reserved.includes(slug) ? `${slug}-${noun}` : slug;
};
