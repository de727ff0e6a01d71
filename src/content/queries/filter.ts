// The filter language of Ghost (NQL; facts 2.3), read by hand: one reader for the lists of the admin interface and of
// the content interface. It takes what `@tryghost/nql-lang` 0.7.0 takes, and what that refuses or misreads by mistake:
// values of one character, brackets within brackets, quotation marks and nothing at all between quotes, addresses and
// fractions as values, and a backslash before any sign. Runtime-neutral, and written so that the oldest of the edge
// runtimes can run it.
import { FILTER_DEPTH_MAX } from '../../base/limits.ts';
import { shownName } from './query-problem.ts';

export type FilterValue = string | number | boolean | null;
export type Operator = '=' | '!=' | '>' | '>=' | '<' | '<=';
export type TextMatch = 'contains' | 'starts' | 'ends';

/** A filter that was read; which fields exist is decided by the list. Times from now on are ISO 8601 in UTC. */
export type Filter =
  | { readonly kind: 'all'; readonly parts: readonly Filter[] }
  | { readonly kind: 'any'; readonly parts: readonly Filter[] }
  | { readonly kind: 'not'; readonly part: Filter }
  | {
      readonly kind: 'compare';
      readonly field: string;
      readonly operator: Operator;
      readonly value: FilterValue;
    }
  | { readonly kind: 'in'; readonly field: string; readonly values: readonly FilterValue[] }
  | {
      readonly kind: 'text';
      readonly field: string;
      readonly match: TextMatch;
      readonly text: string;
    };

/**
 * A text that is no filter, or has more than 20 brackets within each other, gives what is wrong with it: where reading
 * stops. Who asks says how long one may be.
 */
export const parseFilter = (text: string, nowMs: number): Filter | string => {
  const input: Input = { rest: text, nowMs };
  try {
    const filter = readAny(input, 0);
    if (take(input, /^$/)) return filter;
  } catch (error) {
    if (error !== REFUSED) throw error;
  }
  const rest = input.rest;
  // A + in an address is a space.
  const advice = / /.test(text) ? '; send + as %2B' : '';
  return `is not understood at ${rest ? shownName(rest) : 'its end'}${advice}`;
};

type Input = { rest: string; readonly nowMs: number };

/** Readers throw it where something else stands than what must follow; nobody else sees it. */
const REFUSED = new Error();

/**
 * What parts the signs of the language. The ranges are those of `\s`, which the engine of nginx reads as ASCII alone;
 * they stand in each expression here.
 */
const SPACES = /^[\t-\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+/;

const takeHere = (input: Input, form: RegExp): RegExpExecArray | null => {
  const match = form.exec(input.rest);
  if (match) input.rest = input.rest.slice(match[0].length);
  return match;
};

/** The same after any space. */
const take = (input: Input, form: RegExp): RegExpExecArray | null => {
  takeHere(input, SPACES);
  return takeHere(input, form);
};

const mustTake = (input: Input, form: RegExp): RegExpExecArray => {
  const match = take(input, form);
  if (match === null) throw REFUSED;
  return match;
};

type PartReader = (input: Input, depth: number) => Filter;

const readParts = (kind: 'any' | 'all', separator: RegExp, readPart: PartReader): PartReader => {
  return (input, depth) => {
    const first = readPart(input, depth);
    const parts = [first];
    while (take(input, separator)) parts.push(readPart(input, depth));
    return parts.length === 1 ? first : { kind, parts };
  };
};

const readOne: PartReader = (input, depth) => {
  if (!take(input, /^\(/)) return readComparison(input);
  if (depth === FILTER_DEPTH_MAX) throw REFUSED;
  const inner = readAny(input, depth + 1);
  mustTake(input, /^\)/);
  return inner;
};

const readAll = readParts('all', /^\+/, readOne);
const readAny = readParts('any', /^,/, readAll);

const readComparison = (input: Input): Filter => {
  const field = mustTake(input, /^([a-zA-Z_][a-zA-Z0-9_.]*):/)[1] as string;
  const isNot = take(input, /^-/) !== null;
  const filter = readText(input, field) || readList(input, field, isNot);
  if (filter !== null) return isNot ? { kind: 'not', part: filter } : filter;
  const sign = isNot ? null : takeHere(input, /^[<>]=?/);
  const operator = isNot ? '!=' : sign ? (sign[0] as Operator) : '=';
  return { kind: 'compare', field, operator, value: readValue(input) };
};

/** Null where something else stands. */
const readText = (input: Input, field: string): Filter | null => {
  // The sign belongs to the tilde, without space.
  const sign = take(input, /^~([$^]?)/);
  if (sign === null) return null;
  const match = sign[1] ? (sign[1] === '^' ? 'starts' : 'ends') : 'contains';
  return { kind: 'text', field, match, text: unquoted(mustTake(input, QUOTED)) };
};

/** `[a,b]`: any of them; `[a+b]`: all of them, of what can have several values. Null where something else stands. */
const readList = (input: Input, field: string, isNot: boolean): Filter | null => {
  if (!take(input, /^\[/)) return null;
  const values = [readValue(input)];
  const isAll = !isNot && take(input, /^\+/);
  if (isAll) values.push(readValue(input));
  while (take(input, isAll ? /^\+/ : /^,/)) values.push(readValue(input));
  mustTake(input, /^\]/);
  return isAll
    ? { kind: 'all', parts: values.map((value) => ({ kind: 'in', field, values: [value] })) }
    : { kind: 'in', field, values };
};

/** A quotation mark ends it unless a backslash stands before it. Some databases end a text where U+0000 stands. */
const QUOTED = /^'((?:[^\\'\0]|\\+[^\\\0])*)'/;
/** Signs of the language end a word unless a backslash stands before them. */
const WORD =
  /^(?:\\['"+,()><=[\]~]?|[^-\0\t-\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff\\'"+,()><=[\]~])(?:\\['"+,()><=[\]~]?|[^\0\t-\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff\\'"+,()><=[\]~])*/;

const unquoted = (match: RegExpExecArray): string =>
  (match[1] as string).replace(/\\(['"])/g, '$1');

const readValue = (input: Input): FilterValue => {
  const quoted = take(input, QUOTED);
  if (quoted !== null) return unquoted(quoted);
  const relative = takeHere(
    input,
    /^now([+-]\d+)([smhdwMy])(?=[\t-\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff+,()[\]]|$)/,
  );
  return relative
    ? relativeTime(input.nowMs, Number(relative[1]), relative[2] as string)
    : wordValue(mustTake(input, WORD)[0]);
};

const wordValue = (written: string): FilterValue => {
  if (/^(?:[nN]ull|NULL)$/.test(written)) return null;
  if (/^(?:[tT]rue|TRUE)$/.test(written)) return true;
  if (/^(?:[fF]alse|FALSE)$/.test(written)) return false;
  // A name such as 007 is no number: it would not be found again.
  const isNumber = /^[\d.]+$/.test(written) && String(Number(written)) === written;
  return isNumber ? Number(written) : written.replace(/\\(['"+,()><=[\]~^$])/g, '$1');
};

const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

const ISO_LENGTH = 24;

const relativeTime = (nowMs: number, count: number, unit: string): string => {
  const unitMs = UNIT_MS[unit] || 0;
  const date = new Date(nowMs + count * unitMs);
  // A month or a year has no length of its own.
  if (unitMs === 0) date.setUTCMonth(date.getUTCMonth() + count * (unit === 'y' ? 12 : 1));
  const text = date.toJSON() || '';
  // Years outside of 0 to 9999 are not written with four digits, and cannot be stored.
  if (text.length !== ISO_LENGTH) throw REFUSED;
  return text;
};
