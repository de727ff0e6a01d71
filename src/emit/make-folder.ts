// Makes folders that a user may have named, wherever they are.
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Folder by folder: told to do it alone, Node.js tries for ever where the system takes none (/proc). */
export const makeFolder = (folder: string): void => {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    if (!statSync(folder).isDirectory()) throw error;
  }
};
