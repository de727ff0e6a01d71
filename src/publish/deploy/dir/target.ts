// A folder, as rsync would keep it: files that differ are replaced whole, by rename, and what was put or removed
// is durable before the next is. Its folders are real ones: a link in place of one makes way, and what it points
// to stays as it is. What a killed run left has names of its own, and the next run removes it.
import { randomUUID } from 'node:crypto';
import { readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { PrepressError } from '../../../base/errors.ts';
import { withDiskErrors } from '../../../base/files/disk-error.ts';
import { type Durability, realDurability } from '../../../base/files/durability.ts';
import { isInside, realPathOf } from '../../../base/files/inside.ts';
import { makeFolder } from '../../../base/files/make-folder.ts';
import { OwnFolders } from '../../../base/files/own-folders.ts';
import { removeIfEmpty } from '../../../base/files/remove-empty.ts';
import { isAnotherRunning } from '../../../base/files/running-process.ts';
import { isFile } from '../../../base/files/stat-key.ts';
import { forEachYielding } from '../../../base/threads/for-each-yielding.ts';
import { areApart, findTemplates } from '../../../settings/places.ts';
import { makeMtimeDistinct } from '../../output/session/distinct-mtime.ts';
import { localFiles } from '../local-files.ts';
import type { DeployTarget, LocalFile, StandingFile } from '../target.ts';

type DirOptions = {
  /** What is carried: neither folder may lie in the other, nor any in that of the templates. */
  readonly output?: string;
  /** With the secrets: it lies in no folder that is served. */
  readonly data?: string;
  readonly durability?: Durability;
};

/** Throws USAGE for a folder in the output or around it, or around `data`; its functions FILE_FAILED for the disk. */
export const createDirTarget = (
  folder: string,
  { output, data, durability = realDurability }: DirOptions = {},
): DeployTarget => {
  if (data !== undefined) throwIfHolds(realPathOf(folder), realPathOf(data));
  if (output !== undefined) throwWithin(folder, output, 'output');
  const templates = findTemplates();
  if (templates !== null) throwWithin(folder, templates, 'folder of templates');
  return {
    list: () => coded(folder, () => listFolder(folder)),
    recover: () => coded(folder, async () => void (await listFolder(folder))),
    isSame: (file, { size, tag }) =>
      file.size === size && bytesOf(join(folder, tag)).equals(file.read()),
    put: (files) => coded(folder, () => put(folder, files, durability)),
    remove: (paths) => coded(folder, () => remove(folder, paths, durability)),
  };
};

const throwWithin = (folder: string, other: string, name: string): void => {
  if (areApart(realPathOf(folder), realPathOf(other))) return;
  const sentence = `The folder ${folder} and the ${name} ${other} must not contain each other: name another folder.`;
  throw new PrepressError('USAGE', sentence);
};

const throwIfHolds = (folder: string, data: string): void => {
  if (!isInside(data, folder)) return;
  const sentence = `The folder ${folder} holds the folder of the database, ${data}, and would serve its secrets: name another folder.`;
  throw new PrepressError('USAGE', sentence);
};

/** Gives errors of the file system their code; others pass as they are. */
const coded = <T>(place: string, work: () => T): T =>
  withDiskErrors(
    { code: 'FILE_FAILED', begins: 'The target cannot be read or written: ', place },
    work,
  );

const bytesOf = (path: string): Buffer => coded(path, () => readFileSync(path));

const put = async (
  folder: string,
  files: readonly LocalFile[],
  durability: Durability,
): Promise<void> => {
  makeFolder(folder);
  const root = realpathSync(folder);
  refuseForeignFiles(root, files);
  const own = new OwnFolders(root);
  const made: { readonly temporary: string; readonly target: string }[] = [];
  try {
    const write = (file: LocalFile): void => {
      const target = join(root, file.path);
      const bytes = file.read();
      own.make(dirname(target));
      // Who may write into the folder can neither guess the name nor have a link there followed.
      const temporary = join(dirname(target), `.prepress-${process.pid}-${randomUUID()}.new`);
      writeFileSync(temporary, bytes, { flag: 'wx' });
      made.push({ temporary, target });
      makeMtimeDistinct(temporary, target);
    };
    await forEachYielding(files, write, WRITTEN);
    await durability.syncPaths(root, new Set(made.map(({ temporary }) => temporary)));
    await forEachYielding(made, ({ temporary, target }) => renameSync(temporary, target), LISTED);
    const folders = made.flatMap(({ target }) => foldersAbove(root, target));
    await durability.syncPaths(root, new Set(folders));
  } finally {
    for (const { temporary } of made) rmSync(temporary, { force: true });
  }
};

/** A file where a folder of the output goes is somebody else's. Deeper down all is of the output. Throws FILE_FAILED. */
const refuseForeignFiles = (root: string, files: readonly LocalFile[]): void => {
  const folders = files
    .filter(({ path }) => path.includes('/'))
    .map(({ path }) => path.split('/', 1));
  for (const name of new Set(folders.flat())) {
    const path = join(root, name);
    if (!isFile(path)) continue;
    const sentence = `The target cannot be written: ${path} is a file, and a folder is needed.`;
    throw new PrepressError('FILE_FAILED', sentence, { hint: 'Move it, or name another target.' });
  }
};

/** Up to the root: any of them may be new. */
const foldersAbove = (root: string, path: string): string[] =>
  path === root ? [] : [dirname(path), ...foldersAbove(root, dirname(path))];

const remove = async (
  folder: string,
  paths: readonly string[],
  durability: Durability,
): Promise<void> => {
  const root = realpathSync(folder);
  const own = new OwnFolders(root);
  const targets = paths.map((path) => join(root, path));
  const removeOne = (target: string): void => {
    if (!own.has(dirname(target))) return;
    rmSync(target, { force: true });
    if (removeIfEmpty(dirname(target))) own.forget(dirname(target));
  };
  await forEachYielding(targets, removeOne, LISTED);
  const folders = targets.flatMap((target) => foldersAbove(root, target));
  await durability.syncPaths(root, new Set(folders.filter((one) => own.has(one))));
};

/** Files that are listed, written or renamed in one tick of the event loop. */
const LISTED = 500;
const WRITTEN = 20;

/** Removes what killed runs left on the way. */
const listFolder = async (folder: string): Promise<Map<string, StandingFile>> => {
  const found = new Map<string, StandingFile>();
  const note = ({ path, size }: LocalFile): void => {
    const place = join(folder, path);
    const [temporary, writer] = TEMPORARY.exec(basename(path)) ?? [];
    if (temporary === undefined) found.set(path, { size, tag: path });
    // Another run that is at work here may need its file.
    else if (!isAnotherRunning(Number(writer))) {
      rmSync(place, { force: true });
      removeIfEmpty(dirname(place));
    }
  };
  await forEachYielding(localFiles(folder), note, LISTED);
  return found;
};

const TEMPORARY = /^\.prepress-(\d+)-[\da-f-]+\.new$/;
