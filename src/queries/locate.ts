// Where records stand: from a position (counted from the newest) or a key (published time and id) to a blob and a line,
// through the root's list of directories and one directory. Runtime-neutral, and written so that the oldest of the edge
// runtimes can run it.
import { decodeJson } from './decode-chunk.ts';
import type { BlobName, Directory, Entry } from './tree.ts';
import type { TreeStore } from './tree-store.ts';

export type Key = { readonly ms: number; readonly id: string };
export type Spot = number | Key;

/** Entries, and the position of each one's first record; one more is the number of all. */
export type Listing = { readonly entries: readonly Entry[]; readonly starts: readonly number[] };

export const listingOf = (entries: readonly Entry[]): Listing => {
  const starts = [0];
  for (let at = 0; at < entries.length; at += 1) {
    starts.push((starts[at] as number) + (entries[at] as Entry)[1]);
  }
  return { entries, starts };
};

const decodeDirectory = (bytes: Uint8Array): Listing => listingOf(decodeJson<Directory>(bytes));

export const getDirectory = (store: TreeStore, entry: Entry): Promise<Listing> =>
  store.get(entry[0], decodeDirectory);

/** A blob, the position of its first record, and how many it has. */
export type Part = { readonly name: BlobName; readonly from: number; readonly records: number };

/** The parts that hold the spots, in the same order. Spots are of records that there are. */
export const locateParts = async (
  store: TreeStore,
  directories: readonly Entry[],
  spots: readonly Spot[],
): Promise<Part[]> => {
  const listing = listingOf(directories);
  const places = spots.map((spot) => findEntry(listing, 0, spot));
  const needed = distinct(places);
  const opened = await Promise.all(
    needed.map((at) => getDirectory(store, listing.entries[at] as Entry)),
  );
  const byPlace: Listing[] = [];
  needed.forEach((place, at) => {
    byPlace[place] = opened[at] as Listing;
  });
  return places.map((place, at) => {
    const base = listing.starts[place] as number;
    const directory = byPlace[place] as Listing;
    const entryAt = findEntry(directory, base, spots[at] as Spot);
    return partAt(directory, base, entryAt);
  });
};

export const partAt = (directory: Listing, base: number, at: number): Part => {
  const entry = directory.entries[at] as Entry;
  return { name: entry[0], from: base + (directory.starts[at] as number), records: entry[1] };
};

/** The entry that holds a spot; the last one for a key that is older than all. */
const findEntry = (listing: Listing, base: number, spot: Spot): number => {
  let low = 0;
  let high = listing.entries.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBeyond(listing, middle, typeof spot === 'number' ? spot - base : spot)) low = middle + 1;
    else high = middle;
  }
  return low;
};

const isBeyond = (listing: Listing, at: number, spot: Spot): boolean => {
  if (typeof spot === 'number') return (listing.starts[at + 1] as number) <= spot;
  const entry = listing.entries[at] as Entry;
  return entry[2] > spot.ms || (entry[2] === spot.ms && entry[3] > spot.id);
};

/** Small numbers, each once. */
const distinct = (numbers: readonly number[]): number[] => {
  const seen: boolean[] = [];
  return numbers.filter((number) => {
    const isNew = seen[number] !== true;
    seen[number] = true;
    return isNew;
  });
};

type Keys = { readonly ms: readonly number[]; readonly id: readonly string[] };

/** The line of a key among records, newest first, or -1. */
export const findLine = (keys: Keys, key: Key): number => {
  let low = 0;
  let high = keys.id.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const ms = keys.ms[middle] as number;
    const id = keys.id[middle] as string;
    if (ms === key.ms && id === key.id) return middle;
    if (ms > key.ms || (ms === key.ms && id > key.id)) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
};
