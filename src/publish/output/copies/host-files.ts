// Places files that a host reads: rules, workers, settings. A file that somebody else wrote is never replaced, and none
// that was changed since it was placed. Equal files are not touched, others are renamed in whole.
import {
  existsSync,
  lstatSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { PrepressError } from '../../../base/errors.ts';
import { withDiskErrors } from '../../../base/files/disk-error.ts';
import { findHash, hashOfBytes } from '../../../base/files/file-hash.ts';
import { makeFolder, realFolder } from '../../../base/files/make-folder.ts';
import { removeIfEmpty } from '../../../base/files/remove-empty.ts';
import { type HostPlaces, openHostStaging } from './host-staging.ts';
import { openWrittenFiles, recordedTrees, type WrittenFiles } from './written-files.ts';

export type HostFilesInput = {
  /** Folder that the files are written to; it is made when it is absent. */
  readonly root: string;
  /** The content folder, relative to the other, when files may lie in it. */
  readonly content?: string | undefined;
  /** File that keeps which files are the hosts'. */
  readonly record: string;
  /** Paths relative to the folder, with `/`. */
  readonly files: readonly HostText[];
  /** Takes back what was changed since it was placed. */
  readonly overwrites?: boolean;
  /** What to say of somebody else's file in the place of one, by its absolute path. */
  readonly foreign?: (path: string) => string;
};

export type PlacedHostFiles = {
  /** Paths relative to the folder. */
  readonly written: readonly string[];
  /** Files that were changed since they were placed: they stay. */
  readonly edited: readonly string[];
};

type HostText = { readonly path: string; readonly text: string };

/** The caller holds the hosts' lock. Throws FILE_EXISTS for somebody else's file. */
export const placeHostFiles = (input: HostFilesInput): PlacedHostFiles =>
  withDiskErrors({ code: 'OUTPUT_UNWRITABLE', place: 'a host file' }, () => place(input));

const place = (input: HostFilesInput): PlacedHostFiles => {
  const { root: folder, content, record: file, files, overwrites = false } = input;
  const { foreign = foreignSentence } = input;
  makeFolder(folder);
  const root = realpathSync(folder);
  const record = openWrittenFiles(file, root);
  const edited: string[] = [];
  const changed = files.filter(({ path, text }) => {
    const target = join(root, path);
    if (!isThere(target)) return true;
    if (!isLink(target) && readFileSync(target, 'utf8') === text) return false;
    if (record.paths.has(path)) {
      if (overwrites || isAsPlaced(record, root, path)) return true;
      edited.push(path);
      return false;
    }
    throw new PrepressError('FILE_EXISTS', foreign(target), { hint: '' });
  });
  const own = files.filter(({ path }) => !edited.includes(path));
  const fresh = new Map(own.map(({ path, text }) => [path, hashOfBytes(Buffer.from(text))]));
  const paths = [...record.paths, ...files.map(({ path }) => path)];
  // A run that ends in between leaves old and new files: both are ours.
  const either = [...fresh].map(([path, hash]) => [path, [hash, hashOf(record, path)].join(' ')]);
  record.save(0, paths, new Map(either as [string, string][]));
  placeStaged({ root, content }, changed);
  record.save(0, paths, fresh);
  return { written: changed.map(({ path }) => path), edited };
};

const foreignSentence = (path: string): string =>
  `Another file stands at ${path}. Move it away, and try again.`;

const hashOf = (record: WrittenFiles, path: string): string => record.hashes.get(path) ?? '';

/** Where no hash is known, nobody can tell. A link is never ours. */
const isAsPlaced = (record: WrittenFiles, root: string, path: string): boolean => {
  const known = hashOf(record, path);
  const target = join(root, path);
  if (isLink(target)) return false;
  return known === '' || known.split(' ').includes(findHash(target)?.toString('hex') ?? '');
};

/** Also a link that leads nowhere. */
const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

const isLink = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;

/** Absolute paths of files that were changed since they were placed. */
export const listEditedFiles = (file: string): string[] =>
  recordedTrees(file)
    .filter((root) => existsSync(root))
    .flatMap((root) => {
      const record = openWrittenFiles(file, root);
      const standing = [...record.paths].filter((path) => isThere(join(root, path)));
      return standing
        .filter((path) => !isAsPlaced(record, root, path))
        .map((path) => join(root, path));
    });

/** Paths, relative to `root`, of files that stand as they were placed. */
export const listPlacedFiles = (file: string, root: string): string[] => {
  const record = openWrittenFiles(file, root);
  return [...record.paths].filter(
    (path) => isThere(join(root, path)) && isAsPlaced(record, root, path),
  );
};

/** What to say of a file that was changed since it was placed. */
export const EDITED =
  'it was edited since it was written, and was left alone; "prepress hosts write HOST --overwrite" replaces it';

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
    const record = openWrittenFiles(file, root);
    const own = [...record.paths].filter((path) => asked.has(join(root, path)));
    for (const path of own) {
      const target = join(root, path);
      if (!isThere(target)) continue;
      if (!isAsPlaced(record, root, path)) changed.push(target);
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
  removeIfEmpty(dirname(path));
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
