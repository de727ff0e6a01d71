// Where a record stands in its collection, counted from the newest, as far as that is known without reading its chunk.
import type { RecordKey } from '../../content/tree/records.ts';
import type { Collection } from '../../content/tree/tree.ts';
import type { Blobs } from './blobs.ts';
import type { Levels } from './boundaries.ts';
import { openDirectories } from './directories.ts';
import type { Place } from './piece-list.ts';

/** Positions from `from` up to `to`, which is not among them. */
export type PositionRange = { readonly from: number; readonly to: number };

/** Returns a function that tells the range of a record's leaf. */
export const openPositions = (
  { blobs, levels }: { readonly blobs: Blobs; readonly levels: Levels },
  { leaves, total }: Pick<Collection, 'leaves' | 'total'>,
): ((key: RecordKey) => PositionRange) => {
  const list = openDirectories(blobs, levels.leafDirectory, leaves);
  const olderThan = ({ directory, at }: Place): number => {
    const before = list.groups.slice(0, directory).map(({ piece }) => piece?.records ?? 0);
    const chunks = list.chunksOf(directory).slice(0, at);
    return [...before, ...chunks.map(({ records }) => records)].reduce((sum, one) => sum + one, 0);
  };
  return (key) => {
    const place = list.find(key);
    const older = olderThan(place);
    const own = list.chunkAt(place)?.records ?? 0;
    return { from: total - older - own, to: total - older };
  };
};
