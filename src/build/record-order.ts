// The order of records in lists (decisions, Content): posts newest first, pages by title, tags and
// authors by name; ids settle what is equal.
import { compareCodeUnits, compareText } from '../base/collation.ts';
import type { Resource } from '../paths/endpoints.ts';

type Sortable = { readonly id: string; readonly sort: number | string };

type Compare = (a: Sortable, b: Sortable) => number;

const newestFirst: Compare = (a, b) =>
  Number(b.sort) - Number(a.sort) || compareCodeUnits(b.id, a.id);

const byText: Compare = (a, b) =>
  compareText(String(a.sort), String(b.sort)) || compareCodeUnits(a.id, b.id);

export const COMPARE: Readonly<Record<Resource, Compare>> = {
  posts: newestFirst,
  pages: byText,
  tags: byText,
  authors: byText,
};

/** Merges two lists that are each in order. */
export const merge = <T extends Sortable>(
  resource: Resource,
  left: readonly T[],
  right: readonly T[],
): T[] => {
  const compare = COMPARE[resource];
  const merged: T[] = [];
  let at = 0;
  for (const entry of right) {
    for (let next = left[at]; next !== undefined && compare(next, entry) < 0; next = left[at]) {
      merged.push(next);
      at += 1;
    }
    merged.push(entry);
  }
  return merged.concat(left.slice(at));
};
