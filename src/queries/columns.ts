// Columns of a collection over some ranges of positions: only blobs that a range touches are read. Runtime-neutral, and
// written so that the oldest of the edge runtimes can run it.
import { decodeJson } from './decode-chunk.ts';
import {
  decodeFacets,
  decodeTimes,
  decodeUpdated,
  type Facets,
  type Times,
} from './decode-columns.ts';
import { getDirectory, type Listing, listingOf, type Part, partAt } from './locate.ts';
import { foldText } from './text-test.ts';
import type { Collection, ColumnsEntry, Entry, Names } from './tree.ts';
import type { TreeStore } from './tree-store.ts';

/** Positions from `from` on, before `to`. */
export type Range = { readonly from: number; readonly to: number };

/** What a blob holds, and the position of its first record. */
export type Segment<T> = Range & { readonly value: T };

export type NamesColumns = Names & {
  /** Titles and slugs in small letters, made when first looked into. */
  folded: { title: readonly string[] | null; slug: readonly string[] | null };
};

export type Columns = {
  readonly facets: readonly Segment<Facets>[];
  readonly times: readonly Segment<Times>[];
  readonly updated: readonly Segment<Float64Array>[];
  readonly names: readonly Segment<NamesColumns>[];
};

export type ColumnName = keyof Columns;

/** The named columns, and none of the others. Ranges stand in their order. */
export const readColumns = async (
  store: TreeStore,
  collection: Collection,
  wanted: { readonly names: readonly ColumnName[]; readonly ranges: readonly Range[] },
): Promise<Columns> => {
  const has = (name: ColumnName): boolean => wanted.names.indexOf(name) !== -1;
  const parts = (at: 0 | 1 | 2): Part[] => columnParts(collection.columns, at);
  const read = await Promise.all([
    readSegments(store, has('facets') ? parts(0) : [], wanted.ranges, decodeFacets),
    readSegments(store, has('times') ? parts(1) : [], wanted.ranges, decodeTimes),
    readSegments(store, has('updated') ? parts(2) : [], wanted.ranges, decodeUpdated),
    has('names') ? readNames(store, collection.names, wanted.ranges) : [],
  ]);
  return { facets: read[0], times: read[1], updated: read[2], names: read[3] };
};

const columnParts = (entries: readonly ColumnsEntry[], at: 0 | 1 | 2): Part[] => {
  let from = 0;
  return entries.map((entry) => {
    from += entry[3];
    return { name: entry[at], from: from - entry[3], records: entry[3] };
  });
};

const isTouched = (ranges: readonly Range[], from: number, records: number): boolean =>
  ranges.some((range) => range.from < from + records && range.to > from);

const readSegments = async <T>(
  store: TreeStore,
  parts: readonly Part[],
  ranges: readonly Range[],
  decode: (bytes: Uint8Array) => T,
): Promise<Segment<T>[]> => {
  const touched = parts.filter((part) => isTouched(ranges, part.from, part.records));
  const values = await Promise.all(touched.map((part) => store.get(part.name, decode)));
  return touched.map((part, at) => ({
    from: part.from,
    to: part.from + part.records,
    value: values[at] as T,
  }));
};

const readNames = async (
  store: TreeStore,
  directories: readonly Entry[],
  ranges: readonly Range[],
): Promise<Segment<NamesColumns>[]> => {
  const listing = listingOf(directories);
  const places: number[] = [];
  directories.forEach((entry, at) => {
    if (isTouched(ranges, listing.starts[at] as number, entry[1])) places.push(at);
  });
  const opened = await Promise.all(
    places.map((place) => getDirectory(store, directories[place] as Entry)),
  );
  const parts: Part[] = [];
  opened.forEach((directory: Listing, at) => {
    const base = listing.starts[places[at] as number] as number;
    directory.entries.forEach((_entry, entryAt) => {
      parts.push(partAt(directory, base, entryAt));
    });
  });
  return readSegments(store, parts, ranges, decodeNames);
};

const decodeNames = (bytes: Uint8Array): NamesColumns =>
  Object.assign(decodeJson<Names>(bytes), { folded: { title: null, slug: null } });

/** A column in small letters. */
export const foldedColumn = (names: NamesColumns, column: 'title' | 'slug'): readonly string[] => {
  const known = names.folded[column];
  if (known !== null) return known;
  const folded = names[column].map(foldText);
  names.folded[column] = folded;
  return folded;
};
