// Brings a packed collection to the state after some edits: only what they touch is read and written.
import type {
  PackedPlace,
  PackedRecord,
  RecordEdit,
  RecordKey,
} from '../../content/tree/records.ts';
import type {
  BlobName,
  Collection,
  ColumnsEntry,
  Entry,
  IndexEntry,
} from '../../content/tree/tree.ts';
import type { Blobs } from './blobs.ts';
import { type Level, type Levels, opensAt } from './boundaries.ts';
import {
  type LineRow,
  lineRow,
  linkedLines,
  type NamesRow,
  namesFamily,
  plainLines,
} from './chunk-families.ts';
import { type ColumnsRow, columnsEntries, columnsFamily, columnsPieces } from './columns-family.ts';
import {
  compareRecords,
  decodeJson,
  INDEX_ENTRIES,
  type IndexKey,
  openDirectories,
  RECORD_ENTRIES,
  settleDirectories,
} from './directories.ts';
import { editPieces, type RowEdit } from './edit-pieces.ts';
import type { Family } from './family.ts';
import { type IndexRow, idsFamily, slugsFamily, titlesFamily } from './index-families.ts';
import { putIndex } from './pack-collection.ts';
import { PieceList } from './piece-list.ts';

type Tools = { readonly blobs: Blobs; readonly levels: Levels };

/** Throws OUTPUT_DIFFERS when a blob that is needed is gone, or the tree has other records than the edits say. */
export const editCollection = (
  tools: Tools,
  collection: Collection,
  edits: readonly RecordEdit[],
): Collection => {
  if (edits.length === 0) return collection;
  const { blobs, levels } = tools;
  const total = edits.reduce(
    (sum, { before, after }) => sum + (after === null ? 0 : 1) - (before === null ? 0 : 1),
    collection.total,
  );
  const { directory } = levels;
  const edited = { ...tools, edits };
  const lines = (family: Family<LineRow, RecordKey>, chunked: ChunkedLines): Entry[] =>
    editChunks(edited, family, {
      ...chunked,
      rowOf: (record) => lineRow(record, record[chunked.part]),
    });
  return {
    total,
    leaves: lines(linkedLines(levels.leaf), {
      part: 'line',
      entries: collection.leaves,
      level: levels.leafDirectory,
    }),
    cards: lines(linkedLines(levels.card), {
      part: 'card',
      entries: collection.cards,
      level: directory,
    }),
    plain: lines(plainLines(levels.plain), {
      part: 'plain',
      entries: collection.plain,
      level: directory,
    }),
    names: editChunks(edited, namesFamily(levels.names), {
      entries: collection.names,
      level: directory,
      rowOf: (record): NamesRow => record,
    }),
    columns: editColumns(tools, collection, edits),
    titles: editIndex(blobs, titlesFamily(levels.titles), {
      directory: collection.titles,
      edits,
      firstOf: ({ title }) => title,
    }),
    slugs: editIndex(blobs, slugsFamily(levels.slugs), {
      directory: collection.slugs,
      edits,
      firstOf: ({ slug }) => slug,
    }),
    ids: editIndex(blobs, idsFamily(levels.ids), {
      directory: collection.ids,
      edits,
      firstOf: ({ id }) => id,
    }),
  };
};

type ChunkedLines = Omit<ChunkedFamily<LineRow>, 'rowOf'> & {
  readonly part: 'line' | 'card' | 'plain';
};

/** An edit that moves a record to another key takes it from one place and puts it into another. */
const rowEdits = <Row, Key extends { readonly id: string }>(
  { compare }: Pick<Family<Row, Key>, 'compare'>,
  edits: readonly RecordEdit[],
  { keyOf, rowOf }: EditForm<Row, Key>,
): RowEdit<Row, Key>[] => {
  const all = edits.flatMap(({ before, after }): RowEdit<Row, Key>[] => {
    const old = before && keyOf(before);
    const own = after && { key: keyOf(after), row: rowOf(after) };
    if (old !== null && own !== null && compare(old, own.key) === 0) {
      return [{ ...own, isStanding: true }];
    }
    return [
      ...(old === null ? [] : [{ key: old, isStanding: true, row: null }]),
      ...(own === null ? [] : [{ ...own, isStanding: false }]),
    ];
  });
  return all.sort((one, other) => compare(one.key, other.key));
};

type EditForm<Row, Key> = {
  readonly keyOf: (place: PackedPlace) => Key;
  readonly rowOf: (record: PackedRecord) => Row;
};

const recordKey = ({ ms, id }: PackedPlace): RecordKey => ({ ms, id });

const editChunks = <Row>(
  { blobs, edits }: Tools & { readonly edits: readonly RecordEdit[] },
  family: Family<Row, RecordKey>,
  { entries, level, rowOf }: ChunkedFamily<Row>,
): Entry[] => {
  const list = openDirectories(blobs, level, entries);
  const own = rowEdits(family, edits, { keyOf: recordKey, rowOf });
  editPieces(family, { list, blobs }, own);
  return RECORD_ENTRIES.spell(settleDirectories(blobs, level, list));
};

type ChunkedFamily<Row> = {
  readonly entries: readonly Entry[];
  /** Of its directories. */
  readonly level: Level;
  readonly rowOf: (record: PackedRecord) => Row;
};

const editColumns = (
  { blobs, levels }: Tools,
  { columns }: Collection,
  edits: readonly RecordEdit[],
): ColumnsEntry[] => {
  const standing = columnsPieces(columns);
  const rowOf = (record: PackedRecord): ColumnsRow => record;
  const own = rowEdits({ compare: compareRecords }, edits, { keyOf: recordKey, rowOf });
  const gone = new Set(own.flatMap(({ key, row }) => (row === null ? [spellKey(key)] : [])));
  const opening = ({ id }: RecordKey): boolean => opensAt(id, levels.columns);
  const newestOf = (keys: readonly RecordKey[]): RecordKey | null =>
    keys.filter(opening).sort(compareRecords).at(-1) ?? null;
  const keys = standing.map(({ key }) => key);
  const before = newestOf(keys);
  const added = own.flatMap(({ key, row }) => (row ? [key] : []));
  const after = newestOf([...keys.filter((key) => !gone.has(spellKey(key))), ...added]);
  const family = columnsFamily(levels, after);
  const list = PieceList.of(standing, compareRecords);
  const touched = withTouches(own, keys, { before, after });
  editPieces(family, { list, blobs }, touched);
  return columnsEntries(list.all());
};

const spellKey = ({ ms, id }: RecordKey): string => `${ms} ${id}`;

type Boundaries = { readonly before: RecordKey | null; readonly after: RecordKey | null };

/**
 * Where the newest long run begins elsewhere than before, every chunk between the two is cut anew: all that was open
 * has been closed, or the other way round. Touching the first of them is not enough, since what follows is left alone
 * from the first boundary that fits.
 */
const withTouches = (
  edits: readonly RowEdit<ColumnsRow, RecordKey>[],
  chunks: readonly RecordKey[],
  { before, after }: Boundaries,
): readonly RowEdit<ColumnsRow, RecordKey>[] => {
  const [older, newer] = [before ?? OLDEST, after ?? OLDEST].sort(compareRecords) as [
    RecordKey,
    RecordKey,
  ];
  if (compareRecords(older, newer) === 0) return edits;
  const edited = new Set(edits.map(({ key }) => spellKey(key)));
  const touches = chunks
    .filter((key) => compareRecords(older, key) <= 0 && compareRecords(key, newer) <= 0)
    .filter((key) => !edited.has(spellKey(key)))
    .map((key) => ({ key, isStanding: true, row: undefined }));
  return [...edits, ...touches].sort((one, other) => compareRecords(one.key, other.key));
};

const OLDEST: RecordKey = { ms: Number.NEGATIVE_INFINITY, id: '' };

type EditedIndex = {
  /** Name of its directory. */
  readonly directory: string | null;
  readonly edits: readonly RecordEdit[];
  readonly firstOf: (place: PackedPlace) => string;
};

const editIndex = (
  blobs: Blobs,
  family: Family<IndexRow, IndexKey>,
  { directory, edits, firstOf }: EditedIndex,
): BlobName | null => {
  // A record that keeps its time and its name here changes nothing.
  const moved = edits.filter(
    ({ before, after }) =>
      before?.ms !== after?.ms || (before && firstOf(before)) !== (after && firstOf(after)),
  );
  if (moved.length === 0 && directory !== null) return directory;
  if (directory !== null) blobs.drop(directory);
  const chunks =
    directory === null ? [] : INDEX_ENTRIES.read(decodeJson<IndexEntry[]>(blobs.read(directory)));
  const list = PieceList.of(chunks, family.compare);
  const own = rowEdits(family, moved, {
    keyOf: (place): IndexKey => ({ first: firstOf(place), id: place.id }),
    rowOf: (record): IndexRow => ({ first: firstOf(record), id: record.id, ms: record.ms }),
  });
  editPieces(family, { list, blobs }, own);
  return putIndex(blobs, list.all());
};
