// Leaves, cards, plain texts and other JSON of the packed tree, from their bytes (tree.ts). Lines are found, not parsed:
// answers are cut out of them. Runtime-neutral, and written so that the oldest of the edge runtimes can run it.
import type { ChunkHead } from './tree.ts';

const NEWLINE = 10;
const decoder = new TextDecoder();

export const decodeText = (bytes: Uint8Array): string => decoder.decode(bytes);

export const decodeJson = <T>(bytes: Uint8Array): T => JSON.parse(decodeText(bytes)) as T;

/** Where each line of some bytes begins; one more says where a line after the last would. */
export type Lines = { readonly bytes: Uint8Array; readonly starts: readonly number[] };

export const decodeLines = (bytes: Uint8Array): Lines => {
  const starts = [0];
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(NEWLINE, from);
    from = end === -1 ? bytes.length + 1 : end + 1;
    starts.push(from);
  }
  return { bytes, starts };
};

export const lineEnd = (lines: Lines, line: number): number =>
  (lines.starts[line + 1] as number) - 1;

/** A blob of records: after the first line, one line for each. */
export type Chunk = Lines & { readonly head: ChunkHead };

export const decodeChunk = (bytes: Uint8Array): Chunk => {
  const lines = decodeLines(bytes);
  const head = decodeJson<ChunkHead>(bytes.subarray(0, lineEnd(lines, 0)));
  return { bytes, starts: lines.starts, head };
};
