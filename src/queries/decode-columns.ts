// Columns of the packed tree, from their bytes (tree.ts): views on the bytes, and where the links of each record begin.
// Runtime-neutral, and written so that the oldest of the edge runtimes can run it.
import { FACETS_HEAD_BYTES, FACETS_MAGIC, ID_BYTES, TIMES_RECORD_BYTES } from './tree.ts';

type Codes = Uint16Array | Uint32Array;

/** Links of records to tags, or to authors. */
export type Links = {
  /** Where the codes of each record begin; one more says where the last ones end. */
  readonly starts: Uint32Array;
  readonly codes: Codes;
  /** Ids of 12 bytes each, by code. */
  readonly ids: Uint8Array;
};

export type Facets = {
  readonly flags: Uint32Array;
  readonly tags: Links;
  readonly authors: Links;
};

export type Times = {
  readonly published: Float64Array;
  readonly created: Float64Array;
};

/** Bytes that begin where a view on numbers can begin. */
const aligned = (bytes: Uint8Array): Uint8Array =>
  bytes.byteOffset % 8 === 0 ? bytes : new Uint8Array(bytes);

export const decodeFacets = (stored: Uint8Array): Facets => {
  const bytes = aligned(stored);
  const buffer = bytes.buffer;
  const head = new Uint32Array(buffer, bytes.byteOffset, FACETS_HEAD_BYTES / 4);
  if (head[0] !== FACETS_MAGIC) throw new Error('A blob of the packed tree holds no facets.');
  const records = head[1] as number;
  let at = bytes.byteOffset + FACETS_HEAD_BYTES;
  const words = (count: number): Uint32Array => {
    at += count * 4;
    return new Uint32Array(buffer, at - count * 4, count);
  };
  const codes = (count: number): Codes => {
    if (head[6] === 4) return words(count);
    at += count * 2;
    return new Uint16Array(buffer, at - count * 2, count);
  };
  const ids = (count: number): Uint8Array => {
    at += count * ID_BYTES;
    return new Uint8Array(buffer, at - count * ID_BYTES, count * ID_BYTES);
  };
  const flags = words(records);
  const tagStarts = startsOf(words(records));
  const authorStarts = startsOf(words(records));
  const tagCodes = codes(head[4] as number);
  const authorCodes = codes(head[5] as number);
  const tagIds = ids(head[2] as number);
  const authorIds = ids(head[3] as number);
  return {
    flags,
    tags: { starts: tagStarts, codes: tagCodes, ids: tagIds },
    authors: { starts: authorStarts, codes: authorCodes, ids: authorIds },
  };
};

const startsOf = (counts: Uint32Array): Uint32Array => {
  const starts = new Uint32Array(counts.length + 1);
  for (let at = 0; at < counts.length; at += 1) {
    starts[at + 1] = (starts[at] as number) + (counts[at] as number);
  }
  return starts;
};

export const decodeTimes = (stored: Uint8Array): Times => {
  const bytes = aligned(stored);
  const records = bytes.length / TIMES_RECORD_BYTES;
  return {
    published: new Float64Array(bytes.buffer, bytes.byteOffset, records),
    created: new Float64Array(bytes.buffer, bytes.byteOffset + records * 8, records),
  };
};

export const decodeUpdated = (stored: Uint8Array): Float64Array => {
  const bytes = aligned(stored);
  return new Float64Array(bytes.buffer, bytes.byteOffset, bytes.length / 8);
};

/** The 12 bytes of an id. */
export const idBytes = (id: string): Uint8Array => {
  const bytes = new Uint8Array(ID_BYTES);
  for (let at = 0; at < ID_BYTES; at += 1) bytes[at] = parseInt(id.slice(at * 2, at * 2 + 2), 16);
  return bytes;
};

/** The code of an id in a dictionary, or -1. */
export const codeOf = (ids: Uint8Array, id: Uint8Array): number => {
  let low = 0;
  let high = ids.length / ID_BYTES - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const difference = compareAt(ids, middle * ID_BYTES, id);
    if (difference === 0) return middle;
    if (difference < 0) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
};

const compareAt = (ids: Uint8Array, from: number, id: Uint8Array): number => {
  let difference = 0;
  for (let at = 0; at < ID_BYTES && difference === 0; at += 1) {
    difference = (ids[from + at] as number) - (id[at] as number);
  }
  return difference;
};
