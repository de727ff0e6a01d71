// What `@tryghost/nql-lang` reads in a filter, in our own form.
import nql from '@tryghost/nql-lang';
import type { Filter, FilterValue, Operator } from '../../src/content/queries/filter.ts';

type Parsed = Readonly<Record<string, unknown>>;

/** Throws an Error for what it does not take. */
export const readByNql = (text: string, nowMs: number): Filter =>
  toFilter(nql.parse(text, { preserveRelativeDates: true }), nowMs);

const isObject = (value: unknown): value is Parsed =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const toFilter = (parsed: unknown, nowMs: number): Filter => {
  const [[key = '', value] = []] = Object.entries(parsed as Parsed);
  if ((key === '$and' || key === '$or') && Array.isArray(value)) {
    const parts = value.map((part) => toFilter(part, nowMs));
    return { kind: key === '$and' ? 'all' : 'any', parts };
  }
  return toComparison(key, value, nowMs);
};

const OPERATORS: Readonly<Record<string, Operator>> = {
  $ne: '!=',
  $gt: '>',
  $gte: '>=',
  $lt: '<',
  $lte: '<=',
};

const toComparison = (field: string, wanted: unknown, nowMs: number): Filter => {
  if (!isObject(wanted)) {
    return { kind: 'compare', field, operator: '=', value: toValue(wanted, nowMs) };
  }
  const [[key = '', value] = []] = Object.entries(wanted);
  const values = (): FilterValue[] =>
    Array.isArray(value) ? value.map((one) => toValue(one, nowMs)) : [];
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
    return { kind: 'compare', field, operator: '=', value: toValue(wanted, nowMs) };
  }
  return { kind: 'compare', field, operator, value: toValue(value, nowMs) };
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

const toValue = (value: unknown, nowMs: number): FilterValue => {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (isObject(value) && isObject(value.$relativeDate)) {
    return relativeTime(value.$relativeDate, nowMs);
  }
  throw new Error('No value of the language.');
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
  return date.toISOString();
};
