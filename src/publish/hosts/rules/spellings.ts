// Regular expressions over raw queries that find a parameter's value in every spelling: any letter
// percent-encoded, values in any case and among others, parameters in any order, repeated ones merged.
// The invariant: they say what content/paths/query.ts says. Plain enough for PCRE, RE2 and JavaScript.

export const COMMA = '(?:,|%2[cC])';
/** One of the spaces within a text. */
const SPACE = '(?:\\+|%20)';
/** Space that means nothing. */
export const BLANK = '(?:\\+|%20|%09|%0[a-dA-D])*';
/** Any text of one value. */
const ANY = '[^&]*';
const START = '(?:^|&)';
const END = '(?:&|$)';

/** Before a digit, which may be encoded. */
export const DIGIT = '(?:%3)?';

/** A sign that is no digit, after one of plus or minus. */
const NO_DIGIT = `(?:[^0-9%&]|%[^3&]|%3[^0-9&])${ANY}|%3?`;

/** A text without space before it that does not begin as a number does. */
export const NO_NUMBER = `(?:(?:[^&%+0-9\\x00-\\x20-]|%(?:[^023&]|0[^9a-dA-D&]|2[^0bBdD&]|3[^0-9&]))${ANY}|%[023]?|(?:-|%2[bBdD])(?:${NO_DIGIT})?)`;

/** A list that has `value` among others. */
export const listWith = (value: string): string =>
  `(?:${ANY}${COMMA})?${BLANK}${inAnyCase(value)}${BLANK}(?:${COMMA}${ANY})?`;

/** A list of some of these values, or of nothing. */
export const listOf = (values: readonly string[]): string => {
  const one =
    values.length === 0 ? BLANK : `${BLANK}(?:(?:${values.map(inAnyCase).join('|')})${BLANK})?`;
  return `${one}(?:${COMMA}${one})*`;
};

/** What an order may be written in. */
const ORDER_SIGN = '(?:[A-Za-z0-9_.]|%[46][1-9a-fA-F]|%[57][0-9aA]|%3[0-9]|%2[eE]|%5[fF])';

export const ORDER_TEXT = `(?:${ORDER_SIGN}|${COMMA}|${SPACE})*`;

/** A clause of an order that has no direction, so that it counts for nothing. */
const IDLE = `${SPACE}*(?:${ORDER_SIGN}+${SPACE}*)?`;

/** One of these orders, which begin with the same clause, also with clauses that count for nothing. */
export const orderOf = (orders: readonly string[]): string =>
  `(?:${IDLE}${COMMA})*${beginningOf(orders)}`;

/** The same, or clauses that count for nothing alone. */
export const orderOrNone = (orders: readonly string[]): string =>
  `(?:${IDLE}${COMMA})*(?:${beginningOf(orders)}|${IDLE})`;

const beginningOf = (orders: readonly string[]): string => {
  const clauses = orders.map((order) => order.split(','));
  const more = clauses.flatMap(([, second]) => (second === undefined ? [] : [clauseOf(second)]));
  return `${clauseOf(clauses[0]?.[0] ?? '')}(?:${COMMA}(?:${[...more, IDLE].join('|')}))*`;
};

const clauseOf = (clause: string): string =>
  `${SPACE}*${clause.split(' ').map(inAnyCase).join(`${SPACE}+`)}${SPACE}*`;

/** An order that one of these fields counts in. */
export const orderBy = (fields: readonly string[]): string => {
  const directions = ['asc', 'desc'].map(inAnyCase).join('|');
  return `(?:${ANY}(?:${COMMA}|${SPACE}))?(?:${fields.map(inAnyCase).join('|')})${SPACE}+(?:${directions})${ANY}`;
};

/** A filter of a field and a value, also in brackets and quotation marks. */
export const filterOf = (filter: string): string => {
  const [field = '', value = ''] = filter.split(':');
  const values = [value, `'${value}'`].map(exactly).join('|');
  const one = `${BLANK}${exactly(`${field}:`)}${BLANK}(?:${values})${BLANK}`;
  return `(?:${one}|${BLANK}${exactly('(')}${one}${exactly(')')}${BLANK})`;
};

/** The whole of a raw query that has a parameter of this value. */
export const queryWith = (name: string, value: string): string =>
  `${START}${nameOf(name)}=${value}${END}`;

/** A raw query that has a parameter, with any value. */
export const queryHaving = (name: string): string => `${START}${nameOf(name)}=`;

/** A raw query that has a parameter so many times, or more often, each time with this value. */
export const queryRepeating = (name: string, times: number, value = ANY): string => {
  const one = `${nameOf(name)}(?:=${value})?`;
  return `${START}${Array.from({ length: times }, () => one).join('&(?:[^&]*&)*')}${END}`;
};

/** The name of a parameter, and the same as a list has it: `include[]`, `include[0]`. */
export const nameOf = (name: string): string =>
  `${exactly(name)}(?:${exactly('[')}(?:${DIGIT}[0-9]){0,3}${exactly(']')})?`;

/** A text of a path or query, each letter as it is or encoded. A plus is a space in queries. */
export const exactly = (text: string): string =>
  [...text].map((letter) => `(?:${literal(letter)}|${encoded(letter)})`).join('');

export const inAnyCase = (text: string): string =>
  [...text]
    .map((letter) => {
      const [lower, upper] = [letter.toLowerCase(), letter.toUpperCase()];
      if (lower === upper) return `(?:${literal(letter)}|${encoded(letter)})`;
      return `(?:[${lower}${upper}]|${encoded(lower)}|${encoded(upper)})`;
    })
    .join('');

const encoded = (letter: string): string => encodedByte(letter.charCodeAt(0));

const encodedByte = (byte: number): string =>
  `%${[...byte.toString(16).padStart(2, '0')].map(hexDigit).join('')}`;

const hexDigit = (digit: string): string =>
  digit > '9' ? `[${digit}${digit.toUpperCase()}]` : digit;

const literal = (letter: string): string => {
  if (letter === '.') return '[.]';
  return /[A-Za-z0-9_:-]/.test(letter) ? letter : `\\x${letter.charCodeAt(0).toString(16)}`;
};

/** A slug as it may be sent to servers that take bytes which should have been encoded: each byte as it is, where paths can have it, or encoded in either case. */
export const rawSlugSpellings = (slug: string): string =>
  [...Buffer.from(slug)]
    .map((byte) => {
      const code = encodedByte(byte);
      const letter = String.fromCharCode(byte);
      if (byte <= 0x20 || byte === 0x7f || /[#%/?]/.test(letter)) return code;
      return `(?:${/[A-Za-z0-9]/.test(letter) ? letter : `\\x${byte.toString(16)}`}|${code})`;
    })
    .join('');

/** A path of plain letters as a pattern. */
export const dotted = (path: string): string => path.replaceAll('.', '[.]');

/** A decoded text as a pattern, in characters that mean nothing in any host's language. */
export const textPattern = (text: string): string =>
  text.replace(
    /[^A-Za-z0-9_~\u0080-\uffff-]/g,
    (letter) => `\\x${letter.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
