// The disk that the bench takes: what it needs at most at once, and what a size leaves for the next one.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { remove } from './processes.ts';

/** A tree and its database, on a disk with blocks of 4 kB. */
const MB_PER_POST = 0.1;
/** The first tree, the one that is measured, an archive of it, and what was unpacked from that. */
const TREES = 4;
/** Sizes up to 10,000 keep the trees of all rounds, and `packed` has a million posts; other parts take less. */
const LEAST_GB = 35;

export const sayDisk = (sizes: readonly number[], tell: (text: string) => void): void => {
  const largest = (Math.max(0, ...sizes) * MB_PER_POST * TREES) / 1000;
  tell(`Up to ${Math.ceil(Math.max(LEAST_GB, largest))} GB of disk are needed at once.`);
};

/** `kept`: names below `place`. */
export const removeAfter = async (place: string, kept: readonly string[]): Promise<void> => {
  for (const name of readdirSync(place)) {
    if (!kept.includes(name)) await remove(join(place, name));
  }
};
