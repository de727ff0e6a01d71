// The identity of a file as it was written: inode, size and modification time. A file with another
// stamp was touched by someone else, so its bytes are not trusted.
import { type BigIntStats, lstatSync } from 'node:fs';

export const stampOf = (stat: BigIntStats): string => `${stat.ino}-${stat.size}-${stat.mtimeNs}`;

/** The stamp of the regular file at `path`, or null. */
export const findStamp = (path: string): string | null => {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stat?.isFile() ? stampOf(stat) : null;
};
