// Keys of a record, cut out of its JSON as they stand there: nothing is parsed, nothing is spelled anew. The JSON is an
// object as JSON.stringify writes it, without space. Runtime-neutral, and written so that the oldest of the edge
// runtimes can run it.
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
/** Makes brackets braces, and leaves the other signs of JSON as they are. */
const BRACE_BIT = 0x20;

/** The wanted keys with their values, in the record's order. A wanted key has its quotation marks and colon. */
export const pickFields = (bytes: Uint8Array, wanted: readonly Uint8Array[]): Uint8Array[] => {
  const picked: Uint8Array[] = [];
  for (let at = 1; picked.length < wanted.length && bytes[at] === QUOTE; at += 1) {
    const from = at;
    at = valueEnd(bytes, textEnd(bytes, from) + 1);
    if (wanted.some((key) => standsAt(bytes, key, from))) picked.push(bytes.subarray(from, at));
  }
  return picked;
};

/** A loop of its own: `every` of typed arrays takes several times as long. */
export const standsAt = (bytes: Uint8Array, key: Uint8Array, at: number): boolean => {
  let same = 0;
  while (same < key.length && key[same] === bytes[at + same]) same += 1;
  return same === key.length;
};

/** Behind the text that begins at `from`: a quotation mark ends it unless an odd number of backslashes is before it. */
const textEnd = (bytes: Uint8Array, from: number): number => {
  let quote = from;
  do quote = bytes.indexOf(QUOTE, quote + 1);
  while (quote !== -1 && isEscaped(bytes, quote));
  return quote === -1 ? bytes.length : quote + 1;
};

const isEscaped = (bytes: Uint8Array, quote: number): boolean => {
  let at = quote;
  while (bytes[at - 1] === BACKSLASH) at -= 1;
  return (quote - at) % 2 === 1;
};

/** Behind the value that begins at `from`. */
const valueEnd = (bytes: Uint8Array, from: number): number => {
  let depth = 0;
  let at = from;
  for (; at < bytes.length; at += 1) {
    const byte = (bytes[at] as number) | BRACE_BIT;
    if (depth === 0 && (byte === COMMA || byte === CLOSE_BRACE)) break;
    if (byte === QUOTE) at = textEnd(bytes, at) - 1;
    else if (byte === OPEN_BRACE) depth += 1;
    else if (byte === CLOSE_BRACE) depth -= 1;
  }
  return at;
};
