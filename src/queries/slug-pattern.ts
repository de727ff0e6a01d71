// Filters that stand for one query of each tag or author, as declared queries have them: `tag:{slug}`, alone or and-ed
// with other clauses. Runtime-neutral, and written so that the oldest of the edge runtimes can run it.
import type { Filter } from './filter.ts';

const FIELD = /^(?:primary_)?(?:(tag|tags)|author|authors)(?:\.slug)?$/;
const PATTERN = '{slug}';

export type SlugPattern = 'tag' | 'author' | 'misplaced' | null;

/** `misplaced`: `{slug}` stands where it is not the slug of a tag or author that all records must have, or twice. */
export const findSlugPattern = (filter: Filter): SlugPattern => {
  const found = patternsOf(filter);
  const count = JSON.stringify(filter).split(PATTERN).length - 1;
  if (count === 0) return null;
  return count === 1 && found.length === 1 ? (found[0] as SlugPattern) : 'misplaced';
};

const patternsOf = (filter: Filter): SlugPattern[] => {
  if (filter.kind === 'all') {
    return filter.parts.reduce((all: SlugPattern[], part) => all.concat(patternsOf(part)), []);
  }
  if (!isPattern(filter)) return [];
  const match = FIELD.exec(filter.field);
  if (match === null) return [];
  return [match[1] === undefined ? 'author' : 'tag'];
};

type Comparison = Extract<Filter, { readonly kind: 'compare' }>;

const isPattern = (filter: Filter): filter is Comparison =>
  filter.kind === 'compare' && filter.operator === '=' && filter.value === PATTERN;

/** The filter with a slug in the place of `{slug}`. */
export const putSlug = (filter: Filter, slug: string): Filter => {
  if (filter.kind === 'all') {
    return { kind: 'all', parts: filter.parts.map((part) => putSlug(part, slug)) };
  }
  return isPattern(filter) ? Object.assign({}, filter, { value: slug }) : filter;
};
