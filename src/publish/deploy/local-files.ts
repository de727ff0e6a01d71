// The files of the output. Those of the content tree are known by the builds that wrote them; what lies beside it
// (pictures, pages for people, files of hosts) is known by looking at it.
import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PrepressError } from '../../base/errors.ts';
import { isAbsent, statKeyOf } from '../../base/files/stat-key.ts';
import { GUARDED_FOLDERS } from '../../content/paths/files.ts';
import { findEntries } from '../output/stale/find-entries.ts';
import type { LocalFile } from './target.ts';

export type SeenFile = LocalFile & {
  /** Another one once the file was replaced or written. */
  readonly statKey: string;
};

/** Folders in which files are made, and the history of an output that is kept in Git. */
const HIDDEN = /^(?:\.prepress-.*|\.git)$/;

/**
 * Names that hosts read, but that readers must not see, are among them; hidden folders of work are
 * not. `isLeftOut`: folders that are not looked into, by their paths.
 */
export function* localFiles(
  output: string,
  isLeftOut: (folder: string) => boolean = () => false,
): Generator<SeenFile> {
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of findEntries(join(output, folder))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!HIDDEN.test(entry.name) && !isLeftOut(path)) folders.push(path);
      } else if (entry.isFile()) {
        const seen = findLocalFile(output, path);
        if (seen !== null) yield seen;
      }
    }
  }
}

/** Null where no plain file stands. */
export const findLocalFile = (output: string, path: string): SeenFile | null => {
  const place = join(output, path);
  const stat = lstatSync(place, { bigint: true, throwIfNoEntry: false });
  if (stat === undefined || !stat.isFile()) return null;
  return {
    path,
    size: Number(stat.size),
    statKey: statKeyOf(stat),
    read: () => readIfThere(place),
  };
};

/** Folders of documents and of the packed tree; `content` ends with a slash. */
export const isTreeFolder =
  (content: string) =>
  (folder: string): boolean =>
    folder.startsWith(content) && GUARDED_FOLDERS.includes(folder.slice(content.length));

/** True of what is known by looking at it alone. */
export const isBeside = (path: string, content: string): boolean => {
  if (!path.startsWith(content)) return true;
  const [first = '', more] = path.slice(content.length).split('/');
  return more === undefined || !GUARDED_FOLDERS.includes(first);
};

const readIfThere = (path: string): Buffer => {
  try {
    return readFileSync(path);
  } catch (error) {
    if (!isAbsent(error)) throw error;
    throw new PrepressError('BUILD_BUSY', 'A build changed the output during the deploy.');
  }
};
