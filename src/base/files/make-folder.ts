// Makes folders that a user may have named, wherever they are.
import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeOwnedFolder } from './owner.ts';
import { makePrivateFolder } from './private-files.ts';

type Options = {
  /** Only its owner may use the folder; those above it are made as usual. */
  readonly isPrivate?: boolean;
};

/**
 * Folder by folder: told to do it alone, Node.js says ENOENT of a read-only disk, and tries for ever where the system
 * takes none (/proc).
 */
export const makeFolder = (folder: string, { isPrivate = false }: Options = {}): void => {
  if (isFolder(folder)) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    if (isPrivate) makePrivateFolder(folder);
    else makeOwnedFolder(folder);
  } catch (error) {
    // Another program may have been first.
    if (!isFolder(folder)) throw error;
  }
};

/** The folder without links on the way to it; one that does not exist stays as it is named. */
export const realFolder = (folder: string): string =>
  existsSync(folder) ? realpathSync(folder) : folder;

const isFolder = (path: string): boolean => {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
};
