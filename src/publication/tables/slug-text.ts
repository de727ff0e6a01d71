// Slugs of texts by Ghost's rules (facts section 9): from the text, cut, protected words suffixed. Whether a slug is
// taken is for others. The one home of @tryghost/string.
import { slugify } from '@tryghost/string';
import { trimOf } from '../../base/text/trim-of.ts';

const SLUG_UNITS_MAX = 185;
/** Of a longer text only the beginning is read: no title or name that is saved is longer. */
const SLUG_SOURCE_UNITS_MAX = 2_000;
const PROTECTED = ['ghost', 'rss', 'amp'];

/** Stands for a text without any usable letter, and in the suffix of protected words. */
export type Noun = 'post' | 'tag' | 'newsletter' | 'label' | 'tier' | 'benefit' | 'offer' | 'user';

export type SlugRules = {
  readonly noun: Noun;
  /** Protected beside Ghost's own words. */
  readonly reserved?: readonly string[];
};

/** The slug of a text, whoever else has it. */
export const slugOf = (text: string, { noun, reserved = [] }: SlugRules): string => {
  const hash = noun === 'tag' && text.trim().startsWith('#') ? 'hash-' : '';
  const written = `${hash}${slugify(text.slice(0, SLUG_SOURCE_UNITS_MAX))}`;
  const slug = trimOf(written.slice(0, SLUG_UNITS_MAX), '-');
  if (slug === '') return noun;
  return PROTECTED.includes(slug) || reserved.includes(slug) ? `${slug}-${noun}` : slug;
};

/** The text as a slug of at most `unitsMax`; empty without any usable letter. */
export const plainSlug = (text: string, unitsMax: number): string =>
  trimOf(slugify(text.slice(0, SLUG_SOURCE_UNITS_MAX)).slice(0, unitsMax), '-');

/** The slug, or the first of it with a number from 2 on, that is not taken. */
export const numberedSlug = (base: string, taken: ReadonlySet<string>): string => {
  if (!taken.has(base)) return base;
  let number = 2;
  while (taken.has(`${base}-${number}`)) number += 1;
  return `${base}-${number}`;
};
