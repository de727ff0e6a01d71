// Reads folders of pictures, media and files, one at a time. Links are never followed, hidden names are not
// ours, and what cannot be kept is named with its reason. A large folder does not stop the event loop.
import { chmodSync, lstatSync, type Stats } from 'node:fs';
import { opendir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as tick } from 'node:timers/promises';
import { makeFolder } from '../../base/files/make-folder.ts';
import { findStat } from '../../base/files/stat-key.ts';
import { counted } from '../../base/text/counted.ts';
import { IMAGE_FOLDERS } from '../../content/paths/files.ts';

/** Anybody may read what is served; nobody writes into it: files are replaced whole. */
export const MEDIA_FILE_MODE = 0o444;
export const MEDIA_FOLDER_MODE = 0o755;

/** Everybody may pass through it, whatever the umask is; one that is there keeps its rights. */
export const makeMediaFolder = (folder: string): void => {
  if (lstatSync(folder, { throwIfNoEntry: false }) !== undefined) return;
  makeFolder(folder);
  chmodSync(folder, MEDIA_FOLDER_MODE);
};

/** A file or folder that is left out; `path` is relative, with `/`. */
export type Skipped = { readonly path: string; readonly reason: string };

export type MediaFile = { readonly name: string; readonly stats: Stats };

export type FolderContent = {
  readonly files: readonly MediaFile[];
  readonly folders: readonly string[];
  /** Names of what else stands there. */
  readonly skipped: readonly Skipped[];
};

/** As many files are looked at in one tick of the event loop. */
const FILES_PER_TICK = 200;

/** In the order of their names. Throws when the folder cannot be read. */
export const readMediaFolder = async (folder: string): Promise<FolderContent> => {
  const entries = await readdir(folder, { withFileTypes: true });
  const shown = entries.filter(({ name }) => !name.startsWith('.'));
  shown.sort((a, b) => (a.name < b.name ? -1 : 1));
  const files: MediaFile[] = [];
  const folders: string[] = [];
  const skipped: Skipped[] = [];
  for (const [at, entry] of shown.entries()) {
    if (at % FILES_PER_TICK === FILES_PER_TICK - 1) await tick();
    const { name } = entry;
    const stats = lstatSync(join(folder, name), { throwIfNoEntry: false });
    if (stats?.isFile()) files.push({ name, stats });
    else if (stats?.isDirectory()) folders.push(name);
    else skipped.push({ path: name, reason: reasonOf(stats) });
  }
  return { files, folders, skipped };
};

const reasonOf = (stats: Stats | undefined): string => {
  if (stats === undefined) return 'is gone, or its name is not UTF-8';
  return stats.isSymbolicLink()
    ? 'is a symbolic link, and links are not followed'
    : 'is not a file';
};

/** A file with its path, or what was left out. */
export type MediaEntry = (Omit<MediaFile, 'name'> & { readonly path: string }) | Skipped;

/** Everything below `root`/`folder`, each with its path relative to `root`. */
export async function* listMedia(root: string, folder: string): AsyncGenerator<MediaEntry> {
  const pathOf = (name: string): string => (folder === '' ? name : `${folder}/${name}`);
  let content: FolderContent;
  try {
    content = await readMediaFolder(join(root, folder));
  } catch (error) {
    yield { path: folder, reason: unreadable(error) };
    return;
  }
  for (const { path, reason } of content.skipped) yield { path: pathOf(path), reason };
  for (const { name, stats } of content.files) yield { path: pathOf(name), stats };
  for (const name of content.folders) yield* listMedia(root, pathOf(name));
}

export const unreadable = (error: unknown): string =>
  `cannot be read (${(error as NodeJS.ErrnoException).code})`;

/** The folders of `root` that are there, as real ones; what else has their names is left out with its reason. */
export const findMediaFolders = (root: string): { folders: string[]; skipped: Skipped[] } => {
  const found = { folders: [] as string[], skipped: [] as Skipped[] };
  for (const path of IMAGE_FOLDERS) {
    try {
      const stats = findStat(join(root, path));
      if (stats?.isDirectory()) found.folders.push(path);
      else if (stats !== undefined) found.skipped.push({ path, reason: reasonOf(stats) });
    } catch (error) {
      found.skipped.push({ path, reason: unreadable(error) });
    }
  }
  return found;
};

/** Ends at the first file, which may also stand beside the folders that are placed: then the disk of the folder is there. */
export const holdsFile = async (media: string): Promise<boolean> => {
  const folders = [media];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    const entries = await opendir(next).catch(() => []);
    for await (const entry of entries) {
      if (entry.name.startsWith('.')) continue;
      if (entry.isFile()) return true;
      if (entry.isDirectory()) folders.push(join(next, entry.name));
    }
  }
  return false;
};

/** Of a folder that holds no file, while `files` files that were placed from it stand in the output. */
export const emptyReason = (media: string, files: number): string =>
  `${HOLDS_NO_FILE}, so the output keeps ${counted(files, 'file')} placed from it: its disk may not be mounted. Mount it, or copy the files back. To remove them from the output, create the file ${join(media, 'empty.txt')} and build again`;

export const HOLDS_NO_FILE = 'holds no file';

const TIME_TOLERANCE_MS = 2;

/** The same size and time: the bytes are taken for the same. */
export const isSameFile = (
  a: Pick<Stats, 'size' | 'mtimeMs'>,
  b: Pick<Stats, 'size' | 'mtimeMs'>,
): boolean => a.size === b.size && Math.abs(a.mtimeMs - b.mtimeMs) < TIME_TOLERANCE_MS;
