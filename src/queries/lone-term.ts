// One tag or author, newest posts first: their number is kept anyway, so columns are read only until the page is full.
// Runtime-neutral, and written so that the oldest of the edge runtimes can run it.
import { type Columns, type Range, readColumns } from './columns.ts';
import type { Condition } from './condition.ts';
import type { Scope } from './look-up.ts';
import { evaluate, type Mark } from './mark.ts';
import type { PageRange } from './order-positions.ts';
import { findTerms, readTermCounts, readTermKeys, termIds } from './terms.ts';
import type { ColumnsEntry } from './tree.ts';

export type LoneTerm = Extract<Condition, { readonly kind: 'terms' }>;

/** Null for a condition that may be about several terms, or about primary ones. */
export const findLoneTerm = (condition: Condition): LoneTerm | null => {
  if (condition.kind !== 'terms' || condition.isPrimary || condition.test === null) return null;
  const isUnique = condition.column === 'slug' || condition.column === 'id';
  const test = condition.test;
  return isUnique && test.kind === 'in' && test.values.length === 1 ? condition : null;
};

type PostsOfTerm = { readonly total: number; readonly positions: readonly number[] };

export const readLoneTerm = async (
  scope: Scope,
  lone: LoneTerm,
  page: PageRange,
): Promise<PostsOfTerm> => {
  const terms = scope.root[lone.family];
  const read = await Promise.all([
    readTermKeys(scope.store, terms),
    readTermCounts(scope.store, terms),
  ]);
  const test = lone.test;
  const places = test === null ? [] : findTerms(read[0], { column: lone.column, test });
  const total = places.reduce((sum, place) => sum + (read[1][place] as number), 0);
  const mark: Mark = {
    kind: 'links',
    family: lone.family,
    isPrimary: false,
    ids: termIds(read[0], places),
  };
  const to = Math.min(page.to, total);
  const positions: number[] = [];
  let seen = 0;
  const entries = scope.collection.columns;
  for (let at = 0, next = 1, from = 0; at < entries.length && seen < to; ) {
    // Those after are asked for together, more of them each time.
    const range = { from, to: from + recordsOf(entries.slice(at, next)) };
    const columns = await readColumns(scope.store, scope.collection, {
      names: ['facets'],
      ranges: [range],
    });
    seen = collect({ mark, columns, range }, { from: page.from, to, seen }, positions);
    from = range.to;
    at = next;
    next = next * 2 + 1;
  }
  return { total, positions };
};

const recordsOf = (entries: readonly ColumnsEntry[]): number =>
  entries.reduce((sum, entry) => sum + entry[3], 0);

type Marked = { readonly mark: Mark; readonly columns: Columns; readonly range: Range };

/** How many were seen by now. */
const collect = (
  marked: Marked,
  wanted: PageRange & { readonly seen: number },
  positions: number[],
): number => {
  const mask = evaluate(marked.mark, marked.columns, marked.range);
  let seen = wanted.seen;
  for (let at = 0; at < mask.length && seen < wanted.to; at += 1) {
    if (mask[at] !== 1) continue;
    if (seen >= wanted.from) positions.push(marked.range.from + at);
    seen += 1;
  }
  return seen;
};
