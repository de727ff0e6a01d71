// Indexes of a collection: ids and slugs, which lead to keys, and the order of titles. Each is also an order: the rank of
// every record. Runtime-neutral, and written so that the oldest of the edge runtimes can run it.
import { joined } from './columns.ts';
import { countFirst } from './count-first.ts';
import { decodeJson } from './decode-chunk.ts';
import type { Key } from './find-in-directory.ts';
import type { BlobName, IndexDirectory, IndexEntry } from './tree.ts';
import type { TreeStore } from './tree-store.ts';

type IndexTable = {
  readonly entries: IndexDirectory;
  /**
   * By position: the place in this order. Kept as long as the directory is, once it is worked out: no request waits for the
   * work of another one, which an edge worker may be ended in.
   */
  ranks?: readonly number[];
};

type IndexBlob = {
  readonly id: readonly string[];
  readonly ms: readonly number[];
  readonly slug: readonly string[];
};

const decodeTable = (bytes: Uint8Array): IndexTable => ({ entries: decodeJson(bytes) });

const readBlobs = (store: TreeStore, entries: IndexDirectory): Promise<IndexBlob[]> =>
  Promise.all(entries.map((entry) => store.get<IndexBlob>(entry[0], decodeJson)));

const keyAt = (blob: IndexBlob, at: number): Key => ({
  ms: blob.ms[at] as number,
  id: blob.id[at] as string,
});

/** Keys of the records with that id or slug; an empty collection has no directory. */
export const findKeys = async (
  store: TreeStore,
  directory: BlobName | null,
  wanted: { readonly column: 'id' | 'slug'; readonly value: string },
): Promise<Key[]> => {
  if (directory === null) return [];
  const value = wanted.value;
  const table = await store.get(directory, decodeTable);
  const entries = table.entries;
  const first = (at: number): string => (entries[at] as IndexEntry)[2];
  // What is equal may begin at the end of the blob before.
  const from = countFirst(entries.length, (at) => first(at) < value) - 1;
  const to = countFirst(entries.length, (at) => first(at) <= value);
  const blobs = await readBlobs(store, entries.slice(Math.max(0, from), to));
  const keys: Key[] = [];
  blobs.forEach((blob) => {
    const values = blob[wanted.column];
    for (let at = values.indexOf(value); values[at] === value; at += 1) keys.push(keyAt(blob, at));
  });
  return keys;
};

/** By position: the record's place in the order. */
export const readRanks = async (
  store: TreeStore,
  directory: BlobName,
): Promise<readonly number[]> => {
  const table = await store.get(directory, decodeTable);
  if (table.ranks === undefined) {
    const blobs = await readBlobs(store, table.entries);
    await store.tick();
    const keys = joined(blobs.map((blob) => blob.id.map((_id, at) => keyAt(blob, at))));
    // Put where the records stand, newest first, the places of this order are the ranks.
    table.ranks = keys
      .map((_key, place) => place)
      .sort((a, b) => compareNewest(keys[a] as Key, keys[b] as Key));
  }
  return table.ranks;
};

const compareNewest = (a: Key, b: Key): number => b.ms - a.ms || (a.id > b.id ? -1 : 1);
