// Makes slugs by Ghost's rules (facts section 9): from the text, cut, protected words suffixed, and
// numbered when another record has it. The one home of @tryghost/string.
import { slugify } from '@tryghost/string';
import { trimOf } from '../base/trim-of.ts';

const SLUG_UNITS_MAX = 185;
/** Of a longer text only the beginning is read: no title or name that is saved is longer. */
const SLUG_SOURCE_UNITS_MAX = 2_000;
const PROTECTED = ['ghost', 'rss', 'amp'];

export type SlugRules = {
  /** Stands for a text without any usable letter, and in the suffix of protected words. */
  readonly noun: 'post' | 'tag' | 'newsletter' | 'label' | 'tier' | 'benefit' | 'offer';
  /** Protected beside Ghost's own words. */
  readonly reserved?: readonly string[];
  /** Which slugs that are `base` or begin with `base-` belong to other records. */
  readonly takenLike: (base: string) => Promise<readonly string[]>;
};

/** The slug of a text, whoever else has it. */
export const slugOf = (text: string, noun: SlugRules['noun']): string => slugBase(text, { noun });

export const makeSlug = async (text: string, rules: SlugRules): Promise<string> => {
  const base = slugBase(text, rules);
  const taken = new Set(await rules.takenLike(base));
  if (!taken.has(base)) return base;
  let number = 2;
  while (taken.has(`${base}-${number}`)) number += 1;
  return `${base}-${number}`;
};

/** The text as a slug of at most `unitsMax`; empty without any usable letter. */
export const plainSlug = (text: string, unitsMax: number): string =>
  trimOf(slugify(text.slice(0, SLUG_SOURCE_UNITS_MAX)).slice(0, unitsMax), '-');

const slugBase = (
  text: string,
  { noun, reserved = [] }: Pick<SlugRules, 'noun' | 'reserved'>,
): string => {
  const hash = noun === 'tag' && text.trim().startsWith('#') ? 'hash-' : '';
  const written = `${hash}${slugify(text.slice(0, SLUG_SOURCE_UNITS_MAX))}`;
  const slug = trimOf(written.slice(0, SLUG_UNITS_MAX), '-');
  if (slug === '') return noun;
  return PROTECTED.includes(slug) || reserved.includes(slug) ? `${slug}-${noun}` : slug;
};
