// Files and folders that only their owner may use, whatever the umask of the process is. A file that the
// superuser makes in another user's folder belongs to that user, whose programs must be able to open it.
import {
  chmodSync,
  chownSync,
  closeSync,
  fchmodSync,
  fchownSync,
  mkdirSync,
  openSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';

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
    mkdirSync(folder, { mode: PRIVATE_FOLDER_MODE });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  attempt(() => chmodSync(folder, PRIVATE_FOLDER_MODE));
  const owner = otherOwnerOf(folder);
  if (owner !== null) attempt(() => chownSync(folder, owner.uid, owner.gid));
  return true;
};

/** The owner of the folder around `path`, when the superuser makes a file there for another user. */
const otherOwnerOf = (path: string): { readonly uid: number; readonly gid: number } | null => {
  if (process.getuid?.() !== 0) return null;
  const { uid, gid } = statSync(dirname(path));
  return uid === 0 ? null : { uid, gid };
};

/** Some file systems have neither modes nor owners. */
const attempt = (change: () => void): void => {
  try {
    change();
  } catch {
    // The file serves all the same.
  }
};
