// Cuts rows into chunks as they come. What it decides at a row depends on the rows of its chunk alone.
import type { Blobs } from './blobs.ts';
import { opensAt } from './boundaries.ts';
import type { Family, Piece } from './family.ts';

export class Chunker<Row, Key extends { readonly id: string }> {
  readonly pieces: Piece<Key>[] = [];
  readonly #family: Family<Row, Key>;
  readonly #blobs: Blobs;
  #rows: Row[] = [];
  #bytes = 0;

  constructor(family: Family<Row, Key>, blobs: Blobs) {
    this.#family = family;
    this.#blobs = blobs;
  }

  add(row: Row): void {
    const size = this.#family.bytesOf(row);
    if (this.#cutsAt(row, size)) this.#flush();
    this.#rows.push(this.#family.keep?.(row) ?? row);
    this.#bytes += size;
  }

  /** True when a chunk would begin with this row. */
  cutsBefore(row: Row): boolean {
    return this.#rows.length === 0 || this.#cutsAt(row, this.#family.bytesOf(row));
  }

  finish(): readonly Piece<Key>[] {
    this.#flush();
    return this.pieces;
  }

  #cutsAt(row: Row, size: number): boolean {
    const { level, keyOf } = this.#family;
    return (
      this.#rows.length > 0 &&
      (this.#rows.length >= level.recordsMax ||
        this.#bytes + size > level.bytesMax ||
        opensChunk(this.#family, keyOf(row)))
    );
  }

  #flush(): void {
    const [first] = this.#rows;
    if (first === undefined) return;
    const { encode, ending, keyOf, recordsOf = () => 1 } = this.#family;
    const names = encode(this.#rows).map((bytes) => this.#blobs.put(bytes, ending));
    const records = this.#rows.reduce((sum, row) => sum + recordsOf(row), 0);
    this.pieces.push({ names, records, key: keyOf(first) });
    this.#rows = [];
    this.#bytes = 0;
  }
}

export const opensChunk = <Row, Key extends { readonly id: string }>(
  { level, opens }: Pick<Family<Row, Key>, 'level' | 'opens'>,
  key: Key,
): boolean => opens?.(key) ?? opensAt(key.id, level);
