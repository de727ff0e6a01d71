// Reads pages of admin lists: one statement for each of rows and count, made of a source that says which
// fields may be filtered and ordered by.
import { type RawBuilder, sql } from 'kysely';
import type { Filter } from '../../content/queries/filter.ts';
import { db, type Queryable } from './db.ts';
import {
  conditionsOf,
  type FilterField,
  type FilterFields,
  type FilterUse,
  filterCondition,
  isLike,
  timeText,
} from './list-filter.ts';
import { withinTime } from './sqlite/reading-time.ts';
import type { Store } from './store.ts';

export type Range = { readonly limit: number; readonly offset: number };

export type Order = { readonly field: string; readonly direction: 'asc' | 'desc' };

export type ListSource<Row> = {
  readonly table: string;
  /** What is read of its rows; absent: all columns. */
  readonly columns?: RawBuilder<unknown>;
  /** Rows of the table that belong to the list; absent: all. */
  readonly scope?: RawBuilder<boolean>;
  readonly fields: FilterFields;
  /** What may be ordered by. */
  readonly orders: Readonly<Record<string, RawBuilder<unknown>>>;
  readonly defaultOrder: RawBuilder<unknown>;
  /** Columns that a search looks through. */
  readonly searched?: readonly RawBuilder<unknown>[];
  /** Carries the type of the rows only. */
  readonly row?: Row;
};

export type ListQuery = {
  readonly filter: Filter | null;
  /** Looked for in the searched columns, ASCII case aside. */
  readonly search: string | null;
  /** Empty: the default order. Fields that the source does not know are left out. */
  readonly order: readonly Order[];
  /** Longest time that rows are looked for; absent: LIST_TIME_MS. */
  readonly timeMs?: number;
};

/** Beyond that many rows of a table, a search or a far page may take tenths of a second. */
const SHORT_ROWS_MAX = 2_000;

/**
 * Counts the rows, and reads pages of them. Throws BAD_REQUEST for a filter on a field that the source does not name,
 * LIST_TOO_SLOW.
 */
export const openList = async <Row>(
  store: Queryable & Pick<Store, 'onThread'>,
  source: ListSource<Row>,
  query: ListQuery,
) => {
  const from = await readerOf(store, source, query);
  const total = await countRows(from, source, query);
  return {
    total,
    rows: (range: Range) => listRows(from, source, { ...query, ...range, total }),
  };
};

/** Who reads the list: a thread of its own where there is much to compare, so that nobody else waits. */
export const readerOf = async <Row>(
  store: Queryable & Pick<Store, 'onThread'>,
  source: ListSource<Row>,
  { filter }: Pick<ListQuery, 'filter'>,
): Promise<Queryable> => {
  // Conditions that look into texts take the longest.
  const texts = filter === null ? [] : conditionsOf(filter).filter(({ kind }) => kind === 'text');
  const rowsMax = Math.floor(SHORT_ROWS_MAX / Math.max(1, texts.length));
  const { rows } = await sql`SELECT 1 FROM ${sql.table(source.table)}
    LIMIT 1 OFFSET ${rowsMax}`.execute(db(store));
  return rows.length === 0 ? store : store.onThread;
};

/** Throws BAD_REQUEST for a filter on a field that the source does not name, LIST_TOO_SLOW. */
export const countRows = async <Row>(
  from: Queryable,
  source: ListSource<Row>,
  query: ListQuery,
): Promise<number> => {
  const { rows } = await sql<{ total: number }>`
    SELECT count(*) AS total FROM ${sql.table(source.table)}
    ${whereOf(source, { ...query, order: [] }, 'count')}`.execute(db(from));
  return rows[0]?.total ?? 0;
};

type PageQuery = ListQuery & Range & { /** As countRows has it. */ readonly total: number };

/** Throws LIST_TOO_SLOW. */
export const listRows = async <Row>(
  from: Queryable,
  source: ListSource<Row>,
  query: PageQuery,
): Promise<Row[]> => {
  const table = sql.table(source.table);
  const isWalked = isNear(query);
  const order = orderOf(source, query.order);
  // The plus keeps SQLite from reading in the order of an index.
  const { rows } = await sql<Row>`SELECT ${source.columns ?? sql`${table}.*`} FROM ${table}
    ${whereOf(source, query, isWalked ? 'page' : 'count')}
    ORDER BY ${isWalked ? order : sql`+${order}`}
    LIMIT ${query.limit} OFFSET ${query.offset}`.execute(db(from));
  return rows;
};

/** Rows in the order of an index lie all over the table: to read one costs as much as to pass over so many. */
const PASSED_FOR_ONE = 50;

/** True when the page is soon full, in whatever order rows are looked at. */
const isNear = ({ filter, search, offset, limit, total }: PageQuery): boolean =>
  (filter === null && search === null) || (offset + limit) * PASSED_FOR_ONE < total;

/** Those of the ids that the query chooses now: work in parts passes over rows that changed since it began. */
export const listAmong = async <Row>(
  from: Queryable,
  source: ListSource<Row>,
  { query, ids }: { readonly query: Omit<ListQuery, 'order'>; readonly ids: readonly string[] },
): Promise<string[]> => {
  const id = sql.ref(`${source.table}.id`);
  const given = sql`${id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`;
  const scope = sql<boolean>`${given} AND ${source.scope ?? sql`1`}`;
  const { rows } = await sql<{ id: string }>`SELECT ${id} FROM ${sql.table(source.table)}
    ${whereOf({ ...source, scope }, { ...query, order: [] }, 'page')}`.execute(db(from));
  return rows.map((row) => row.id);
};

/** Nothing when every row belongs: SQLite counts all rows of a table without reading them. */
export const whereOf = <Row>(
  { scope, fields, searched = [] }: ListSource<Row>,
  { filter, search, order, timeMs }: ListQuery,
  use: FilterUse['for'],
): RawBuilder<unknown> => {
  const parts = scope === undefined ? [] : [scope];
  const isInTime = withinTime(timeMs);
  if (filter !== null || search !== null || order.length > 0) parts.push(isInTime);
  if (filter !== null) parts.push(filterCondition(filter, fields, { for: use, isInTime }));
  if (search !== null && searched.length > 0) {
    const hits = searched.map((one) => isLike(one, 'contains', search));
    parts.push(sql<boolean>`(${sql.join(hits, sql` OR `)})`);
  }
  return parts.length === 0 ? sql`` : sql`WHERE ${sql.join(parts, sql` AND `)}`;
};

/** Rows without the value stand first in ascending order. Ties are broken by id, so that pages never repeat or lose a row. */
export const orderOf = <Row>(
  { table, orders, defaultOrder }: ListSource<Row>,
  order: readonly Order[],
): RawBuilder<unknown> => {
  const known = order.flatMap(({ field, direction }) => {
    const value = Object.hasOwn(orders, field) ? orders[field] : undefined;
    return value === undefined ? [] : [sql`${value} ${sql.raw(direction)}`];
  });
  if (known.length === 0) return defaultOrder;
  return sql.join([...known, sql`${sql.ref(`${table}.id`)} DESC`]);
};

export const column = (table: string, name: string): RawBuilder<unknown> =>
  sql`${sql.ref(`${table}.${name}`)}`;

/** A column to filter by; every stored form of a time sorts as the time that it means. */
export const columnField = (
  table: string,
  name: string,
  kind: FilterField['kind'],
): FilterField => {
  const value = column(table, name);
  return { value: kind === 'time' ? timeText(value) : value, kind };
};

/** Columns of a table, to filter and to order by. */
export const ownColumns = <const Name extends string>(
  table: string,
  kinds: Readonly<Record<Name, FilterField['kind']>>,
) => {
  const fields = Object.entries<FilterField['kind']>(kinds).map(
    ([name, kind]) => [name, columnField(table, name, kind)] as const,
  );
  return {
    fields: Object.fromEntries(fields),
    orders: Object.fromEntries(fields.map(([name, { value }]) => [name, value])) as Readonly<
      Record<Name, RawBuilder<unknown>>
    >,
  };
};
