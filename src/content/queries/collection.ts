// Posts or pages, as what a query asks of them is answered (source.ts): in the packed tree they stand by time, the newest
// first. Runtime-neutral, and written so that the oldest of the edge runtimes can run it.
import { createReader, joined, type Range, readSegments, type Segment } from '../tree/columns.ts';
import { decodeJson } from '../tree/decode-chunk.ts';
import { decodeFacets, decodeTimes, type Facets } from '../tree/decode-columns.ts';
import { findLine } from '../tree/find-in-directory.ts';
import { findKeys, readRanks } from '../tree/index-table.ts';
import { type Directory, FEATURED_BIT, type Names } from '../tree/tree.ts';
import type { RecordShape } from './list-query.ts';
import type { CollectionName } from './resource.ts';
import type { Source, Tree } from './source.ts';
import { writeRecords } from './write-records.ts';

/** `shape`: what the answer holds; what has to find a record looks into the same blobs. */
export const openCollection = (tree: Tree, name: CollectionName, shape: RecordShape): Source => {
  const store = tree.store;
  const collection = tree.root[name];
  const directories = shape.hasHtml ? collection.leaves : collection.cards;
  const indexes = { title: collection.titles, slug: collection.slugs, id: collection.ids };
  const columns = <T>(
    at: 0 | 1 | 2,
    range: Range,
    decode: (bytes: Uint8Array) => T,
  ): Promise<Segment<T>[]> => {
    const entries = collection.columns.map((entry) => [entry[at], entry[3]] as const);
    return readSegments(store, { entries, base: 0, range }, decode);
  };
  const readFacets = (range: Range): Promise<Segment<Facets>[]> => columns(0, range, decodeFacets);
  return {
    store,
    root: tree.root,
    total: collection.total,
    lookUp: (column, value) =>
      findKeys(store, indexes[column], { column, value })
        .then((keys) => Promise.all(keys.map((key) => findLine(store, directories, key))))
        .then((found) => found.map((one) => one.position).sort((a, b) => a - b)),
    countNewer: (ms, isInclusive) =>
      collection.total === 0
        ? Promise.resolve(0)
        : findLine(store, directories, { ms, id: isInclusive ? '' : LAST_ID }).then(
            (found) => found.position,
          ),
    facets: readFacets,
    texts: (range) =>
      readSegments<Directory>(store, { entries: collection.names, base: 0, range }, decodeJson)
        .then((found) =>
          Promise.all(
            found.map((one) =>
              readSegments<Names>(store, { entries: one.value, base: one.from, range }, decodeJson),
            ),
          ),
        )
        .then(joined),
    numbers: (field, range) => {
      const index = indexes[field as 'title'];
      if (index) return readRanks(store, index).then((ranks) => (at) => ranks[at] as number);
      if (field === 'featured') {
        return readFacets(range).then((found) =>
          createReader(found, (facets) => (at) => (facets.flags[at] as number) & FEATURED_BIT),
        );
      }
      return columns(field === 'updated_at' ? 2 : 1, range, decodeTimes).then((found) =>
        createReader(found, (times, records) => {
          const first = field === 'created_at' ? records : 0;
          return (at) => times[first + at] as number;
        }),
      );
    },
    write: (positions) => writeRecords(tree, { collection, directories, positions, shape }),
  };
};

/** No id comes after it. */
const LAST_ID = '~';
