// A family of blobs: rows in one order, cut into chunks. Rows and chunks are handled oldest first, or in
// the order of the index; how they stand in the blob is the family's own affair.
import type { BlobName } from '../../content/tree/tree.ts';
import type { BlobEnding } from './blobs.ts';
import type { Level } from './boundaries.ts';

export type Family<Row, Key extends { readonly id: string }> = {
  readonly level: Level;
  readonly ending: BlobEnding;
  readonly keyOf: (row: Row) => Key;
  readonly compare: (one: Key, other: Key) => number;
  readonly bytesOf: (row: Row) => number;
  /** Records that a row stands for; absent: one. */
  readonly recordsOf?: (row: Row) => number;
  /** One blob, or several that belong together. */
  readonly encode: (rows: readonly Row[]) => readonly Buffer[];
  readonly decode: (blobs: readonly Buffer[]) => Row[];
  /** Makes a row one that stays valid until its chunk is encoded; absent: it does. */
  readonly keep?: (row: Row) => Row;
  /** Begins a chunk at this key; absent: where the bits of its level are zero. */
  readonly opens?: (key: Key) => boolean;
};

/** A chunk as directories know it. */
export type Piece<Key> = {
  readonly names: readonly BlobName[];
  readonly records: number;
  /** Of its first row. */
  readonly key: Key;
};
