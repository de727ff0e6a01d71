// Files and folders that only their owner may use, whatever the umask of the process is.
import { chmodSync, closeSync, fchmodSync, fchownSync, openSync } from 'node:fs';
import { attempt, makeOwnedFolder, otherOwnerOf } from './owner.ts';

export const PRIVATE_FILE_MODE = 0o600;
export const PRIVATE_FOLDER_MODE = 0o700;

/** Makes an empty file where nothing stands. Whoever opens the file reports why it could not be made. */
export const makePrivateFile = (path: string): void => {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'wx', PRIVATE_FILE_MODE);
  } catch {
    return;
  }
  try {
    attempt(() => fchmodSync(descriptor, PRIVATE_FILE_MODE));
    const owner = otherOwnerOf(path);
    if (owner !== null) attempt(() => fchownSync(descriptor, owner.uid, owner.gid));
  } finally {
    closeSync(descriptor);
  }
};

/** Makes the folder where nothing stands; the folder above it must exist. True when it was made. */
export const makePrivateFolder = (folder: string): boolean => {
  try {
    makeOwnedFolder(folder, PRIVATE_FOLDER_MODE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  attempt(() => chmodSync(folder, PRIVATE_FOLDER_MODE));
  return true;
};
