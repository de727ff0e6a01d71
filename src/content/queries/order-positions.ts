// Puts records into an order and cuts a page out of it. What clauses compare is one number for each record: flags, times,
// or the rank in an order. Runtime-neutral, and written so that the oldest of the edge runtimes can run it.
import type { Range, Reader } from '../tree/columns.ts';
import { findAll } from './condition.ts';
import type { OrderClause } from './order.ts';
import type { Source } from './source.ts';

/** What each clause compares, small numbers first. */
export const openOrder = (
  source: Source,
  order: readonly OrderClause[],
  range: Range,
): Promise<Reader<number>[]> =>
  Promise.all(
    order.map((clause) =>
      clause.field === 'position' ? samePosition : source.numbers(clause.field, range),
    ),
  ).then((readers) =>
    readers.map((read, at) =>
      (order[at] as OrderClause).isDown ? (position) => -read(position) : read,
    ),
  );

const samePosition: Reader<number> = (position) => position;

/** `slug:[a,b]` without an order: records come in the order in which their slugs are listed, as in Ghost (facts 2). */
export const openListed = (source: Source, slugs: readonly string[]): Promise<Reader<number>[]> =>
  Promise.all([
    findAll(source, 'slug', slugs).then((listed) => (position: number) => listed.indexOf(position)),
  ]);

/** Places of the items that are from place `page.from` on, before `page.to`, when columns decide, the first one first. */
export const selectPage = (columns: readonly (readonly number[])[], page: Range): number[] => {
  const compare = (a: number, b: number): number => {
    for (let at = 0; at < columns.length; at += 1) {
      const column = columns[at] as readonly number[];
      const difference = (column[a] as number) - (column[b] as number);
      if (difference !== 0) return difference;
    }
    return a - b;
  };
  const count = (columns[0] as readonly number[]).length;
  let best: number[] = [];
  let worst = -1;
  for (let item = 0; item < count; item += 1) {
    if (worst !== -1 && compare(item, worst) > 0) continue;
    best.push(item);
    // Most lists are long, and most pages short: what cannot come into the page is left out now and then.
    if (best.length < page.to * 2) continue;
    best = best.sort(compare).slice(0, page.to);
    worst = best[page.to - 1] as number;
  }
  return best.sort(compare).slice(page.from, page.to);
};
