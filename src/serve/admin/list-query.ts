// What a client asks of a list: page, order, filter and search, read into what the store understands.
import { invalid, PrepressError } from '../../base/errors.ts';
import {
  ADMIN_FILTER_CHARACTERS_MAX,
  ADMIN_FILTER_CONDITIONS_MAX,
  ORDERS_MAX,
  SEARCH_CHARACTERS_MAX,
} from '../../base/limits.ts';
import { toStoredTime } from '../../base/time.ts';
import { type Filter, parseFilter } from '../../content/queries/filter.ts';
import type { JsonObject } from '../../publication/documents/admin/document-context.ts';
import { conditionsOf } from '../../publication/store/list-filter.ts';
import { type ListSource, type Order, openList } from '../../publication/store/list-source.ts';
import { type PageQuery, type Pagination, paginate } from './pagination.ts';
import type { WriteContext } from './use-case-context.ts';

/** Parameters as sent; undefined when not. */
export type ListParameters = PageQuery & {
  readonly order?: string | undefined;
  readonly filter?: string | undefined;
  readonly search?: string | undefined;
};

/** A page of a list, as it is answered. */
export type Listed = { readonly records: JsonObject[]; readonly pagination: Pagination };

/** Leaves only the keys that `fields` names, and `more`; without it, all of them. */
export const pickFields = (
  records: readonly JsonObject[],
  fields: readonly string[] | undefined,
  more: readonly string[],
): JsonObject[] => {
  if (fields === undefined || fields.length === 0) return [...records];
  const wanted = new Set([...fields, ...more]);
  return records.map((record) =>
    Object.fromEntries(Object.entries(record).filter(([key]) => wanted.has(key))),
  );
};

/**
 * A page of the list. Throws VALIDATION for a page or order that cannot be read, BAD_REQUEST for a filter
 * that cannot be read or reaches for a field that the source does not name, LIST_TOO_SLOW.
 */
export const readList = async <Row>(
  { store, clock }: WriteContext,
  source: ListSource<Row>,
  parameters: ListParameters,
): Promise<{ rows: Row[]; pagination: Pagination }> => {
  const selection = readSelection(parameters, clock.now());
  const order = parseOrder(parameters.order);
  const list = await openList(store, source, { ...selection, order });
  const { pagination, range } = paginate(parameters, list.total);
  return { rows: await list.rows(range), pagination };
};

/** Throws BAD_REQUEST for a filter that cannot be read. */
export const readSelection = (
  { filter, search }: Pick<ListParameters, 'filter' | 'search'>,
  nowMs: number,
): { filter: Filter | null; search: string | null } => ({
  filter: readFilter(filter, nowMs),
  search: parseSearch(search),
});

const ORDER = /^[a-z0-9_,. ]*$/i;

/** A clause without a direction counts for nothing (facts 2.2). */
const parseOrder = (text = ''): Order[] => {
  if (!ORDER.test(text)) {
    throw invalid('order', 'order must be such as "name asc, created_at desc".');
  }
  return text
    .toLowerCase()
    .split(',')
    .slice(0, ORDERS_MAX)
    .flatMap((clause) => {
      const [field = '', direction, more] = clause.trim().split(/\s+/);
      if (more !== undefined || (direction !== 'asc' && direction !== 'desc')) return [];
      return [{ field, direction }];
    });
};

const parseSearch = (text: string | undefined): string | null => {
  const search = text?.trim().slice(0, SEARCH_CHARACTERS_MAX) ?? '';
  return search === '' || search.includes('\0') ? null : search;
};

/** Throws BAD_REQUEST. */
const readFilter = (text: string | undefined, nowMs: number): Filter | null => {
  if (text === undefined || text.trim() === '') return null;
  if (text.length > ADMIN_FILTER_CHARACTERS_MAX) {
    throw unread(
      `filter has ${text.length} characters of at most ${ADMIN_FILTER_CHARACTERS_MAX}, so send several requests with a part each`,
    );
  }
  const filter = parseFilter(text, nowMs);
  if (typeof filter === 'string') throw unread(`filter ${filter}`);
  const count = conditionsOf(filter).length;
  if (count <= ADMIN_FILTER_CONDITIONS_MAX) return atNow(filter, toStoredTime(nowMs));
  throw unread(
    `filter has ${count} conditions of at most ${ADMIN_FILTER_CONDITIONS_MAX}, so name values together, as in id:[a,b]`,
  );
};

/** `now` alone is a word to the language; before or after it can only mean the time. */
const atNow = (filter: Filter, now: string): Filter => {
  if ('parts' in filter) {
    return { ...filter, parts: filter.parts.map((part) => atNow(part, now)) };
  }
  const isCompared = filter.kind === 'compare' && /^[<>]/.test(filter.operator);
  return isCompared && filter.value === 'now' ? { ...filter, value: now } : filter;
};

const unread = (fault: string): PrepressError =>
  new PrepressError('BAD_REQUEST', `${fault}.`, {
    property: 'filter',
    context: 'Error parsing filter',
  });
