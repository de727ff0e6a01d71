// Writes pages beside their places, or takes over those that were written ahead, and renames them in when all are durable.
import { lstatSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { realDurability } from '../../../base/files/durability.ts';
import { hashOfBytes } from '../../../base/files/file-hash.ts';
import { makeFolder } from '../../../base/files/make-folder.ts';
import { makeMtimeDistinct } from '../session/distinct-mtime.ts';
import { StagedFiles } from '../session/staged-files.ts';
import type { Page, PageFilesInput } from './page.ts';

const STAGING_FOLDER = '.prepress-pages';

/** Each page is read once. Returns the SHA-256, in hex, of those that were written, by their paths. */
export const writePages = async (
  root: string,
  pages: readonly Page[],
  { stage, durability = realDurability }: Pick<PageFilesInput, 'stage' | 'durability'>,
): Promise<ReadonlyMap<string, string>> => {
  const staging = join(root, STAGING_FOLDER);
  rmSync(staging, { recursive: true, force: true });
  if (pages.length === 0) return new Map();
  try {
    makeFolder(staging);
    const isTaken = stage !== undefined && takeOver(stage.folder, join(staging, AHEAD));
    const files = new StagedFiles(join(staging, 'now'));
    const ready = pages.map(({ path, read, stagedHash }): Ready => {
      if (isTaken && stagedHash !== undefined)
        return { path, temporary: join(staging, AHEAD, path), isAhead: true, hash: stagedHash };
      const bytes = read();
      return { path, temporary: files.write(bytes), isAhead: false, hash: hashOfBytes(bytes) };
    });
    const temporaries = ready.map(({ temporary }) => temporary);
    await durability.syncPaths(root, withFolders(temporaries, staging));
    const folders = renameAll(root, ready, isTaken ? stage.paths : []);
    await durability.syncPaths(root, folders);
    return new Map(ready.map(({ path, hash }) => [path, hash]));
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
};

/** With the folders that they are in, up to `top`. */
const withFolders = (paths: readonly string[], top: string): ReadonlySet<string> => {
  const all = new Set(paths);
  for (const path of paths) {
    for (let one = dirname(path); one !== top && !all.has(one); one = dirname(one)) all.add(one);
  }
  return all;
};

/** In the staging folder: what was written ahead. */
const AHEAD = 'ahead';

/** From now on nobody else removes it. False where somebody did. */
const takeOver = (stage: string, folder: string): boolean => {
  try {
    renameSync(stage, folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
};

type Ready = {
  readonly path: string;
  readonly temporary: string;
  readonly isAhead: boolean;
  readonly hash: string;
};

/** Returns the folders whose entries have changed. */
const renameAll = (
  root: string,
  ready: readonly Ready[],
  staged: Iterable<string>,
): ReadonlySet<string> => {
  const folders = new Set<string>();
  const whole = wholeFolders(root, ready, staged);
  for (const top of whole) {
    renameSync(join(root, STAGING_FOLDER, AHEAD, top), join(root, top));
    folders.add(root);
  }
  for (const { path, temporary } of ready) {
    if (whole.has(topOf(path))) continue;
    const target = join(root, path);
    makeFolder(dirname(target));
    makeMtimeDistinct(temporary, target);
    renameSync(temporary, target);
    folders.add(dirname(target));
  }
  return folders;
};

/** Folders that are not there yet, and of which all is placed that was written ahead, and nothing else. */
const wholeFolders = (
  root: string,
  ready: readonly Ready[],
  staged: Iterable<string>,
): ReadonlySet<string> => {
  const inFolders = (paths: readonly string[]) =>
    countBy(paths.filter((path) => path.includes('/')).map(topOf));
  const all = inFolders([...staged]);
  const placed = inFolders(ready.map(({ path }) => path));
  const ahead = inFolders(ready.filter(({ isAhead }) => isAhead).map(({ path }) => path));
  const isWhole = (top: string): boolean =>
    ahead.get(top) === placed.get(top) &&
    ahead.get(top) === all.get(top) &&
    lstatSync(join(root, top), { throwIfNoEntry: false }) === undefined;
  return new Set([...ahead.keys()].filter(isWhole));
};

const topOf = (path: string): string => path.split('/', 1)[0] ?? '';

const countBy = (names: readonly string[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
};
