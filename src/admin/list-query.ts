// What a client asks of a list: page, order, filter and search, read into what the store understands. The
// one home of the filter language's parser. Hostile filters are short and shallow, or refused.
import nql from '@tryghost/nql-lang';
import { PrepressError } from '../base/errors.ts';
import { toStoredTime } from '../base/time.ts';
import type { Filter, FilterValue, Operator } from '../store/list-filter.ts';
import { countRows, type ListSource, listRows, type Order } from '../store/list-source.ts';
import type { Reader } from '../store/store.ts';
import { type PageQuery, type Pagination, paginate } from './pagination.ts';

/** Parameters as sent; undefined when not. */
export type ListParameters = PageQuery & {
  readonly order?: string | undefined;
  readonly filter?: string | undefined;
  readonly search?: string | undefined;
};

/**
 * A page of the list. Throws VALIDATION for a page or order that cannot be read, BAD_REQUEST for a filter
 * that cannot be read or reaches for a field that the source does not name.
 */
export const readList = async <Row>(
  { reader, nowMs }: { readonly reader: Reader; readonly nowMs: number },
  source: ListSource<Row>,
  parameters: ListParameters,
): Promise<{ rows: Row[]; pagination: Pagination }> => {
  const query = {
    filter: parseFilter(parameters.filter, nowMs),
    search: parseSearch(parameters.search),
    order: parseOrder(parameters.order),
  };
  const { pagination, range } = paginate(parameters, await countRows(reader, source, query));
  return { rows: await listRows(reader, source, { ...query, ...range }), pagination };
};

const ORDER = /^[a-z0-9_,. ]*$/i;

/** A clause without a direction counts for nothing (facts 2.2). */
const parseOrder = (text = ''): Order[] => {
  if (!ORDER.test(text)) {
    throw new PrepressError('VALIDATION', 'order must be such as "name asc, created_at desc".', {
      property: 'order',
    });
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

const ORDERS_MAX = 10;
const SEARCH_MAX = 200;

const parseSearch = (text: string | undefined): string | null => {
  const search = text?.trim().slice(0, SEARCH_MAX) ?? '';
  return search === '' || search.includes('\0') ? null : search;
};

const FILTER_MAX = 2000;
const DEPTH_MAX = 20;

/** Throws BAD_REQUEST. */
export const parseFilter = (text: string | undefined, nowMs: number): Filter | null => {
  if (text === undefined || text.trim() === '') return null;
  if (text.length > FILTER_MAX || text.includes('\0')) throw unreadable();
  let parsed: unknown;
  try {
    parsed = nql.parse(text, { preserveRelativeDates: true });
  } catch (cause) {
    throw unreadable(cause);
  }
  return toFilter(parsed, { nowMs, depth: 0 });
};

const unreadable = (cause?: unknown): PrepressError =>
  new PrepressError('BAD_REQUEST', 'filter is not written in the filter language.', {
    property: 'filter',
    context: 'Error parsing filter',
    cause,
  });

type Scope = { readonly nowMs: number; readonly depth: number };
type Parsed = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Parsed =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const toFilter = (parsed: unknown, scope: Scope): Filter => {
  if (!isObject(parsed) || scope.depth > DEPTH_MAX) throw unreadable();
  const inner = { ...scope, depth: scope.depth + 1 };
  const [[key = '', value] = []] = Object.entries(parsed);
  if ((key === '$and' || key === '$or') && Array.isArray(value)) {
    const parts = value.map((part) => toFilter(part, inner));
    return { kind: key === '$and' ? 'all' : 'any', parts };
  }
  return toComparison(key, value, scope);
};

const OPERATORS: Readonly<Record<string, Operator>> = {
  $ne: '!=',
  $gt: '>',
  $gte: '>=',
  $lt: '<',
  $lte: '<=',
};

const toComparison = (field: string, wanted: unknown, scope: Scope): Filter => {
  if (!isObject(wanted)) {
    return { kind: 'compare', field, operator: '=', value: toValue(wanted, scope) };
  }
  const [[key = '', value] = []] = Object.entries(wanted);
  const values = (): FilterValue[] =>
    Array.isArray(value) ? value.map((one) => toValue(one, scope)) : [];
  if (key === '$in') return { kind: 'in', field, values: values() };
  if (key === '$nin') return { kind: 'not', part: { kind: 'in', field, values: values() } };
  if (key === '$all') {
    const parts = values().map((one): Filter => ({ kind: 'in', field, values: [one] }));
    return { kind: 'all', parts };
  }
  if (key === '$regex' && value instanceof RegExp) return toText(field, value);
  if (key === '$not' && value instanceof RegExp) return { kind: 'not', part: toText(field, value) };
  const operator = OPERATORS[key];
  if (operator === undefined) {
    return { kind: 'compare', field, operator: '=', value: toValue(wanted, scope) };
  }
  return { kind: 'compare', field, operator, value: toValue(value, scope) };
};

/** The parser makes an expression of a text that it has escaped. */
const toText = (field: string, { source }: RegExp): Filter => {
  const starts = source.startsWith('^');
  const ends = source.endsWith('$') && !isEscaped(source, source.length - 1);
  const body = source.slice(starts ? 1 : 0, ends ? -1 : undefined);
  const text = body.replace(/\\([.*+?^$(){}|[\]\\/])/g, '$1');
  return { kind: 'text', field, match: starts ? 'starts' : ends ? 'ends' : 'contains', text };
};

/** A character is escaped by an odd number of backslashes before it. */
const isEscaped = (source: string, at: number): boolean => {
  let start = at;
  while (source[start - 1] === '\\') start -= 1;
  return (at - start) % 2 === 1;
};

const toValue = (value: unknown, { nowMs }: Scope): FilterValue => {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (isObject(value) && isObject(value.$relativeDate)) {
    return relativeTime(value.$relativeDate, nowMs);
  }
  throw unreadable();
};

const UNIT_MS: Readonly<Record<string, number>> = {
  weeks: 7 * 86_400_000,
  days: 86_400_000,
  hours: 3_600_000,
  minutes: 60_000,
  seconds: 1_000,
};

const relativeTime = ({ op, amount, unit }: Parsed, nowMs: number): string => {
  const count = Number(amount) * (op === 'sub' ? -1 : 1);
  const date = new Date(nowMs);
  if (unit === 'months') date.setUTCMonth(date.getUTCMonth() + count);
  else if (unit === 'years') date.setUTCFullYear(date.getUTCFullYear() + count);
  else date.setTime(nowMs + count * (UNIT_MS[String(unit)] ?? Number.NaN));
  const ms = date.getTime();
  if (Number.isNaN(ms) || ms < -62_167_219_200_000 || ms > 253_402_300_799_999) throw unreadable();
  return toStoredTime(ms);
};
