// Tags and authors as filters and answers look them up: their keys, and the JSON that stands for them inside posts and
// pages. Runtime-neutral, and written so that the oldest of the edge runtimes can run it.
import type { TextColumn } from './condition.ts';
import { decodeJson, decodeLines, decodeText, type Lines, lineEnd } from './decode-chunk.ts';
import { idBytes } from './decode-columns.ts';
import { findValue } from './pick-fields.ts';
import { foldText, passesTest, type TextTest } from './text-test.ts';
import type { TermKeys, Terms } from './tree.ts';
import type { TreeStore } from './tree-store.ts';

const decodeKeys = (bytes: Uint8Array): TermKeys => decodeJson<TermKeys>(bytes);

export const readTermKeys = (store: TreeStore, terms: Terms): Promise<TermKeys> =>
  store.get(terms.keys, decodeKeys);

const decodeCounts = (bytes: Uint8Array): readonly number[] => decodeJson<number[]>(bytes);

/** How many posts each has, in the order of names. */
export const readTermCounts = (store: TreeStore, terms: Terms): Promise<readonly number[]> =>
  store.get(terms.counts, decodeCounts);

export type TermTest = { readonly column: TextColumn; readonly test: TextTest };

/** Places in the order of names of those that pass. */
export const findTerms = (keys: TermKeys, wanted: TermTest): number[] => {
  const column = keys[wanted.column as keyof TermKeys];
  const isFolded = wanted.test.kind === 'match';
  const places: number[] = [];
  column.forEach((text, place) => {
    if (passesTest(wanted.test, isFolded ? foldText(text) : text)) places.push(place);
  });
  return places;
};

export const termIds = (keys: TermKeys, places: readonly number[]): Uint8Array[] =>
  places.map((place) => idBytes(keys.id[place] as string));

export type Embedded = { readonly json: Uint8Array; readonly isPublic: boolean };

/** Embedded shapes by id; each is looked up once. */
export type EmbeddedTerms = { readonly find: (id: string) => Embedded | undefined };

type EmbeddedBlob = Lines & { readonly known: Record<string, Embedded | undefined> };

const decodeEmbedded = (bytes: Uint8Array): EmbeddedBlob => {
  const lines = decodeLines(bytes);
  return { bytes, starts: lines.starts, known: Object.create(null) };
};

export const readEmbedded = async (store: TreeStore, terms: Terms): Promise<EmbeddedTerms> => {
  const blobs = await Promise.all(
    terms.embedded.map((entry) => store.get(entry[0], decodeEmbedded)),
  );
  return {
    find: (id) => {
      for (let at = 0; at < blobs.length; at += 1) {
        const blob = blobs[at] as EmbeddedBlob;
        const known = blob.known[id];
        const found = known === undefined ? findEmbedded(blob, id) : known;
        if (found === undefined) continue;
        blob.known[id] = found;
        return found;
      }
      return undefined;
    },
  };
};

const ID_LENGTH = 24;
const PUBLIC = '"public"';

const findEmbedded = (blob: EmbeddedBlob, id: string): Embedded | undefined => {
  let low = 0;
  let high = blob.starts.length - 2;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const start = blob.starts[middle] as number;
    const difference = compareId(blob.bytes, start, id);
    if (difference === 0) {
      const json = blob.bytes.subarray(start + ID_LENGTH, lineEnd(blob, middle));
      const visibility = findValue(json, 'visibility');
      return { json, isPublic: visibility !== null && decodeText(visibility) === PUBLIC };
    }
    if (difference < 0) low = middle + 1;
    else high = middle - 1;
  }
  return undefined;
};

const compareId = (bytes: Uint8Array, start: number, id: string): number => {
  let difference = 0;
  for (let at = 0; at < ID_LENGTH && difference === 0; at += 1) {
    const byte = bytes[start + at];
    difference = (byte === undefined ? 0 : byte) - id.charCodeAt(at);
  }
  return difference;
};
