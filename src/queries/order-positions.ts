// Puts matched records into an order and cuts a page out of it. What clauses compare is one number for each record:
// flags, times, or the rank in an order that was made when the tree was packed. Runtime-neutral, and written so that
// the oldest of the edge runtimes can run it.
import { type ColumnName, type Columns, type Range, readColumns, type Segment } from './columns.ts';
import type { Facets, Times } from './decode-columns.ts';
import { readRanks } from './index-table.ts';
import type { Scope } from './look-up.ts';
import type { OrderClause, OrderField } from './order.ts';
import { selectPage } from './select-page.ts';
import { type BlobName, type Collection, FEATURED_BIT } from './tree.ts';

export type Matched = {
  /** In ascending order, so the newest first. */
  readonly positions: readonly number[];
  readonly ranges: readonly Range[];
};

export type PageRange = { readonly from: number; readonly to: number };

/** One number for each matched record, small ones first. */
type Values = { readonly of: Float64Array; readonly sign: 1 | -1 };

/** `order` is complete: its last clause tells any two records apart. */
export const orderPositions = async (
  scope: Scope,
  matched: Matched,
  query: { readonly order: readonly OrderClause[]; readonly page: PageRange },
): Promise<number[]> => {
  const order = query.order;
  const columns = await readColumns(scope.store, scope.collection, {
    names: columnsOf(order),
    ranges: matched.ranges,
  });
  const values = await Promise.all(
    order.map((clause, at) => {
      const isLast = at === order.length - 1;
      return valuesOf(scope, { clause, isLast, columns, positions: matched.positions });
    }),
  );
  await scope.store.turn();
  const page = { count: matched.positions.length, from: query.page.from, to: query.page.to };
  return selectPage(page, comparing(values)).map((item) => matched.positions[item] as number);
};

const comparing = (values: readonly Values[]): ((a: number, b: number) => number) => {
  const first = values[0] as Values;
  const numbers = first.of;
  const sign = first.sign;
  return (a, b) => {
    const difference = (numbers[a] as number) - (numbers[b] as number);
    if (difference !== 0) return difference * sign;
    for (let at = 1; at < values.length; at += 1) {
      const next = values[at] as Values;
      const further = (next.of[a] as number) - (next.of[b] as number);
      if (further !== 0) return further * next.sign;
    }
    return a - b;
  };
};

const COLUMNS: Readonly<Record<OrderField, ColumnName | null>> = {
  published_at: 'times',
  created_at: 'times',
  updated_at: 'updated',
  featured: 'facets',
  title: null,
  slug: null,
  id: null,
  name: null,
  'count.posts': null,
};

/** A last published_at is the order of positions. */
const columnsOf = (order: readonly OrderClause[]): ColumnName[] => {
  const names: ColumnName[] = [];
  order.forEach((clause, at) => {
    const name = COLUMNS[clause.field];
    const isPosition = clause.field === 'published_at' && at === order.length - 1;
    if (name !== null && !isPosition) names.push(name);
  });
  return names;
};

type Wanted = {
  readonly clause: OrderClause;
  readonly isLast: boolean;
  readonly columns: Columns;
  readonly positions: readonly number[];
};

const valuesOf = async (scope: Scope, wanted: Wanted): Promise<Values> => {
  const field = wanted.clause.field;
  const isDown = wanted.clause.isDown;
  const sign = isDown ? -1 : 1;
  const positions = wanted.positions;
  if (field === 'published_at' && wanted.isLast) {
    // Positions count from the newest.
    return { of: Float64Array.from(positions), sign: isDown ? 1 : -1 };
  }
  const directory = rankDirectory(scope.collection, field);
  if (directory !== null) {
    const ranks = await readRanks(scope.store, directory);
    return { of: collect(positions, [whole(ranks)], rankAt), sign };
  }
  const columns = wanted.columns;
  if (field === 'featured') return { of: collect(positions, columns.facets, featuredAt), sign };
  if (field === 'updated_at') return { of: collect(positions, columns.updated, numberAt), sign };
  const read = field === 'created_at' ? createdAt : publishedAt;
  return { of: collect(positions, columns.times, read), sign };
};

/** Of fields that are an order of their own. */
export const rankDirectory = (collection: Collection, field: OrderField): BlobName | null => {
  if (field === 'title') return collection.titles;
  if (field === 'slug') return collection.slugs;
  return field === 'id' ? collection.ids : null;
};

const whole = (ranks: Uint32Array): Segment<Uint32Array> => ({
  from: 0,
  to: ranks.length,
  value: ranks,
});

const rankAt = (ranks: Uint32Array, at: number): number => ranks[at] as number;
const numberAt = (numbers: Float64Array, at: number): number => numbers[at] as number;
const createdAt = (times: Times, at: number): number => times.created[at] as number;
const publishedAt = (times: Times, at: number): number => times.published[at] as number;
const featuredAt = (facets: Facets, at: number): number =>
  (facets.flags[at] as number) & FEATURED_BIT;

/** Positions and segments ascend. */
const collect = <T>(
  positions: readonly number[],
  segments: readonly Segment<T>[],
  read: (value: T, at: number) => number,
): Float64Array => {
  const numbers = new Float64Array(positions.length);
  let place = 0;
  for (let at = 0; at < positions.length; at += 1) {
    const position = positions[at] as number;
    while ((segments[place] as Segment<T>).to <= position) place += 1;
    const segment = segments[place] as Segment<T>;
    numbers[at] = read(segment.value, position - segment.from);
  }
  return numbers;
};
