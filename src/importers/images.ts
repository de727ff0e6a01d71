// Copies a site's images, media and files beside the content interface, where the texts expect them:
// {output}{basePath}/content/images, /media and /files, and nowhere else. A file that is there with the
// same size and time is left alone, so a file gets its name only when its bytes are durable. A link that
// leads out of the folder is never followed.
import type { Stats } from 'node:fs';
import { opendir, realpath, stat } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import { PrepressError } from '../base/errors.ts';
import { isInside } from '../base/inside.ts';
import { type CopiedFiles, openCopiedFiles } from '../emit/copied-files.ts';
import { IMAGE_FOLDERS } from '../paths/files.ts';

export type CopyReport = {
  readonly copied: number;
  readonly unchanged: number;
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
};

/**
 * Copies from a Ghost content folder (one that holds images, media or files), or from one such folder
 * itself; any other folder is taken for images. `toDir` is the content folder of the output tree, into which
 * nobody else copies meanwhile.
 * Throws IMPORT_UNREADABLE, OUTPUT_UNWRITABLE, or USAGE when the one folder lies in the other.
 */
export const copyImages = async (fromDir: string, toDir: string): Promise<CopyReport> => {
  const root = await findImages(fromDir);
  const counts: Counts = { copied: 0, unchanged: 0, skipped: [] };
  for (const [from, to] of await findFolders(root, resolve(toDir))) {
    if (isInside(to, from) || isInside(from, to)) {
      throw new PrepressError('USAGE', `The folder ${from} cannot be copied into itself.`);
    }
    const files = await openCopiedFiles(to);
    try {
      await copyFolder({ root, files, counts }, { from, to, above: [] });
      await files.finish();
    } finally {
      await files.close();
    }
  }
  return counts;
};

type Counts = {
  copied: number;
  unchanged: number;
  readonly skipped: { path: string; reason: string }[];
};

type Run = { readonly root: string; readonly files: CopiedFiles; readonly counts: Counts };

/** The real path of a folder to copy from; throws IMPORT_UNREADABLE when there is none. */
export const findImages = async (folder: string): Promise<string> => {
  try {
    const root = await realpath(folder);
    if ((await stat(root)).isDirectory()) return root;
  } catch (cause) {
    throw new PrepressError('IMPORT_UNREADABLE', `The folder ${folder} cannot be read.`, { cause });
  }
  throw new PrepressError('IMPORT_UNREADABLE', `${folder} is not a folder.`);
};

const findFolders = async (root: string, toDir: string): Promise<[string, string][]> => {
  const found: [string, string][] = [];
  for (const name of IMAGE_FOLDERS) {
    const stats = await stat(join(root, name)).catch(() => null);
    if (stats?.isDirectory()) found.push([join(root, name), join(toDir, name)]);
  }
  if (found.length > 0) return found;
  const own = IMAGE_FOLDERS.find((name) => name === basename(root)) ?? 'images';
  return [[root, join(toDir, own)]];
};

type Folder = {
  readonly from: string;
  readonly to: string;
  /** Real paths of the folders above: a link to one of them would never end. */
  readonly above: readonly string[];
};

const copyFolder = async (run: Run, { from, to, above }: Folder): Promise<void> => {
  const real = await realpath(from);
  if (!isInside(real, run.root)) return skip(run, from, 'is a link that leads out of the folder');
  if (above.includes(real)) return skip(run, from, 'is a link to a folder above it');
  const names: string[] = [];
  for await (const entry of await opendir(from)) names.push(entry.name);
  for (const name of names.sort()) {
    if (name.startsWith('.')) continue;
    await copyEntry(run, { from: join(from, name), to: join(to, name), above: [...above, real] });
  }
};

const copyEntry = async (run: Run, entry: Folder): Promise<void> => {
  const { from, to } = entry;
  const real = await realpath(from).catch(() => null);
  if (real === null) return skip(run, from, 'is a link to nothing');
  if (!isInside(real, run.root)) return skip(run, from, 'is a link that leads out of the folder');
  const stats = await stat(real);
  if (stats.isDirectory()) return copyFolder(run, entry);
  if (!stats.isFile()) return skip(run, from, 'is not a file');
  if (await isSame(stats, to)) run.counts.unchanged += 1;
  else {
    await run.files.add(real, to, stats);
    run.counts.copied += 1;
  }
};

const skip = (run: Run, path: string, reason: string): void => {
  run.counts.skipped.push({ path: relative(run.root, path), reason });
};

const TIME_TOLERANCE_MS = 2;

const isSame = async (stats: Stats, to: string): Promise<boolean> => {
  const there = await stat(to).catch(() => null);
  return (
    there?.isFile() === true &&
    there.size === stats.size &&
    Math.abs(there.mtimeMs - stats.mtimeMs) < TIME_TOLERANCE_MS
  );
};
