// Places files that a host reads: rules, workers, settings. A record in data/ says which files these are,
// so that a file that somebody else wrote is never replaced. Equal files are not touched, others are
// renamed in whole.
import {
  existsSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { asDiskError } from '../base/disk-error.ts';
import { PrepressError } from '../base/errors.ts';
import { makeFolder, realFolder } from '../base/make-folder.ts';
import { findHash, hashOfBytes } from './file-hash.ts';
import { type HostPlaces, openHostStaging } from './host-staging.ts';
import { openPlacedRecord, recordedTrees } from './placed-record.ts';

export type HostFilesInput = {
  /** Folder that the files are written to; it is made when it is absent. */
  readonly root: string;
  /** The content folder, relative to the other, when files may lie in it. */
  readonly content?: string | undefined;
  /** File that keeps which files are the hosts'. */
  readonly record: string;
  /** Paths relative to the folder, with `/`. */
  readonly files: readonly HostText[];
};

type HostText = { readonly path: string; readonly text: string };

/** The caller holds the hosts' lock. Returns the paths that were written. Throws FILE_EXISTS for somebody else's file. */
export const placeHostFiles = (input: HostFilesInput): string[] => {
  try {
    return place(input);
  } catch (cause) {
    throw asDiskError(cause, { code: 'OUTPUT_UNWRITABLE', place: 'a host file' });
  }
};

const place = ({ root: folder, content, record: file, files }: HostFilesInput): string[] => {
  makeFolder(folder);
  const root = realpathSync(folder);
  const record = openPlacedRecord(file, root);
  const changed = files.filter(({ path, text }) => {
    const target = join(root, path);
    if (!existsSync(target)) return true;
    if (readFileSync(target, 'utf8') === text) return false;
    if (record.paths.has(path)) return true;
    throw new PrepressError(
      'FILE_EXISTS',
      `${target} was not written by Prepress: write to another folder with --to and merge the two.`,
    );
  });
  const hashes = new Map(files.map(({ path, text }) => [path, hashOfBytes(Buffer.from(text))]));
  record.save(0, [...record.paths, ...files.map(({ path }) => path)], hashes);
  placeStaged({ root, content }, changed);
  return changed.map(({ path }) => path);
};

export type RemovedFiles = {
  /** Absolute paths. */
  readonly removed: readonly string[];
  /** Files that someone changed since they were placed: they stay, and are nobody's from now on. */
  readonly changed: readonly string[];
};

/** The caller holds the hosts' lock. Removes what stands as it was placed; `paths` are absolute. */
export const removeHostFiles = (file: string, paths: readonly string[]): RemovedFiles => {
  const asked = new Set(paths.map((path) => join(realFolder(dirname(path)), basename(path))));
  const removed: string[] = [];
  const changed: string[] = [];
  for (const root of recordedTrees(file)) {
    if (!existsSync(root)) continue;
    const record = openPlacedRecord(file, root);
    const own = [...record.paths].filter((path) => asked.has(join(root, path)));
    for (const path of own) {
      const target = join(root, path);
      const hash = findHash(target)?.toString('hex');
      if (hash === undefined) continue;
      if (hash !== (record.hashes.get(path) ?? hash)) changed.push(target);
      else removed.push(removeFile(target));
    }
    record.save(
      0,
      [...record.paths].filter((path) => !own.includes(path)),
    );
  }
  return { removed, changed };
};

const removeFile = (path: string): string => {
  rmSync(path);
  try {
    rmdirSync(dirname(path));
  } catch {
    // The folder holds other files.
  }
  return path;
};

const placeStaged = (places: HostPlaces, files: readonly HostText[]): void => {
  const staging = openHostStaging(places);
  try {
    for (const { path, text } of files) {
      const temporary = staging.filesFor(path).next();
      writeFileSync(temporary, text, { flush: true });
      makeFolder(dirname(join(places.root, path)));
      renameSync(temporary, join(places.root, path));
    }
  } finally {
    staging.clear();
  }
};
