// What the superuser makes in another user's folder belongs to that user, whose programs must be able to change it.
import { lchownSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

type Owner = { readonly uid: number; readonly gid: number };

/** Makes the folder; the one above it must exist. Throws as mkdirSync. */
export const makeOwnedFolder = (folder: string, mode?: number): void => {
  mkdirSync(folder, { mode });
  const owner = otherOwnerOf(folder);
  // That user may have put a link in its place meanwhile.
  if (owner !== null) attempt(() => lchownSync(folder, owner.uid, owner.gid));
};

/** The owner of the folder around `path`, when the superuser makes something there for another user. */
export const otherOwnerOf = (path: string): Owner | null => {
  if (process.getuid?.() !== 0) return null;
  const { uid, gid } = statSync(dirname(path));
  return uid === 0 ? null : { uid, gid };
};

/** Some file systems have neither modes nor owners. */
export const attempt = (change: () => void): void => {
  try {
    change();
  } catch {
    // The file serves all the same.
  }
};
