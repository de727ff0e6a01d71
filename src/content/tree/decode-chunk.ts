// Leaves, cards, plain texts and other JSON of the packed tree, from their bytes (tree.ts). Lines are found, not parsed:
// answers are cut out of them. Runtime-neutral, and written so that the oldest of the edge runtimes can run it.
import type { ChunkHead } from './tree.ts';

const NEWLINE = 10;
const decoder = new TextDecoder();
const encoder = new TextEncoder();

export const encodeText = (text: string): Uint8Array => encoder.encode(text);

export const decodeText = (bytes: Uint8Array): string => decoder.decode(bytes);

/** Not checked: blobs are named after their bytes, which a build wrote, and checks would cost each host time and code. */
export const decodeJson = <T>(bytes: Uint8Array): T => JSON.parse(decodeText(bytes)) as T;

export const decodeLines = (bytes: Uint8Array): Uint8Array[] => {
  const lines: Uint8Array[] = [];
  for (let from = 0; from < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, from);
    const to = newline === -1 ? bytes.length : newline;
    lines.push(bytes.subarray(from, to));
    from = to + 1;
  }
  return lines;
};

/** A blob of records: after what its first line says, one line for each. */
export type Chunk = { readonly head: ChunkHead; readonly lines: readonly Uint8Array[] };

export const decodeChunk = (bytes: Uint8Array): Chunk => {
  const lines = decodeLines(bytes);
  return { head: decodeJson(lines[0] as Uint8Array), lines: lines.slice(1) };
};
