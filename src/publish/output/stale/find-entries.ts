// What a folder holds; nothing where there is no folder, as where a file stands in its place, here or above.
import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { listBelow } from '../../../base/files/list-below.ts';
import { isAbsent } from '../../../base/files/stat-key.ts';

export const findEntries = (folder: string): Dirent[] => {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
};

/** Hidden folders below these that hold what broken-off runs left: no server sends it, and the next run removes it. */
export const findStaleFiles = (folders: Iterable<string>): string[] =>
  [...folders].flatMap((folder) =>
    findEntries(folder)
      .filter((entry) => entry.isDirectory() && entry.name.startsWith('.prepress-'))
      .map(({ name }) => join(folder, name))
      .filter((path) => listBelow(path).some((entry) => entry.isFile())),
  );
