// Brings the chunks of a family to the state after some edits, reading only the chunks that these touch, and those after
// them until a boundary falls where one was before. The result is what cutting all rows anew would give.
import { PrepressError } from '../../base/errors.ts';
import type { Blobs } from './blobs.ts';
import { Chunker, opensChunk } from './chunker.ts';
import type { Family, Piece } from './family.ts';
import { isBefore, type PieceList, type Place } from './piece-list.ts';

export type RowEdit<Row, Key> = {
  readonly key: Key;
  /** A row with this key is there. */
  readonly isStanding: boolean;
  /** The row there is to be; null: none; undefined: as it is, its chunk is cut anew. */
  readonly row: Row | null | undefined;
};

type Keyed = { readonly id: string };

/** Edits in the order of their keys, each key once. Throws OUTPUT_DIFFERS where the tree has other rows than they say. */
export const editPieces = <Row, Key extends Keyed>(
  family: Family<Row, Key>,
  { list, blobs }: { readonly list: PieceList<Key>; readonly blobs: Blobs },
  edits: readonly RowEdit<Row, Key>[],
): void => {
  let next = 0;
  while (next < edits.length) {
    const from = startOf(family, list, edits[next] as RowEdit<Row, Key>);
    const cutter = new Chunker(family, blobs);
    let at = from;
    for (let isOpen = true; isOpen; ) {
      const standing = list.chunkAt(at);
      const after = list.after(at);
      const coming = list.chunkAt(after);
      const due = takeWhile(
        edits,
        next,
        ({ key }) => coming === undefined || family.compare(key, coming.key) < 0,
      );
      next += due.length;
      const rows = readRows(family, blobs, standing);
      for (const name of standing?.names ?? []) blobs.drop(name);
      for (const row of mergedRows(family, rows, due)) cutter.add(row);
      at = standing === undefined ? at : after;
      const edit = edits[next];
      const isTouched = edit !== undefined && isBefore(startOf(family, list, edit), after);
      isOpen =
        coming !== undefined && (isTouched || !isBoundary(family, { coming, cutter, blobs }));
    }
    list.replace(from, at, cutter.finish());
  }
};

const takeWhile = <T>(all: readonly T[], from: number, test: (one: T) => boolean): T[] => {
  let to = from;
  while (to < all.length && test(all[to] as T)) to += 1;
  return all.slice(from, to);
};

/** The first chunk that an edit may change: its own, or the one before when it may not begin its own any more. */
const startOf = <Row, Key extends Keyed>(
  family: Family<Row, Key>,
  list: PieceList<Key>,
  { key, row }: RowEdit<Row, Key>,
): Place => {
  const place = list.find(key);
  const chunk = list.chunkAt(place);
  if (chunk === undefined || family.compare(chunk.key, key) !== 0) return place;
  if (row !== null && opensChunk(family, key)) return place;
  return list.before(place) ?? place;
};

const readRows = <Row, Key extends Keyed>(
  family: Family<Row, Key>,
  blobs: Blobs,
  piece: Piece<Key> | undefined,
): Row[] => {
  if (piece === undefined) return [];
  const rows = family.decode(piece.names.map((name) => blobs.read(name)));
  if (rows.length !== piece.records) throw differs();
  return rows;
};

const mergedRows = <Row, Key extends Keyed>(
  { keyOf, compare }: Family<Row, Key>,
  rows: readonly Row[],
  edits: readonly RowEdit<Row, Key>[],
): Row[] => {
  const merged: Row[] = [];
  let at = 0;
  for (const { key, isStanding, row } of edits) {
    let order = -1;
    for (; at < rows.length; at += 1) {
      const standing = rows[at] as Row;
      order = compare(keyOf(standing), key);
      if (order >= 0) break;
      merged.push(standing);
    }
    if (row === undefined) continue;
    const isFound = at < rows.length && order === 0;
    if (isFound !== isStanding) throw differs();
    if (isFound) at += 1;
    if (row !== null) merged.push(row);
  }
  for (; at < rows.length; at += 1) merged.push(rows[at] as Row);
  return merged;
};

type Boundary<Row, Key extends Keyed> = {
  readonly coming: Piece<Key>;
  readonly cutter: Chunker<Row, Key>;
  readonly blobs: Blobs;
};

/** True when the chunk that stands there would begin there now, too. */
const isBoundary = <Row, Key extends Keyed>(
  family: Family<Row, Key>,
  { coming, cutter, blobs }: Boundary<Row, Key>,
): boolean => {
  if (opensChunk(family, coming.key)) return true;
  const [first] = readRows(family, blobs, coming);
  return first !== undefined && cutter.cutsBefore(first);
};

export const differs = (): PrepressError =>
  new PrepressError('OUTPUT_DIFFERS', 'The packed tree is not the one that was written.');
