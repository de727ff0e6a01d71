// The files of the output, as they are when a deploy begins. A file that a build replaces meanwhile is
// noticed when it is read, before what names it is carried.
import { type BigIntStats, existsSync, lstatSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { PrepressError } from '../base/errors.ts';
import { listBelow } from '../emit/list-below.ts';
import type { LocalFile } from './target.ts';

/** Names that hosts read, but that readers must not see, are carried too; the hidden folders
 * in which files are made are not. */
export const listLocalFiles = (output: string): LocalFile[] =>
  (existsSync(output) ? listBelow(output) : [])
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !relative(output, path).split(sep).slice(0, -1).some(isHidden))
    .map((path) => localFile(output, path))
    .sort((a, b) => (a.path < b.path ? -1 : 1));

const isHidden = (name: string): boolean => name.startsWith('.prepress-');

const localFile = (output: string, path: string): LocalFile => {
  const seen = lstatSync(path, { bigint: true });
  return {
    path: relative(output, path).split(sep).join('/'),
    size: Number(seen.size),
    read: () => {
      const bytes = readOrNull(path);
      const now = lstatSync(path, { bigint: true, throwIfNoEntry: false });
      if (bytes !== null && now !== undefined && stampOf(now) === stampOf(seen)) return bytes;
      throw new PrepressError('BUILD_BUSY', 'A build changed the output while it was carried.');
    },
  };
};

const stampOf = ({ ino, size, mtimeNs }: BigIntStats): string => `${ino}-${size}-${mtimeNs}`;

const readOrNull = (path: string): Buffer | null => {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
};
