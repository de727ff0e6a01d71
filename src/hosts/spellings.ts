// Regular expressions over raw queries that find a parameter's value in every spelling: any letter
// percent-encoded, values in any case and among others, parameters in any order, repeated ones merged.
// The invariant: they say what paths/query.ts says. Plain enough for PCRE, RE2 and JavaScript.

const COMMA = '(?:,|%2[cC])';
const SPACE = '(?:\\+|%20|%09|%0[a-dA-D])*';
const BLANK = '(?:[\\s+]|%20|%09|%0[a-dA-D])*';
const START = '(?:^|&)';
const END = '(?:&|$)';

/** How values are compared: as they were sent, or by hosts that may have decoded them. */
export type Spelling = {
  readonly sign: (sign: string) => string;
  /** Space that means nothing. */
  readonly blank: string;
  /** Any text of one value. */
  readonly any: string;
  /** A value that programs read otherwise than these expressions: with letters beyond ASCII, or malformed codes. */
  readonly odd: string;
  /** A slug that needs a rule of its own. */
  readonly slug: (slug: string) => string;
};

/** What may stand in a query as it is, and what only its code can mean. */
const sentSign = (sign: string): string => {
  if (sign === ' ') return '(?:\\+|%20)';
  const code = [...Buffer.from(sign)].map(encodedByte).join('');
  return /^[!-~]$/.test(sign) && !/[%&#+]/.test(sign) ? `(?:${literal(sign)}|${code})` : code;
};

/** Of raw queries. */
export const SENT: Spelling = {
  sign: sentSign,
  blank: SPACE,
  any: '[^&]*',
  odd: '[^&]*(?:(?:[^\\x21-\\x7e]|%[^0-7&]|%[0-7][^0-9a-fA-F&])[^&]*|%[0-7]?)',
  slug: (slug) => slugSpellings(slug),
};

/** Of queries that are decoded, or are not. */
export const EITHER: Spelling = {
  sign: (sign) => (sign === ' ' ? '(?:[ +]|%20)' : `(?:${textPattern(sign)}|${sentSign(sign)})`),
  blank: BLANK,
  any: '.*',
  odd: '[\\s\\S]*(?:[^\\x09-\\x0d\\x20-\\x7e]|%(?![0-7][0-9a-fA-F]))[\\s\\S]*',
  slug: (slug) => `(?:${slugSpellings(slug)}|${textPattern(slug)})`,
};

/** A list that has `value` among others. */
export const listWith = ({ any, blank }: Spelling, value: string): string =>
  `(?:${any}${COMMA})?${blank}${inAnyCase(value)}${blank}(?:${COMMA}${any})?`;

/** A list of some of these values, or of nothing. */
export const listOf = ({ blank }: Spelling, values: readonly string[]): string => {
  const one =
    values.length === 0 ? blank : `${blank}(?:(?:${values.map(inAnyCase).join('|')})${blank})?`;
  return `${one}(?:${COMMA}${one})*`;
};

/** Values in this order, words of each apart from each other. */
export const wordsOf = ({ blank, sign }: Spelling, text: string): string =>
  text
    .split(',')
    .map((clause) => {
      const words = clause.split(' ').map(inAnyCase);
      return `${blank}${words.join(`${sign(' ')}+`)}${blank}`;
    })
    .join(COMMA);

/** The whole of a raw query that has a parameter of this value. */
export const queryWith = (name: string, value: string): string =>
  `${START}${nameOf(name)}=${value}${END}`;

/** A raw query that has a parameter, with any value. */
export const queryHaving = (name: string): string => `${START}${nameOf(name)}=`;

/** A raw query that has a parameter more than once. */
export const queryRepeating = (name: string): string =>
  `${START}${nameOf(name)}(?:=[^&]*)?&(?:[^&]*&)*${nameOf(name)}(?:[=&]|$)`;

/** The name of a parameter, and the same as a list has it: `include[]`, `include[0]`. */
export const nameOf = (name: string): string =>
  `${exactly(name)}(?:${exactly('[')}[0-9]{0,3}${exactly(']')})?`;

/** A text of a path or query, each letter as it is or encoded. */
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

/** A slug as it may be sent: each byte as it is, where paths can have it, or encoded in either case. */
export const slugSpellings = (slug: string): string =>
  spelled(slug, (byte) => byte <= 0x20 || byte >= 0x7f || isReserved(byte));

/** The same for servers that take bytes which should have been encoded. */
export const rawSlugSpellings = (slug: string): string =>
  spelled(slug, (byte) => byte <= 0x20 || byte === 0x7f || isReserved(byte));

const isReserved = (byte: number): boolean => /[#%/?]/.test(String.fromCharCode(byte));

const spelled = (slug: string, isAlwaysEncoded: (byte: number) => boolean): string =>
  [...Buffer.from(slug)]
    .map((byte) => {
      const code = encodedByte(byte);
      if (isAlwaysEncoded(byte)) return code;
      const letter = String.fromCharCode(byte);
      return `(?:${/[A-Za-z0-9]/.test(letter) ? letter : `\\x${byte.toString(16)}`}|${code})`;
    })
    .join('');

/** A decoded text as a pattern, in characters that mean nothing in any host's language. */
export const textPattern = (text: string): string =>
  text.replace(
    /[^A-Za-z0-9_~\u0080-\uffff-]/g,
    (letter) => `\\x${letter.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
