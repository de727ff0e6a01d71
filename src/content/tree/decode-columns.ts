// Columns of the packed tree, from their bytes (tree.ts): views on the bytes, and where the links of each record begin.
// Runtime-neutral, and written so that the oldest of the edge runtimes can run it.
import { countFirst } from './count-first.ts';
import { FACETS_HEAD_BYTES, ID_BYTES } from './tree.ts';

type Numbers = Uint8Array | Uint16Array | Uint32Array;

/** Links of records to tags, or to authors. */
export type Links = {
  /** Where the codes of each record begin; one more says where the last ones end. */
  readonly starts: Uint32Array;
  readonly codes: Numbers;
  /** Ids of 12 bytes each, by code. */
  readonly dictionary: Numbers;
};

export type Facets = {
  readonly flags: Numbers;
  readonly tags: Links;
  readonly authors: Links;
};

/** Bytes that begin where a view on numbers can begin. */
const aligned = (bytes: Uint8Array): Uint8Array =>
  bytes.byteOffset % 8 === 0 ? bytes : new Uint8Array(bytes);

type View = new (buffer: ArrayBufferLike, from: number, length: number) => Numbers;

export const decodeFacets = (stored: Uint8Array): Facets => {
  const bytes = aligned(stored);
  const head = new Uint32Array(bytes.buffer, bytes.byteOffset, FACETS_HEAD_BYTES / 4);
  let at = bytes.byteOffset + FACETS_HEAD_BYTES;
  const take = (View: View, count: number): Numbers => {
    const view = new View(bytes.buffer, at, count);
    at += view.byteLength;
    return view;
  };
  const records = head[1] as number;
  const Codes = head[6] === 4 ? Uint32Array : Uint16Array;
  const flags = take(Uint32Array, records);
  const tagStarts = startsOf(take(Uint32Array, records));
  const authorStarts = startsOf(take(Uint32Array, records));
  const tagCodes = take(Codes, head[4] as number);
  const authorCodes = take(Codes, head[5] as number);
  const tagIds = take(Uint8Array, (head[2] as number) * ID_BYTES);
  const authorIds = take(Uint8Array, (head[3] as number) * ID_BYTES);
  return {
    flags,
    tags: { starts: tagStarts, codes: tagCodes, dictionary: tagIds },
    authors: { starts: authorStarts, codes: authorCodes, dictionary: authorIds },
  };
};

const startsOf = (counts: Numbers): Uint32Array => {
  const starts = new Uint32Array(counts.length + 1);
  for (let at = 0; at < counts.length; at += 1) {
    starts[at + 1] = (starts[at] as number) + (counts[at] as number);
  }
  return starts;
};

/** Of times: published ones, then created ones, and what follows them. */
export const decodeTimes = (stored: Uint8Array): Float64Array => {
  const bytes = aligned(stored);
  return new Float64Array(bytes.buffer, bytes.byteOffset, bytes.length >> 3);
};

export const idBytes = (id: string): number[] => {
  const bytes: number[] = [];
  for (let at = 0; at < id.length; at += 2) bytes.push(parseInt(id.slice(at, at + 2), 16));
  return bytes;
};

/** By code of a dictionary: 1 for those of these ids. */
export const markCodes = (dictionary: Numbers, ids: readonly (readonly number[])[]): Uint8Array => {
  const marked = new Uint8Array(dictionary.length / ID_BYTES);
  ids.forEach((id) => {
    const code = countFirst(marked.length, (at) => compareId(dictionary, at, id) < 0);
    if (compareId(dictionary, code, id) === 0) marked[code] = 1;
  });
  return marked;
};

const compareId = (dictionary: Numbers, code: number, id: readonly number[]): number => {
  let difference = 0;
  for (let at = 0; at < ID_BYTES && difference === 0; at += 1) {
    difference = (dictionary[code * ID_BYTES + at] as number) - (id[at] as number);
  }
  return difference;
};
