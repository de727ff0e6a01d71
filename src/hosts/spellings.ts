// Regular expressions over raw queries that find a parameter's value in every spelling: any letter
// percent-encoded, values in any case and among others, parameters in any order, repeated ones merged.
// The invariant: they say what paths/query.ts says. Plain enough for PCRE, RE2 and JavaScript.

const COMMA = '(?:,|%2[cC])';
const SPACE = '(?:\\+|%20|%09|%0[a-dA-D])*';
const BLANK = '(?:[\\s+]|%20|%09|%0[a-dA-D])*';
const START = '(?:^|&)';
const END = '(?:&|$)';

/** A query that asks for `value` as one of the values of `name`. */
export const asksFor = (name: string, value: string): string =>
  `${START}${exactly(name)}=(?:[^&]*${COMMA})?${SPACE}${inAnyCase(value)}${SPACE}(?:${COMMA}[^&]*)?${END}`;

/** A value of a parameter that has `value` among others, raw or decoded. */
export const holds = (value: string): string =>
  `^(?:.*${COMMA})?${BLANK}${inAnyCase(value)}${BLANK}(?:${COMMA}.*)?$`;

/** A value that is the number of a page after the first, which is the group `page`. */
export const holdsPage = (): string => `^${BLANK}0*(?<page>[2-9]|[1-9][0-9]{1,8})${BLANK}$`;

/** A query that asks for a page after the first; the page is the first group. */
export const asksForPage = (): string =>
  `${START}${exactly('page')}=${SPACE}0*([2-9]|[1-9][0-9]{1,8})${SPACE}${END}`;

/** A text of a path or query, each letter as it is or encoded. */
export const exactly = (text: string): string =>
  [...text].map((letter) => `(?:${literal(letter)}|${encoded(letter)})`).join('');

const inAnyCase = (text: string): string =>
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

const literal = (letter: string): string => (letter === '.' ? '[.]' : letter);

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
