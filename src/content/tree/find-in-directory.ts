// Where records stand: from a position (counted from the newest) or a key (published time and id) to a blob and a line,
// through the root's list of directories and one directory. Runtime-neutral, and written so that the oldest of the edge
// runtimes can run it.
import { countFirst } from './count-first.ts';
import { type Chunk, decodeChunk, decodeJson } from './decode-chunk.ts';
import type { BlobName, Directory, Entry } from './tree.ts';
import type { TreeStore } from './tree-store.ts';

export type Key = { readonly ms: number; readonly id: string };
type Spot = number | Key;

export type Found = {
  readonly chunk: Chunk;
  /** Among the records of the chunk. */
  readonly line: number;
  readonly position: number;
};

/** A position is of a record that there is; a key is found where the first record that is not newer stands, or would. */
export const findLine = async (
  store: TreeStore,
  directories: Directory,
  spot: Spot,
): Promise<Found> => {
  const outer = findEntry(directories, 0, spot);
  const directory = await store.get<Directory>(outer.blob, decodeJson);
  const inner = findEntry(directory, outer.from, spot);
  const chunk = await store.get(inner.blob, decodeChunk);
  const head = chunk.head;
  const line =
    typeof spot === 'number'
      ? spot - inner.from
      : countFirst(head.id.length, (at) =>
          isNewer(head.ms[at] as number, head.id[at] as string, spot),
        );
  return { chunk, line, position: inner.from + line };
};

const isNewer = (ms: number, id: string, key: Key): boolean =>
  ms > key.ms || (ms === key.ms && id > key.id);

type Part = { readonly blob: BlobName; readonly from: number };

/** The entry that holds a spot, the last one for a key that is older than all, and the position of its first record. */
const findEntry = (entries: Directory, base: number, spot: Spot): Part =>
  findFirst(entries, base, (entry, from) =>
    typeof spot === 'number' ? spot < from + entry[1] : !isNewer(entry[2], entry[3], spot),
  );

/** The first entry for which it is true, or else the last one, and where it begins. */
export const findFirst = <E extends Entry | readonly [BlobName, number]>(
  entries: readonly E[],
  base: number,
  isIt: (entry: E, from: number) => boolean,
): Part => {
  let from = base;
  let at = 0;
  for (; at < entries.length - 1; at += 1) {
    const entry = entries[at] as E;
    if (isIt(entry, from)) break;
    from += entry[1];
  }
  return { blob: (entries[at] as E)[0], from };
};
