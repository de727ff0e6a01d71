// Which records a query asks for: how many there are in all, and where those of the page stand. Bounds of published_at,
// ids and slugs that are and-ed leave a range of positions; only what else the filter says is asked of each record there,
// and only an order that is not theirs compares them. Runtime-neutral, and written so that the oldest of the edge
// runtimes can run it.
import type { Range, Reader } from '../tree/columns.ts';
import { type Condition, findAll, listedSlugs, openCondition, partsOf } from './condition.ts';
import { compileFilter } from './filter-fields.ts';
import type { ListQuery } from './list-query.ts';
import { completeOrder, type OrderClause } from './order.ts';
import type { ListResource } from './resource.ts';
import type { Source } from './source.ts';

export type FoundRecords = { readonly total: number; readonly positions: readonly number[] };

/** Letters of the filter times records, between two ticks of the event loop: some milliseconds. */
const WORK_AT_ONCE = 6_000_000;

export const findRecords = async (
  source: Source,
  resource: ListResource,
  query: ListQuery,
): Promise<FoundRecords> => {
  const from = (query.page - 1) * query.limit;
  const page = { from, to: from + query.limit };
  const parts = query.filter ? partsOf(compileFilter(resource, query.filter)) : [];
  const slugs = query.order.length === 0 ? listedSlugs(parts) : null;
  const order = completeOrder(resource, query.order);
  const first = order[0] as OrderClause;
  const isStanding = slugs === null && first.field === 'position';
  const lone = parts.length === 1 ? parts[0] : undefined;
  const isCounted = isStanding && !first.isDown && resource === 'posts';
  const known = isCounted && lone?.count ? await lone.count(source) : null;
  const range = await narrow(source, parts);
  const rest = parts.filter((part) => !part.isRange);
  const enough = known === null ? Infinity : Math.min(page.to, known);
  // A filter makes about as many comparisons as it has words.
  const recordsAtOnce = Math.ceil(WORK_AT_ONCE / JSON.stringify(query.filter).length);
  const matched =
    rest.length === 0 ? null : await findMatched(source, rest, { range, enough, recordsAtOnce });
  const count = matched === null ? range.to - range.from : matched.length;
  const positionAt = (place: number): number =>
    matched === null ? range.from + place : (matched[place] as number);
  let places: number[] = [];
  if (isStanding) {
    for (let at = page.from; at < Math.min(page.to, count); at += 1) {
      places.push(first.isDown ? count - 1 - at : at);
    }
  } else if (page.from < count) {
    const readers =
      slugs === null ? await openOrder(source, order, range) : await openListed(source, slugs);
    await source.store.tick();
    places = selectPage(
      readers.map((read) => columnOf(read, count, positionAt)),
      page,
    );
  }
  return { total: known === null ? count : known, positions: places.map(positionAt) };
};

const columnOf = (
  read: Reader<number>,
  count: number,
  positionAt: (place: number) => number,
): number[] => {
  const column: number[] = [];
  for (let place = 0; place < count; place += 1) column.push(read(positionAt(place)));
  return column;
};

const narrow = (source: Source, parts: readonly Condition[]): Promise<Range> => {
  let from = 0;
  let to = source.total;
  return Promise.all(
    parts.map((part) =>
      part.narrow?.(source).then((range) => {
        from = Math.max(from, range.from);
        to = Math.min(to, range.to);
      }),
    ),
  ).then(() => (from < to ? { from, to } : { from: 0, to: 0 }));
};

type Wanted = {
  readonly range: Range;
  /** No more records than these are looked for. */
  readonly enough: number;
  /** Records that are looked at between two ticks of the event loop. */
  readonly recordsAtOnce: number;
};

/** Of the first columns that are read where few records may be enough. */
const FIRST_RECORDS = 128;

const findMatched = async (
  source: Source,
  parts: readonly Condition[],
  wanted: Wanted,
): Promise<number[]> => {
  const matched: number[] = [];
  const end = wanted.range.to;
  let records = wanted.enough < end ? FIRST_RECORDS : end;
  for (let from = wanted.range.from; from < end && matched.length < wanted.enough; ) {
    const to = Math.min(from + records, end);
    const holds = await openCondition(source, { kind: 'all', parts }, { from, to });
    while (from < to) {
      const next = Math.min(from + wanted.recordsAtOnce, to);
      collect(holds, { from, to: next }, matched);
      from = next;
      if (from < to) await source.store.tick();
    }
    // Further ones are asked for together, more of them each time.
    records *= 2;
  }
  return matched;
};

const collect = (holds: Reader<boolean>, range: Range, matched: number[]): void => {
  for (let position = range.from; position < range.to; position += 1) {
    if (holds(position)) matched.push(position);
  }
};

/** What each clause compares, small numbers first. */
const openOrder = (
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
const openListed = (source: Source, slugs: readonly string[]): Promise<Reader<number>[]> =>
  Promise.all([
    findAll(source, 'slug', slugs).then((listed) => (position: number) => listed.indexOf(position)),
  ]);

/** Places of the items that are from place `page.from` on, before `page.to`, when columns decide, the first one first. */
const selectPage = (columns: readonly (readonly number[])[], page: Range): number[] => {
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
