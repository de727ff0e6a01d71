// Indexes of a collection: ids and slugs, which lead to keys, and the order of titles. Each is also an order: a slice of
// it, or the rank of every record. Runtime-neutral, and written so that the oldest of the edge runtimes can run it.
import { decodeJson } from './decode-chunk.ts';
import type { Key } from './locate.ts';
import type { BlobName, IndexDirectory, IndexEntry } from './tree.ts';
import type { TreeStore } from './tree-store.ts';

type IndexTable = {
  readonly entries: readonly IndexEntry[];
  /**
   * By position: the place in this order. Kept as long as the directory is, once it is worked out: no request waits for the
   * work of another one, which an edge worker may be ended in.
   */
  ranks: Uint32Array | null;
};

type IndexBlob = {
  readonly id: readonly string[];
  readonly ms: readonly number[];
  readonly slug?: readonly string[];
};

const decodeTable = (bytes: Uint8Array): IndexTable => ({
  entries: decodeJson<IndexDirectory>(bytes),
  ranks: null,
});

const decodeBlob = (bytes: Uint8Array): IndexBlob => decodeJson<IndexBlob>(bytes);

/** Keys of the records with that id or slug; an empty collection has no directory. */
export const findKeys = async (
  store: TreeStore,
  directory: BlobName | null,
  wanted: { readonly column: 'id' | 'slug'; readonly value: string },
): Promise<Key[]> => {
  if (directory === null) return [];
  const table = await store.get(directory, decodeTable);
  const entries = table.entries;
  // What is equal may begin at the end of the blob before.
  const first = Math.max(0, countBefore(entries, wanted.value, false) - 1);
  const last = countBefore(entries, wanted.value, true);
  const blobs = await Promise.all(
    entries.slice(first, last).map((entry) => store.get(entry[0], decodeBlob)),
  );
  const keys: Key[] = [];
  blobs.forEach((blob) => {
    const values = (wanted.column === 'id' ? blob.id : blob.slug) as readonly string[];
    for (let at = lowerBound(values, wanted.value); values[at] === wanted.value; at += 1) {
      keys.push({ ms: blob.ms[at] as number, id: blob.id[at] as string });
    }
  });
  return keys;
};

/** How many entries begin with less than a value; or with no more than it. */
const countBefore = (
  entries: readonly IndexEntry[],
  value: string,
  isInclusive: boolean,
): number => {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const first = (entries[middle] as IndexEntry)[2];
    if (first < value || (isInclusive && first === value)) low = middle + 1;
    else high = middle;
  }
  return low;
};

const lowerBound = (values: readonly string[], value: string): number => {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] as string) < value) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** Places of an order, from the first or from the last one on. */
export type Slice = { readonly from: number; readonly to: number; readonly isDown: boolean };

export const readKeys = async (
  store: TreeStore,
  directory: BlobName,
  slice: Slice,
): Promise<Key[]> => {
  const table = await store.get(directory, decodeTable);
  const total = table.entries.reduce((sum, entry) => sum + entry[1], 0);
  const from = slice.isDown ? total - slice.to : slice.from;
  const to = slice.isDown ? total - slice.from : slice.to;
  let base = 0;
  let skipped = 0;
  const touched = table.entries.filter((entry) => {
    const isTouched = base < to && base + entry[1] > from;
    base += entry[1];
    if (base <= from) skipped = base;
    return isTouched;
  });
  const keys = await readBlobKeys(store, touched);
  const cut = keys.slice(from - skipped, to - skipped);
  return slice.isDown ? cut.reverse() : cut;
};

const readBlobKeys = async (store: TreeStore, entries: readonly IndexEntry[]): Promise<Key[]> => {
  const blobs = await Promise.all(entries.map((entry) => store.get(entry[0], decodeBlob)));
  const keys: Key[] = [];
  blobs.forEach((blob) => {
    blob.id.forEach((id, at) => {
      keys.push({ ms: blob.ms[at] as number, id });
    });
  });
  return keys;
};

/** By position: the record's place in the order. */
export const readRanks = async (store: TreeStore, directory: BlobName): Promise<Uint32Array> => {
  const table = await store.get(directory, decodeTable);
  if (table.ranks !== null) return table.ranks;
  const keys = await readBlobKeys(store, table.entries);
  await store.turn();
  const ranks = ranksOf(keys);
  table.ranks = ranks;
  return ranks;
};

/** Records stand newest first, and by their ids, the last one first, where times are equal. */
const ranksOf = (keys: readonly Key[]): Uint32Array => {
  const total = keys.length;
  const times = new Float64Array(total);
  for (let rank = 0; rank < total; rank += 1) times[rank] = (keys[rank] as Key).ms;
  times.sort();
  const ranks = new Uint32Array(total);
  // By the number of older records: how many of that time were placed.
  const placed = new Uint32Array(total + 1);
  const runs: number[] = [];
  for (let rank = 0; rank < total; rank += 1) {
    const ms = (keys[rank] as Key).ms;
    const older = countOlder(times, ms);
    const nth = placed[older] as number;
    if (nth === 1) runs.push(older);
    placed[older] = nth + 1;
    ranks[older + nth] = rank;
  }
  runs.forEach((older) => {
    const run = ranks.subarray(older, older + (placed[older] as number));
    run.sort((a, b) => ((keys[a] as Key).id < (keys[b] as Key).id ? -1 : 1));
  });
  return ranks.reverse();
};

const countOlder = (times: Float64Array, ms: number): number => {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] as number) < ms) low = middle + 1;
    else high = middle;
  }
  return low;
};
