// A body as its bytes: a string with one unit for each byte of its UTF-8. Bodies are most of what a build reads and
// writes, they are stored as UTF-8 and end as UTF-8, and what is looked for in them on the way is ASCII: so they are
// neither decoded nor encoded, and take a byte a character where a single “ would make it two.

/** Each unit is a byte. What JSON escapes is ASCII, so its JSON is made of the bytes of the text's JSON. */
export type ByteText = string & { readonly [UNITS]: 'bytes' };
declare const UNITS: unique symbol;

export const EMPTY = '' as ByteText;

const NOT_ASCII = /[\u0080-\u00ff]/;

/** What is no character, such as half of a pair, becomes U+FFFD. */
export const toByteText = (text: string): ByteText => spell(Buffer.from(text));

/** `bytes` are UTF-8. */
export const spell = (bytes: Buffer): ByteText => bytes.toString('latin1') as ByteText;

export const bytesOf = (text: ByteText): Buffer => Buffer.from(text, 'latin1');

export const readByteText = (text: ByteText): string =>
  NOT_ASCII.test(text) ? bytesOf(text).toString() : text;
