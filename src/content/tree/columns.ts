// Blobs over a range of positions, and what they say of one position after another. Runtime-neutral, and written so that
// the oldest of the edge runtimes can run it.
import type { BlobName } from './tree.ts';
import type { TreeStore } from './tree-store.ts';

/** Positions from `from` on, before `to`. */
export type Range = { readonly from: number; readonly to: number };

/** What a blob holds, and the positions of its records. */
export type Segment<T> = Range & { readonly value: T };

type Sized = readonly [name: BlobName, records: number, ...rest: unknown[]];

type Run = {
  readonly entries: readonly Sized[];
  /** Where the first entry begins. */
  readonly base: number;
  readonly range: Range;
};

/** Only blobs that the range touches are read. */
export const readSegments = <T>(
  store: TreeStore,
  run: Run,
  decode: (bytes: Uint8Array) => T,
): Promise<Segment<T>[]> => {
  const range = run.range;
  const read: Promise<Segment<T>>[] = [];
  let end = run.base;
  run.entries.forEach((entry) => {
    const from = end;
    const to = from + entry[1];
    end = to;
    if (from >= range.to || to <= range.from) return;
    read.push(store.get(entry[0], decode).then((value) => ({ from, to, value })));
  });
  return Promise.all(read);
};

export type Reader<R> = (position: number) => R;

/** Reads segments at positions that ascend. `open` is given what a segment holds, and its number of records. */
export const createReader = <T, R>(
  segments: readonly Segment<T>[],
  open: (value: T, records: number) => (at: number) => R,
): Reader<R> => {
  let read: (at: number) => R;
  let next = 0;
  let from = 0;
  let to = 0;
  return (position) => {
    while (position >= to) {
      const segment = segments[next] as Segment<T>;
      next += 1;
      from = segment.from;
      to = segment.to;
      read = open(segment.value, to - from);
    }
    return read(position - from);
  };
};

export const joined = <T>(lists: readonly (readonly T[])[]): T[] =>
  lists.reduce((all: T[], some) => all.concat(some), []);
