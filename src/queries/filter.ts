// The filter language of Ghost (NQL; facts 2.3), read by hand: one reader for the lists of the admin interface and of
// the content interface. It takes what `@tryghost/nql-lang` 0.7.0 takes, and what that refuses or misreads by mistake:
// values of one character, brackets within brackets, quotation marks and nothing at all between quotes, addresses and
// fractions as values, and a backslash before any sign. Runtime-neutral, and written so that the oldest of the edge
// runtimes can run it.

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

const LENGTH_MAX = 2000;
const DEPTH_MAX = 20;

/** Null for a text that is no filter, is longer than 2,000 characters, or has more than 20 brackets within each other. */
export const parseFilter = (text: string, nowMs: number): Filter | null => {
  if (text.length > LENGTH_MAX || text.indexOf('\0') !== -1) return null;
  const input: Input = { text, nowMs, at: 0 };
  const filter = readAny(input, 0);
  skipSpace(input);
  return filter !== null && input.at === text.length ? filter : null;
};

/** `at` is where the next character stands. A reader that gives null may leave it anywhere: then all is refused. */
type Input = { readonly text: string; readonly nowMs: number; at: number };
type PartReader = (input: Input, depth: number) => Filter | null;

const skipSpace = (input: Input): void => {
  while (input.at < input.text.length && /\s/.test(input.text.charAt(input.at))) input.at += 1;
};

/** Takes this text, after any space, if it comes next. */
const take = (input: Input, wanted: string): boolean => {
  skipSpace(input);
  if (input.text.substr(input.at, wanted.length) !== wanted) return false;
  input.at += wanted.length;
  return true;
};

const readParts = (kind: 'any' | 'all', separator: string, readPart: PartReader): PartReader => {
  return (input, depth) => {
    const parts: Filter[] = [];
    do {
      const part = readPart(input, depth);
      if (part === null) return null;
      parts.push(part);
    } while (take(input, separator));
    return parts.length === 1 ? (parts[0] as Filter) : { kind, parts };
  };
};

const readOne: PartReader = (input, depth) => {
  if (depth > DEPTH_MAX) return null;
  if (!take(input, '(')) return readComparison(input);
  const inner = readAny(input, depth + 1);
  return take(input, ')') ? inner : null;
};

const readAll = readParts('all', '+', readOne);
const readAny = readParts('any', ',', readAll);

const FIELD = /^[a-zA-Z_][a-zA-Z0-9_.]*:/;

const readComparison = (input: Input): Filter | null => {
  const match = FIELD.exec(input.text.slice(input.at));
  if (match === null) return null;
  input.at += match[0].length;
  const field = match[0].slice(0, -1);
  const isNot = take(input, '-');
  const filter = readText(input, field) || readList(input, field, isNot);
  if (filter === 'refused') return null;
  if (filter !== null) return isNot ? { kind: 'not', part: filter } : filter;
  const operator = isNot ? '!=' : readOperator(input);
  const value = readValue(input);
  return value === undefined ? null : { kind: 'compare', field, operator, value };
};

/** The longer signs first. */
const OPERATORS: readonly Operator[] = ['>=', '<=', '>', '<'];

const readOperator = (input: Input): Operator => {
  for (let at = 0; at < OPERATORS.length; at += 1) {
    const operator = OPERATORS[at] as Operator;
    if (take(input, operator)) return operator;
  }
  return '=';
};

/** Null where something else stands, 'refused' where it is wrong. */
const readText = (input: Input, field: string): Filter | 'refused' | null => {
  if (!take(input, '~')) return null;
  // The sign belongs to the tilde, without space.
  const sign = input.text.charAt(input.at);
  if (sign === '^' || sign === '$') input.at += 1;
  const match = sign === '^' ? 'starts' : sign === '$' ? 'ends' : 'contains';
  const text = readQuoted(input);
  return text === null ? 'refused' : { kind: 'text', field, match, text };
};

/** `[a,b]`: any of them; `[a+b]`: all of them, of what can have several values. */
const readList = (input: Input, field: string, isNot: boolean): Filter | 'refused' | null => {
  if (!take(input, '[')) return null;
  const values: FilterValue[] = [];
  let separator = '';
  for (;;) {
    const value = readValue(input);
    if (value === undefined) return 'refused';
    values.push(value);
    if (take(input, ']')) break;
    const sign = take(input, ',') ? ',' : take(input, '+') ? '+' : '';
    if (sign === '' || (separator !== '' && sign !== separator)) return 'refused';
    separator = sign;
  }
  if (separator !== '+') return { kind: 'in', field, values };
  if (isNot) return 'refused';
  return { kind: 'all', parts: values.map((value) => ({ kind: 'in', field, values: [value] })) };
};

/** Undefined when none stands there. */
const readValue = (input: Input): FilterValue | undefined => {
  const quoted = readQuoted(input);
  if (quoted !== null) return quoted;
  const relative = readRelativeTime(input);
  if (relative !== null) return relative === '' ? undefined : relative;
  const from = input.at;
  const word = readWord(input);
  if (word === '' || word.charAt(0) === '-') return undefined;
  return wordValue(word, input.text.slice(from, input.at));
};

/** A text between single quotes; null when none stands there, or it has no end. */
const readQuoted = (input: Input): string | null => {
  if (!take(input, "'")) return null;
  let out = '';
  for (; input.at < input.text.length; input.at += 1) {
    let character = input.text.charAt(input.at);
    if (character === "'") {
      input.at += 1;
      return out;
    }
    const next = input.text.charAt(input.at + 1);
    if (character === '\\' && (next === "'" || next === '"')) {
      character = next;
      input.at += 1;
    }
    out += character;
  }
  return null;
};

/** Signs of the language, which end a word unless a backslash stands before them. */
const SIGNS = '\'"+,()><=[]~';
const ESCAPED = `${SIGNS}^$`;

const readWord = (input: Input): string => {
  let word = '';
  for (; input.at < input.text.length; input.at += 1) {
    let character = input.text.charAt(input.at);
    const next = input.text.charAt(input.at + 1);
    if (character === '\\' && next !== '' && ESCAPED.indexOf(next) !== -1) {
      character = next;
      input.at += 1;
    } else if (SIGNS.indexOf(character) !== -1 || /\s/.test(character)) {
      break;
    }
    word += character;
  }
  return word;
};

const wordValue = (word: string, written: string): FilterValue => {
  if (/^(?:null|NULL|Null)$/.test(written)) return null;
  if (/^(?:true|TRUE|True)$/.test(written)) return true;
  if (/^(?:false|FALSE|False)$/.test(written)) return false;
  // A name such as 007 is no number: it would not be found again.
  const isNumber = /^\d+(?:\.\d+)?$/.test(written) && String(Number(written)) === written;
  return isNumber ? Number(written) : word;
};

const RELATIVE = /^now([+-])(\d+)([smhdwMy])(?=[\s+,()[\]]|$)/;
const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
};
/** The years 0 to 9999: others are not written with four digits. */
const TIME_MIN = -62_167_219_200_000;
const TIME_MAX = 253_402_300_799_999;

/** Null when none stands there; empty when it is no time that can be stored. */
const readRelativeTime = (input: Input): string | null => {
  const match = RELATIVE.exec(input.text.slice(input.at));
  if (match === null) return null;
  input.at += match[0].length;
  const count = Number(match[2]) * (match[1] === '-' ? -1 : 1);
  const unit = match[3] as string;
  const date = new Date(input.nowMs);
  if (unit === 'M') date.setUTCMonth(date.getUTCMonth() + count);
  else if (unit === 'y') date.setUTCFullYear(date.getUTCFullYear() + count);
  else date.setTime(input.nowMs + count * (UNIT_MS[unit] as number));
  const ms = date.getTime();
  return ms >= TIME_MIN && ms <= TIME_MAX ? date.toISOString() : '';
};
