// Columns, which filters and orders read: a run of records as three blobs. Runs are long where they are old, so that few
// have to be read; after the newest boundary of those they are short, so that a publish writes little.
import type { PackedRecord, RecordKey } from '../../content/tree/records.ts';
import {
  type ColumnsEntry,
  FACETS_HEAD_BYTES,
  FACETS_MAGIC,
  ID_BYTES,
  TIMES_RECORD_BYTES,
} from '../../content/tree/tree.ts';
import { type Levels, opensAt } from './boundaries.ts';
import { compareRecords } from './directories.ts';
import { differs } from './edit-pieces.ts';
import type { Family, Piece } from './family.ts';

export type ColumnsRow = RecordKey &
  Pick<PackedRecord, 'created' | 'updated' | 'flags' | 'tags' | 'authors'>;

/** `closedBefore`: key of the newest record that begins a long run; null: there is none. */
export const columnsFamily = (
  { columns, openColumns }: Levels,
  closedBefore: RecordKey | null,
): Family<ColumnsRow, RecordKey> => ({
  level: columns,
  ending: '.bin',
  keyOf: ({ ms, id }) => ({ ms, id }),
  compare: compareRecords,
  bytesOf: () => 0,
  opens: (key) =>
    opensAt(key.id, columns) ||
    (opensAt(key.id, openColumns) &&
      (closedBefore === null || compareRecords(key, closedBefore) > 0)),
  encode: (oldestFirst) => {
    const rows = [...oldestFirst].reverse();
    return [encodeFacets(rows), encodeTimes(rows), encodeUpdated(rows)];
  },
  decode: ([facets, times, updated]) => {
    if (facets === undefined || times === undefined || updated === undefined) throw differs();
    return decode(facets, times, updated).reverse();
  },
});

export const columnsEntries = (pieces: readonly Piece<RecordKey>[]): ColumnsEntry[] =>
  pieces
    .map(
      ({ names: [facets = '', times = '', updated = ''], records, key }): ColumnsEntry => [
        facets,
        times,
        updated,
        records,
        key.ms,
        key.id,
      ],
    )
    .reverse();

export const columnsPieces = (entries: readonly ColumnsEntry[]): Piece<RecordKey>[] =>
  entries
    .map(([facets, times, updated, records, ms, id]) => ({
      names: [facets, times, updated],
      records,
      key: { ms, id },
    }))
    .reverse();

const WORD_BYTES = 4;
const FLOAT_BYTES = 8;
const SHORT_CODES_MAX = 65_536;

const dictionaryOf = (links: readonly (readonly string[])[]): string[] =>
  [...new Set(links.flat())].sort();

const codesOf = (dictionary: readonly string[]): ReadonlyMap<string, number> =>
  new Map(dictionary.map((id, code) => [id, code]));

const encodeFacets = (rows: readonly ColumnsRow[]): Buffer => {
  const tags = rows.map((row) => row.tags);
  const authors = rows.map((row) => row.authors);
  const dictionaries = [dictionaryOf(tags), dictionaryOf(authors)] as const;
  const links = [tags.flat().length, authors.flat().length] as const;
  const codeBytes = Math.max(...dictionaries.map(({ length }) => length)) > SHORT_CODES_MAX ? 4 : 2;
  const ids = dictionaries[0].length + dictionaries[1].length;
  const bytes = Buffer.alloc(
    FACETS_HEAD_BYTES +
      rows.length * 3 * WORD_BYTES +
      (links[0] + links[1]) * codeBytes +
      ids * ID_BYTES,
  );
  const head = [FACETS_MAGIC, rows.length, dictionaries[0].length, dictionaries[1].length];
  let at = 0;
  for (const word of [...head, ...links, codeBytes, 0]) at = bytes.writeUInt32LE(word, at);
  for (const { flags } of rows) at = bytes.writeUInt32LE(flags, at);
  for (const { length } of tags) at = bytes.writeUInt32LE(length, at);
  for (const { length } of authors) at = bytes.writeUInt32LE(length, at);
  for (const [which, all] of [tags, authors].entries()) {
    const codes = codesOf(dictionaries[which] ?? []);
    for (const id of all.flat()) at = bytes.writeUIntLE(codes.get(id) ?? 0, at, codeBytes);
  }
  for (const id of dictionaries.flat()) at += bytes.write(id, at, 'hex');
  return bytes;
};

const encodeTimes = (rows: readonly ColumnsRow[]): Buffer => {
  const bytes = Buffer.alloc(rows.length * TIMES_RECORD_BYTES);
  let at = 0;
  for (const { ms } of rows) at = bytes.writeDoubleLE(ms, at);
  for (const { created } of rows) at = bytes.writeDoubleLE(created, at);
  for (const { id } of rows) at += bytes.write(id, at, 'hex');
  return bytes;
};

const encodeUpdated = (rows: readonly ColumnsRow[]): Buffer => {
  const bytes = Buffer.alloc(rows.length * FLOAT_BYTES);
  for (const [at, { updated }] of rows.entries()) bytes.writeDoubleLE(updated, at * FLOAT_BYTES);
  return bytes;
};

const decode = (facets: Buffer, times: Buffer, updated: Buffer): ColumnsRow[] => {
  const word = (at: number): number => facets.readUInt32LE(at * WORD_BYTES);
  const [magic, count, tagIds, authorIds, tagLinks, authorLinks, codeBytes] = [
    0, 1, 2, 3, 4, 5, 6,
  ].map(word) as [number, number, number, number, number, number, number];
  if (magic !== FACETS_MAGIC || times.length !== count * TIMES_RECORD_BYTES) throw differs();
  const flagsAt = FACETS_HEAD_BYTES / WORD_BYTES;
  let code = FACETS_HEAD_BYTES + count * 3 * WORD_BYTES;
  let id = code + (tagLinks + authorLinks) * codeBytes;
  const readIds = (length: number): string[] =>
    Array.from({ length }, () => {
      id += ID_BYTES;
      return facets.toString('hex', id - ID_BYTES, id);
    });
  const dictionaries = [readIds(tagIds), readIds(authorIds)] as const;
  const readLinks = (which: 0 | 1): string[][] =>
    Array.from({ length: count }, (_, record) => {
      const links = word(flagsAt + (which + 1) * count + record);
      return Array.from({ length: links }, () => {
        const link = facets.readUIntLE(code, codeBytes);
        code += codeBytes;
        return dictionaries[which][link] ?? '';
      });
    });
  const tags = readLinks(0);
  const authors = readLinks(1);
  return Array.from({ length: count }, (_, record): ColumnsRow => {
    const idAt = count * 2 * FLOAT_BYTES + record * ID_BYTES;
    return {
      ms: times.readDoubleLE(record * FLOAT_BYTES),
      created: times.readDoubleLE((count + record) * FLOAT_BYTES),
      id: times.toString('hex', idAt, idAt + ID_BYTES),
      updated: updated.readDoubleLE(record * FLOAT_BYTES),
      flags: word(flagsAt + record),
      tags: tags[record] ?? [],
      authors: authors[record] ?? [],
    };
  });
};
