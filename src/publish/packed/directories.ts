// Directories of a family's chunks: they are cut as the chunks are, by the ids with which chunks begin. After edits, those
// are cut anew that the edits touched, with the ones before and after them up to a boundary that no edit moves.
import type { RecordKey } from '../../content/tree/records.ts';
import type { BlobName, Entry, IndexEntry } from '../../content/tree/tree.ts';
import type { Blobs } from './blobs.ts';
import { type Level, opensAt } from './boundaries.ts';
import { Chunker } from './chunker.ts';
import type { Family, Piece } from './family.ts';
import { type Group, PieceList } from './piece-list.ts';

export type IndexKey = { readonly first: string; readonly id: string };

/** How directories spell their entries, and the root those of directories. */
type Spelling<Key, Spelled> = {
  readonly spell: (pieces: readonly Piece<Key>[]) => Spelled[];
  readonly read: (entries: readonly Spelled[]) => Piece<Key>[];
};

/** Newest first. */
export const RECORD_ENTRIES: Spelling<RecordKey, Entry> = {
  spell: (pieces) =>
    pieces
      .map(({ names, records, key }): Entry => [only(names), records, key.ms, key.id])
      .reverse(),
  read: (entries) =>
    entries
      .map(([name, records, ms, id]) => ({ names: [name], records, key: { ms, id } }))
      .reverse(),
};

export const INDEX_ENTRIES: Spelling<IndexKey, IndexEntry> = {
  spell: (pieces) =>
    pieces.map(({ names, records, key }) => [only(names), records, key.first, key.id]),
  read: (entries) =>
    entries.map(([name, records, first, id]) => ({ names: [name], records, key: { first, id } })),
};

const only = (names: readonly BlobName[]): BlobName => {
  const [name] = names;
  if (name === undefined || names.length > 1) throw new Error('A chunk is not one blob.');
  return name;
};

export const encodeJson = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

/** Not checked: a build wrote it under the name of its bytes, and an edit reads thousands of them. */
export const decodeJson = <T>(bytes: Buffer | undefined): T => JSON.parse(String(bytes)) as T;

const directoryFamily = (level: Level): Family<Piece<RecordKey>, RecordKey> => ({
  level,
  ending: '.txt',
  keyOf: ({ key }) => key,
  compare: compareRecords,
  bytesOf: () => 0,
  recordsOf: ({ records }) => records,
  encode: (chunks) => [encodeJson(RECORD_ENTRIES.spell(chunks))],
  decode: ([bytes]) => RECORD_ENTRIES.read(decodeJson<Entry[]>(bytes)),
});

export const compareRecords = (one: RecordKey, other: RecordKey): number =>
  one.ms - other.ms || (one.id < other.id ? -1 : one.id > other.id ? 1 : 0);

/** Cuts all chunks into directories. */
export const packDirectories = (
  blobs: Blobs,
  level: Level,
  chunks: readonly Piece<RecordKey>[],
): readonly Piece<RecordKey>[] => {
  const cutter = new Chunker(directoryFamily(level), blobs);
  for (const chunk of chunks) cutter.add(chunk);
  return cutter.finish();
};

export const openDirectories = (
  blobs: Blobs,
  level: Level,
  entries: readonly Entry[],
): PieceList<RecordKey> => {
  const { decode } = directoryFamily(level);
  return new PieceList(RECORD_ENTRIES.read(entries), {
    compare: compareRecords,
    read: ({ names }) => decode(names.map((name) => blobs.read(name))),
  });
};

/** The directories after edits. */
export const settleDirectories = (
  blobs: Blobs,
  level: Level,
  list: PieceList<RecordKey>,
): readonly Piece<RecordKey>[] => {
  const { groups } = list;
  const settled: Piece<RecordKey>[] = [];
  for (let from = 0; from < groups.length; ) {
    let to = from + 1;
    while (to < groups.length && !beginsRun(groups[to], level)) to += 1;
    const run = groups.slice(from, to);
    if (run.every(({ isTouched }) => !isTouched)) {
      settled.push(...run.flatMap(({ piece }) => piece ?? []));
    } else {
      const chunks = run.flatMap((_group, at) => list.chunksOf(from + at));
      for (const name of run.flatMap(({ piece }) => piece?.names ?? [])) blobs.drop(name);
      settled.push(...packDirectories(blobs, level, chunks));
    }
    from = to;
  }
  return settled;
};

/** True when a directory begins there for the sake of an id, not of a number of chunks. */
const beginsRun = (group: Group<RecordKey> | undefined, level: Level): boolean => {
  const first = group?.chunks?.[0] ?? (group?.chunks === null ? group.piece : undefined);
  return first !== undefined && first !== null && opensAt(first.key.id, level);
};
