// What a session removes from the tree: files, and the folders that then hold nothing.
import { lstatSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { OwnFolders } from '../../../base/files/own-folders.ts';
import { removeIfEmpty } from '../../../base/files/remove-empty.ts';
import { isAbsent } from '../../../base/files/stat-key.ts';
import { removeFolder } from './rename-staged.ts';

type Removed = {
  /** Names of the files that stood there. */
  readonly removed: readonly string[];
  readonly emptied: readonly string[];
};

export const removeNames = (root: string, names: readonly string[], own: OwnFolders): Removed => {
  const removed = names.filter((name) => removeFile(root, name, own));
  return { removed, emptied: removeEmptyFolders(root, names, own) };
};

/** True when there was such a file. */
const removeFile = (root: string, name: string, own: OwnFolders): boolean => {
  if (!own.has(dirname(join(root, name)))) return false;
  // Asking costs less than an error, and mostly there are no sidecars.
  const standing = lstatSync(join(root, name), { throwIfNoEntry: false });
  if (standing === undefined) return false;
  try {
    if (standing.isDirectory()) removeFolder(join(root, name));
    else unlinkSync(join(root, name));
  } catch (error) {
    if (isAbsent(error)) return false;
    throw error;
  }
  return true;
};

/**
 * Removes the folders of these names that hold nothing else, also where a build that broke off had removed the files,
 * and the folders that held only such. Returns their names.
 */
const removeEmptyFolders = (root: string, names: readonly string[], own: OwnFolders): string[] => {
  const emptied: string[] = [];
  for (let level = names; level.length > 0; ) {
    const folders = [...new Set(level.map((name) => dirname(name)))];
    level = folders.filter((name) => removeEmptyFolder(root, name, own));
    emptied.push(...level);
  }
  return emptied;
};

const removeEmptyFolder = (root: string, name: string, own: OwnFolders): boolean => {
  const folder = join(root, name);
  if (name === '.' || !own.has(folder) || !removeIfEmpty(folder)) return false;
  own.forget(folder);
  return true;
};
