// The identity of a file as it was written: inode, size and modification time. A file with another
// stat key was touched by someone else, so its bytes are not trusted.
import { type BigIntStats, lstatSync, type Stats } from 'node:fs';

export const statKeyOf = (stat: BigIntStats): string => `${stat.ino}-${stat.size}-${stat.mtimeNs}`;

/** Nothing stands there, or a file in place of one of its folders. */
export const isAbsent = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');

/** What stands at `path`; undefined for nothing, as where a file stands in place of one of its folders. */
export const findStat = (path: string): Stats | undefined => {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    throw error;
  }
};

export const isFile = (path: string): boolean => findStat(path)?.isFile() === true;

export const findStatKey = (path: string): string | null => {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stat?.isFile() ? statKeyOf(stat) : null;
};
