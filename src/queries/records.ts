// Lines of records: the chunk, line and position of each spot. Runtime-neutral, and written so that the oldest of the
// edge runtimes can run it.
import { type Chunk, decodeChunk } from './decode-chunk.ts';
import { findLine, locateParts, type Part, type Spot } from './locate.ts';
import type { BlobName, Entry } from './tree.ts';
import type { TreeStore } from './tree-store.ts';

export type Found = {
  readonly chunk: Chunk;
  /** Among the records of the chunk. */
  readonly line: number;
  readonly position: number;
};

/** In the order of the spots, which are of records that there are. */
export const findRecordLines = async (
  store: TreeStore,
  directories: readonly Entry[],
  spots: readonly Spot[],
): Promise<Found[]> => {
  const parts = await locateParts(store, directories, spots);
  const chunks = await readChunks(store, parts);
  return parts.map((part, at) => {
    const chunk = chunks[part.name] as Chunk;
    const spot = spots[at] as Spot;
    const line = typeof spot === 'number' ? spot - part.from : findLine(chunk.head, spot);
    if (line === -1)
      throw new Error('An index of the packed tree names a record that is not there.');
    return { chunk, line, position: part.from + line };
  });
};

const readChunks = async (
  store: TreeStore,
  parts: readonly Part[],
): Promise<Record<BlobName, Chunk>> => {
  const byName: Record<BlobName, Chunk> = Object.create(null);
  const names: BlobName[] = [];
  const seen: Record<BlobName, boolean> = Object.create(null);
  parts.forEach((part) => {
    if (seen[part.name] !== true) names.push(part.name);
    seen[part.name] = true;
  });
  const chunks = await Promise.all(names.map((name) => store.get(name, decodeChunk)));
  names.forEach((name, at) => {
    byName[name] = chunks[at] as Chunk;
  });
  return byName;
};
