// The identity of a file as it was written: inode, size and modification time. A file with another
// stat key was touched by someone else, so its bytes are not trusted.
import { type BigIntStats, lstatSync, type Stats } from 'node:fs';

export const statKeyOf = (stat: BigIntStats): string => `${stat.ino}-${stat.size}-${stat.mtimeNs}`;

/** Nothing stands there, or a file in place of one of its folders. */
export const isAbsent = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');

/** No file can stand there: one stands in place of a folder, or a name is longer than the file system takes. */
const CANNOT_STAND = ['ENOTDIR', 'ENAMETOOLONG'];

/** What stands at `path`; undefined for nothing, also where no file can stand. */
export const findStat = (path: string): Stats | undefined => {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (CANNOT_STAND.includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
};

export const isFile = (path: string): boolean => findStat(path)?.isFile() === true;

export const findStatKey = (path: string): string | null => {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stat?.isFile() ? statKeyOf(stat) : null;
};
