// The families of chunks that hold texts: leaves, cards, plain texts and names. Their blobs have the newest record first.
import type { PackedRecord, RecordKey } from '../../content/tree/records.ts';
import type { ChunkHead, Names } from '../../content/tree/tree.ts';
import type { Level } from './boundaries.ts';
import { compareRecords, decodeJson, encodeJson } from './directories.ts';
import type { Family } from './family.ts';

export type LineRow = RecordKey & {
  readonly line: Uint8Array;
  readonly tags: readonly string[];
  readonly authors: readonly string[];
  readonly tiers?: readonly string[] | undefined;
};

const NEWLINE = Buffer.from('\n');
const NEWLINE_BYTE = 0x0a;

const keyOf = ({ ms, id }: RecordKey): RecordKey => ({ ms, id });

const encodeLines = (head: ChunkHead, rows: readonly LineRow[]): Buffer =>
  Buffer.concat([encodeJson(head), ...rows.flatMap(({ line }) => [NEWLINE, line])]);

const decodeLines = (bytes: Buffer): LineRow[] => {
  let end = endOfLine(bytes, 0);
  const head = decodeJson<ChunkHead>(bytes.subarray(0, end));
  const rows = head.id.map((id, at): LineRow => {
    const start = end + 1;
    end = endOfLine(bytes, start);
    const line = bytes.subarray(start, end);
    return {
      ms: head.ms[at] as number,
      id,
      line,
      tags: head.t?.[at] ?? [],
      authors: head.a?.[at] ?? [],
      tiers: head.p?.[at],
    };
  });
  return rows.reverse();
};

const endOfLine = (bytes: Buffer, from: number): number => {
  const end = bytes.indexOf(NEWLINE_BYTE, from);
  return end === -1 ? bytes.length : end;
};

/**
 * The same family for rows whose bytes are used again: they are copied behind one another, into memory that is
 * itself used again when their chunk is encoded.
 */
export const keepingLines = (family: Family<LineRow, RecordKey>): Family<LineRow, RecordKey> => {
  let arena = Buffer.allocUnsafeSlow(ARENA_BYTES);
  let filled = 0;
  return {
    ...family,
    keep: (row) => {
      const { length } = row.line;
      // Lines that are kept already stay in the memory that they were copied to.
      if (filled + length > arena.length) {
        arena = Buffer.allocUnsafeSlow(Math.max(arena.length, length) * 2);
        filled = 0;
      }
      arena.set(row.line, filled);
      filled += length;
      const { ms, id, tags, authors, tiers } = row;
      return { ms, id, tags, authors, tiers, line: arena.subarray(filled - length, filled) };
    },
    encode: (rows) => {
      filled = 0;
      return family.encode(rows);
    },
  };
};

const ARENA_BYTES = 1024 * 1024;

const lines = (level: Level, hasLinks: boolean): Family<LineRow, RecordKey> => ({
  level,
  ending: '.txt',
  keyOf,
  compare: compareRecords,
  bytesOf: ({ line }) => line.length,
  encode: (oldestFirst) => {
    const rows = [...oldestFirst].reverse();
    const keys = { ms: rows.map(({ ms }) => ms), id: rows.map(({ id }) => id) };
    const hasTiers = rows.some(({ tiers }) => tiers !== undefined);
    const links = {
      t: rows.map(({ tags }) => tags),
      a: rows.map(({ authors }) => authors),
      p: hasTiers ? rows.map(({ tiers = [] }) => tiers) : undefined,
    };
    return [encodeLines(hasLinks ? { ...keys, ...links } : keys, rows)];
  },
  decode: ([bytes]) => (bytes === undefined ? [] : decodeLines(bytes)),
});

/** Leaves and cards. */
export const linkedLines = (level: Level): Family<LineRow, RecordKey> => lines(level, true);

export const plainLines = (level: Level): Family<LineRow, RecordKey> => lines(level, false);

export const lineRow = (
  { ms, id, tags, authors, tiers }: PackedRecord,
  line: Uint8Array,
): LineRow => ({
  ms,
  id,
  tags,
  authors,
  tiers,
  line,
});

export type NamesRow = RecordKey & Pick<PackedRecord, 'title' | 'slug' | 'uuid'>;

export const namesFamily = (level: Level): Family<NamesRow, RecordKey> => ({
  level,
  ending: '.txt',
  keyOf,
  compare: compareRecords,
  bytesOf: () => 0,
  encode: (oldestFirst) => {
    const rows = [...oldestFirst].reverse();
    const names: Names = {
      ms: rows.map(({ ms }) => ms),
      id: rows.map(({ id }) => id),
      title: rows.map(({ title }) => title),
      slug: rows.map(({ slug }) => slug),
      uuid: rows.map(({ uuid }) => uuid),
    };
    return [encodeJson(names)];
  },
  decode: ([bytes]) => {
    const { ms, id, title, slug, uuid } = decodeJson<Names>(bytes);
    return id
      .map((one, at) => ({
        id: one,
        ms: ms[at] as number,
        title: title[at] as string,
        slug: slug[at] as string,
        uuid: uuid[at] as string,
      }))
      .reverse();
  },
});
