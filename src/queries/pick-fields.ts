// Keys of a record, cut out of its JSON as they stand there: nothing is parsed, nothing is spelled anew. The JSON is an
// object as JSON.stringify writes it, without space. Runtime-neutral, and written so that the oldest of the edge
// runtimes can run it.
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Bytes of a record: of its object, both braces included. */
export type RecordBytes = {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
};

const encoder = new TextEncoder();

/** Names of keys as they stand in JSON. */
export const encodeKeys = (names: readonly string[]): Uint8Array[] =>
  names.map((name) => encoder.encode(JSON.stringify(name)));

/** Hands out where each wanted key and its value stand, in the record's order. */
export const eachField = (
  record: RecordBytes,
  wanted: readonly Uint8Array[],
  take: (from: number, valueFrom: number, to: number) => void,
): void => {
  const bytes = record.bytes;
  let left = wanted.length;
  for (let at = record.start + 1; at < record.end && left > 0 && bytes[at] === QUOTE; at += 1) {
    const from = at;
    const keyEnd = textEnd(bytes, at);
    at = valueEnd(bytes, keyEnd + 1);
    if (!isOneOf(bytes, { from, to: keyEnd }, wanted)) continue;
    take(from, keyEnd + 1, at);
    left -= 1;
  }
};

/** The JSON of one value of an object, or null. */
export const findValue = (object: Uint8Array, name: string): Uint8Array | null => {
  let value: Uint8Array | null = null;
  const record = { bytes: object, start: 0, end: object.length };
  eachField(record, encodeKeys([name]), (_from, valueFrom, to) => {
    value = object.subarray(valueFrom, to);
  });
  return value;
};

type Span = { readonly from: number; readonly to: number };

const isOneOf = (bytes: Uint8Array, key: Span, wanted: readonly Uint8Array[]): boolean => {
  for (let at = 0; at < wanted.length; at += 1) {
    if (isSame(bytes, key, wanted[at] as Uint8Array)) return true;
  }
  return false;
};

const isSame = (bytes: Uint8Array, key: Span, wanted: Uint8Array): boolean => {
  if (wanted.length !== key.to - key.from) return false;
  for (let at = 1; at < wanted.length; at += 1) {
    if (bytes[key.from + at] !== wanted[at]) return false;
  }
  return true;
};

/** Behind the text that begins at `at`: a quotation mark ends it unless an odd number of backslashes is before it. */
const textEnd = (bytes: Uint8Array, at: number): number => {
  let quote = bytes.indexOf(QUOTE, at + 1);
  while (quote !== -1 && isEscaped(bytes, quote)) quote = bytes.indexOf(QUOTE, quote + 1);
  return quote === -1 ? bytes.length : quote + 1;
};

const isEscaped = (bytes: Uint8Array, quote: number): boolean => {
  let at = quote;
  while (bytes[at - 1] === BACKSLASH) at -= 1;
  return (quote - at) % 2 === 1;
};

/** Behind the value that begins at `at`. */
const valueEnd = (bytes: Uint8Array, from: number): number => {
  if (bytes[from] === QUOTE) return textEnd(bytes, from);
  let depth = 0;
  let at = from;
  for (; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (depth === 0 && (byte === COMMA || byte === CLOSE_BRACE)) break;
    if (byte === QUOTE) at = textEnd(bytes, at) - 1;
    else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) depth += 1;
    else if (byte === CLOSE_BRACKET || byte === CLOSE_BRACE) depth -= 1;
  }
  return at;
};
