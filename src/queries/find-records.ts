// Which records of a collection a query asks for: how many there are in all, and where those of the page stand. The
// cheapest way that is exact is taken: counts of the root, a window of times, the count that a tag has anyway, and only
// then columns. Runtime-neutral, and written so that the oldest of the edge runtimes can run it.
import { type ColumnName, type Range, readColumns } from './columns.ts';
import { compileFilter } from './condition.ts';
import { readKeys } from './index-table.ts';
import type { ListQuery } from './list-query.ts';
import type { Spot } from './locate.ts';
import { findLoneTerm, type LoneTerm, readLoneTerm } from './lone-term.ts';
import { lookUp, type Scope } from './look-up.ts';
import { columnsOf, comparisonsOf, evaluate, type Mark } from './mark.ts';
import { completeOrder, type OrderClause } from './order.ts';
import { orderPositions, type PageRange, rankDirectory } from './order-positions.ts';
import type { CollectionName } from './resource.ts';
import { listedSlugs, orderListed } from './slug-list.ts';
import { openWindow, type Window } from './window.ts';

export type FoundRecords = { readonly total: number; readonly spots: readonly Spot[] };

export const findRecords = async (
  scope: Scope,
  resource: CollectionName,
  query: ListQuery,
): Promise<FoundRecords> => {
  const from = (query.page - 1) * query.limit;
  const page = { from, to: from + query.limit };
  const order = completeOrder(resource, query.order);
  if (query.filter === null) return findUnfiltered(scope, order, page);
  const condition = compileFilter(resource, query.filter);
  const lone = resource === 'posts' && isByTime(order) ? findLoneTerm(condition) : null;
  if (lone !== null && (order[0] as OrderClause).isDown) return findOfTerm(scope, lone, page);
  const window = await openWindow(scope, condition);
  const slugs = query.order.length === 0 ? listedSlugs(condition) : null;
  if (slugs === null && window.rest === null && window.listed === null && isByTime(order)) {
    return cutRange(window.ranges[0] as Range, page, (order[0] as OrderClause).isDown);
  }
  const positions = await findMatched(scope, window);
  const total = positions.length;
  if (slugs !== null) {
    const listed = await orderListed(scope, { positions, slugs, listed: window.listed });
    return { total, spots: listed.slice(page.from, page.to) };
  }
  if (isByTime(order)) {
    const isDown = (order[0] as OrderClause).isDown;
    return { total, spots: (isDown ? positions : positions.reverse()).slice(page.from, page.to) };
  }
  const spots = await orderPositions(scope, { positions, ranges: window.ranges }, { order, page });
  return { total, spots };
};

/** In the order in which records stand, or from its end. */
const isByTime = (order: readonly OrderClause[]): boolean =>
  order.length === 1 && (order[0] as OrderClause).field === 'published_at';

const findUnfiltered = async (
  scope: Scope,
  order: readonly OrderClause[],
  page: PageRange,
): Promise<FoundRecords> => {
  const total = scope.collection.total;
  const range = { from: 0, to: total };
  const first = order[0] as OrderClause;
  if (isByTime(order)) return cutRange(range, page, first.isDown);
  const directory = order.length === 1 ? rankDirectory(scope.collection, first.field) : null;
  if (total === 0 || page.from >= total) return { total, spots: [] };
  if (directory !== null) {
    const slice = { from: page.from, to: Math.min(page.to, total), isDown: first.isDown };
    const keys = await readKeys(scope.store, directory, slice);
    return { total, spots: keys };
  }
  const positions: number[] = [];
  for (let position = 0; position < total; position += 1) positions.push(position);
  const spots = await orderPositions(scope, { positions, ranges: [range] }, { order, page });
  return { total, spots };
};

const cutRange = (range: Range, page: PageRange, isDown: boolean): FoundRecords => {
  const total = range.to - range.from;
  const spots: number[] = [];
  for (let at = page.from; at < Math.min(page.to, total); at += 1) {
    spots.push(isDown ? range.from + at : range.to - 1 - at);
  }
  return { total, spots };
};

const findOfTerm = async (scope: Scope, lone: LoneTerm, page: PageRange): Promise<FoundRecords> => {
  const found = await readLoneTerm(scope, lone, page);
  return { total: found.total, spots: found.positions };
};

const findMatched = async (scope: Scope, window: Window): Promise<number[]> => {
  const mark: Mark | null = window.rest === null ? null : await lookUp(scope, window.rest);
  const names: ColumnName[] = [];
  if (mark !== null) {
    columnsOf(mark, (name) => {
      names.push(name);
    });
  }
  const columns = await readColumns(scope.store, scope.collection, {
    names,
    ranges: window.ranges,
  });
  const matched: number[] = [];
  const recordsAtOnce = mark === null ? RECORDS_AT_ONCE : spanOf(mark);
  let since = 0;
  for (let at = 0; at < window.ranges.length; at += 1) {
    const whole = window.ranges[at] as Range;
    for (let from = whole.from; from < whole.to; ) {
      const range = { from, to: Math.min(from + recordsAtOnce, whole.to) };
      collect(mark === null ? null : evaluate(mark, columns, range), range, matched);
      since += range.to - from;
      from = range.to;
      if (since < recordsAtOnce) continue;
      since = 0;
      await scope.store.turn();
    }
  }
  return matched;
};

/** Comparisons between two turns of the host: some milliseconds. */
const COMPARISONS_AT_ONCE = 500_000;
const RECORDS_AT_ONCE = 100_000;
/** Each span looks up codes anew. */
const SPAN_MIN = 1_000;

const spanOf = (mark: Mark): number =>
  Math.max(
    SPAN_MIN,
    Math.min(RECORDS_AT_ONCE, Math.floor(COMPARISONS_AT_ONCE / comparisonsOf(mark))),
  );

const collect = (mask: Uint8Array | null, range: Range, matched: number[]): void => {
  for (let position = range.from; position < range.to; position += 1) {
    if (mask === null || mask[position - range.from] === 1) matched.push(position);
  }
};
