// `slug:[a,b]` without an order: records come in the order in which their slugs are listed, as in Ghost (facts 2).
// Runtime-neutral, and written so that the oldest of the edge runtimes can run it.
import { type NamesColumns, readColumns, type Segment } from './columns.ts';
import type { Condition } from './condition.ts';
import type { Scope } from './look-up.ts';
import type { Listed } from './window.ts';

/** The first slugs, more than one, that a filter lists and all of its records must be among. */
export const listedSlugs = (condition: Condition): readonly string[] | null => {
  const parts = condition.kind === 'all' ? condition.parts : [condition];
  for (let at = 0; at < parts.length; at += 1) {
    const slugs = slugsOf(parts[at] as Condition);
    if (slugs.length > 1) return slugs;
  }
  return null;
};

const slugsOf = (part: Condition): readonly string[] => {
  if (part.kind === 'keys' && part.column === 'slug') return part.values;
  const isText = part.kind === 'text' && part.column === 'slug';
  return isText && part.test.kind === 'in' ? part.test.values : [];
};

type Found = {
  readonly positions: readonly number[];
  readonly slugs: readonly string[];
  /** What was looked up: these slugs, others, or ids. */
  readonly listed: Listed | null;
};

export const orderListed = async (scope: Scope, found: Found): Promise<number[]> => {
  const listed = found.listed;
  const isKnown = listed !== null && listed.values === found.slugs;
  const places = isKnown ? listed.places : await readPlaces(scope, found);
  return found.positions
    .slice()
    .sort((a, b) => (places[a] as number) - (places[b] as number) || a - b);
};

const readPlaces = async (scope: Scope, found: Found): Promise<Record<number, number>> => {
  const columns = await readColumns(scope.store, scope.collection, {
    names: ['names'],
    ranges: found.positions.map((position) => ({ from: position, to: position + 1 })),
  });
  const places: Record<number, number> = {};
  let at = 0;
  found.positions.forEach((position) => {
    while ((columns.names[at] as Segment<NamesColumns>).to <= position) at += 1;
    const segment = columns.names[at] as Segment<NamesColumns>;
    places[position] = found.slugs.indexOf(segment.value.slug[position - segment.from] as string);
  });
  return places;
};
