// Packs all records of a collection: they come oldest first, and each blob is written as soon as its records are there.
import type { PackedRecord, RecordKey } from '../../content/tree/records.ts';
import type { BlobName, Collection, Entry, IndexEntry } from '../../content/tree/tree.ts';
import type { Blobs } from './blobs.ts';
import { type Level, type Levels, opensAt } from './boundaries.ts';
import {
  keepingLines,
  lineRow,
  linkedLines,
  type NamesRow,
  namesFamily,
  plainLines,
} from './chunk-families.ts';
import { Chunker } from './chunker.ts';
import { type ColumnsRow, columnsEntries, columnsFamily } from './columns-family.ts';
import {
  encodeJson,
  INDEX_ENTRIES,
  type IndexKey,
  packDirectories,
  RECORD_ENTRIES,
} from './directories.ts';
import type { Family, Piece } from './family.ts';
import { type IndexRow, idsFamily, slugsFamily, titlesFamily } from './index-families.ts';

export const EMPTY_COLLECTION: Collection = {
  total: 0,
  leaves: [],
  cards: [],
  plain: [],
  names: [],
  columns: [],
  titles: null,
  slugs: null,
  ids: null,
};

export class CollectionPacker {
  readonly #blobs: Blobs;
  readonly #levels: Levels;
  readonly #lines: Record<
    'leaf' | 'card' | 'plain',
    Chunker<ReturnType<typeof lineRow>, RecordKey>
  >;
  readonly #names: Chunker<NamesRow, RecordKey>;
  /** Those after the newest boundary of long runs. */
  #open: ColumnsRow[] = [];
  readonly #columns: Chunker<ColumnsRow, RecordKey>;
  #closedBefore: RecordKey | null = null;
  readonly #indexed: (RecordKey & { readonly title: string; readonly slug: string })[] = [];

  constructor(blobs: Blobs, levels: Levels) {
    this.#blobs = blobs;
    this.#levels = levels;
    this.#lines = {
      leaf: new Chunker(keepingLines(linkedLines(levels.leaf)), blobs),
      card: new Chunker(keepingLines(linkedLines(levels.card)), blobs),
      plain: new Chunker(keepingLines(plainLines(levels.plain)), blobs),
    };
    this.#names = new Chunker(namesFamily(levels.names), blobs);
    this.#columns = new Chunker(closedColumns(levels), blobs);
  }

  /** A record that is newer than the last one; its bytes may be used again afterwards. */
  add(record: PackedRecord): void {
    const { ms, id, title, slug } = record;
    this.#lines.leaf.add(lineRow(record, record.line));
    this.#lines.card.add(lineRow(record, record.card));
    this.#lines.plain.add(lineRow(record, record.plain));
    this.#names.add({ ms, id, title, slug, uuid: record.uuid });
    this.#addColumns(record);
    this.#indexed.push({ ms, id, title, slug });
  }

  finish(): Collection {
    const total = this.#indexed.length;
    if (total === 0) return EMPTY_COLLECTION;
    const { leafDirectory, directory } = this.#levels;
    return {
      total,
      leaves: this.#directories(leafDirectory, this.#lines.leaf.finish()),
      cards: this.#directories(directory, this.#lines.card.finish()),
      plain: this.#directories(directory, this.#lines.plain.finish()),
      names: this.#directories(directory, this.#names.finish()),
      columns: columnsEntries(this.#finishColumns()),
      titles: this.#index(titlesFamily(this.#levels.titles), ({ title }) => title),
      slugs: this.#index(slugsFamily(this.#levels.slugs), ({ slug }) => slug),
      ids: this.#index(idsFamily(this.#levels.ids), ({ id }) => id),
    };
  }

  #directories(level: Level, chunks: readonly Piece<RecordKey>[]): Entry[] {
    return RECORD_ENTRIES.spell(packDirectories(this.#blobs, level, chunks));
  }

  #addColumns({ ms, id, created, updated, flags, tags, authors }: PackedRecord): void {
    if (opensAt(id, this.#levels.columns)) {
      this.#closedBefore = { ms, id };
      for (const row of this.#open.splice(0)) this.#columns.add(row);
    }
    this.#open.push({ ms, id, created, updated, flags, tags, authors });
  }

  #finishColumns(): Piece<RecordKey>[] {
    const open = new Chunker(columnsFamily(this.#levels, this.#closedBefore), this.#blobs);
    for (const row of this.#open) open.add(row);
    return [...this.#columns.finish(), ...open.finish()];
  }

  #index(
    family: Family<IndexRow, IndexKey>,
    firstOf: (record: { title: string; slug: string; id: string }) => string,
  ): BlobName | null {
    const rows = this.#indexed.map((record) => ({
      first: firstOf(record),
      id: record.id,
      ms: record.ms,
    }));
    const cutter = new Chunker(family, this.#blobs);
    for (const row of rows.sort(family.compare)) cutter.add(row);
    return putIndex(this.#blobs, cutter.finish());
  }
}

/** Long runs only. */
const closedColumns = (levels: Levels): Family<ColumnsRow, RecordKey> =>
  columnsFamily(levels, { ms: Number.POSITIVE_INFINITY, id: '' });

/** Writes the directory of an index; null: there is nothing in it. */
export const putIndex = (blobs: Blobs, chunks: readonly Piece<IndexKey>[]): BlobName | null => {
  if (chunks.length === 0) return null;
  const entries: IndexEntry[] = INDEX_ENTRIES.spell(chunks);
  return blobs.put(encodeJson(entries), '.txt');
};
