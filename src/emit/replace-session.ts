// A session over a tree that stands: each changed file is staged, then renamed over its name, so that a
// reader sees the old bytes or the new ones and nothing else.
import { lstatSync, rmdirSync, rmSync, unlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { PrepressError } from '../base/errors.ts';
import { workInSlices } from '../base/work-in-slices.ts';
import {
  type Encoding,
  findEncoding,
  hasSidecars,
  sidecarOf,
  sidecarsOf,
} from '../paths/sidecars.ts';
import { compressFile, type FileFacts, holdsHash } from './compressed-files.ts';
import { EarlySync } from './early-sync.ts';
import { findHash } from './file-hash.ts';
import { findStamp } from './file-stamp.ts';
import { FolderNames, ParentNames } from './folder-names.ts';
import { inTurns } from './in-turns.ts';
import { moveTimeOn } from './later-time.ts';
import type { Staged } from './leaf-writer.ts';
import { foldersLeftOf, OwnFolders } from './own-folders.ts';
import { removeFolder, renameStaged } from './rename-staged.ts';
import type { Session, SessionOptions } from './session.ts';
import { StagedFiles } from './staged-files.ts';
import { STAGING_FOLDER } from './tree-parts.ts';
import { type WrittenFile, writeWholeFile } from './whole-file.ts';

/** Looked at or made before the event loop has a turn. */
const FOLDERS_AT_ONCE = 100;

export const createReplaceSession = (options: SessionOptions): Session => {
  const { root, compare, encodings, durability } = options;
  const staging = join(root, STAGING_FOLDER);
  const files = new StagedFiles(staging, 'l');
  const own = new OwnFolders(root);
  const leaves: Staged[] = [];
  const lists: Staged[] = [];
  const compressed: Compressed[] = [];
  const removals: string[] = [];
  const begun = new Map<string, Promise<void>>();
  const added: string[] = [];
  const early = new EarlySync(durability, staging);
  const leafFolders = new FolderNames(root);
  let hasTouched = false;
  let clearing: Promise<void> = Promise.resolve();

  const syncStaged = async (group: readonly Staged[]): Promise<void> => {
    const files = distinctFiles(group);
    for (const path of begun.keys()) files.delete(path);
    await Promise.all([durability.syncPaths(root, files), ...begun.values()]);
  };
  /** The disk takes a large file while the next one is made. */
  const beginSync = ({ temporary, size }: WrittenFile): void => {
    if (size < BEGUN_BYTES_MIN) return;
    const sync = durability.syncPaths(root, new Set([temporary]));
    // It is waited for with the others.
    sync.catch(() => undefined);
    begun.set(temporary, sync);
  };

  /** Returns the folders that are to be synced. */
  const renameGroup = async (
    group: readonly Staged[],
    folders: Set<string>,
  ): Promise<Set<string>> => {
    await workInSlices(folders, (folder) => own.make(folder), FOLDERS_AT_ONCE);
    const fresh = await renameStaged({ root, staged: group });
    // Their folders may be new as well.
    const parents = new ParentNames(root, folders);
    await workInSlices(fresh, (name) => {
      added.push(name);
      parents.add(name);
    });
    return folders;
  };

  const putSidecars = (name: string, source: string, kept: FileFacts | null): void => {
    if (!hasSidecars(name)) return;
    compressed.push(...encodings.map((encoding) => ({ name, source, encoding, kept })));
  };

  const stageSidecars = async (): Promise<void> => {
    const staged = await inTurns(compressed, async ({ name, source, encoding, kept }) => {
      const sidecar = sidecarOf(name, encoding);
      if (kept !== null && (await holdsHash(join(root, sidecar), encoding, kept))) return [];
      const temporary = files.next();
      await compressFile(source, temporary, encoding);
      moveTimeOn(temporary, join(root, sidecar));
      return [{ temporary, name: sidecar, isTwin: false }];
    });
    lists.push(...staged.flat());
  };

  /** Only what changed is written, so what else was in that folder would be missing. */
  const throwTaken = (folders: ReadonlySet<string>): Promise<void> =>
    workInSlices(
      folders,
      (folder) => {
        if (!own.isTaken(folder)) return;
        const sentence = `${relative(root, folder)} in the output is no folder any more.`;
        throw new PrepressError('OUTPUT_DIFFERS', sentence);
      },
      FOLDERS_AT_ONCE,
    );

  return {
    leaves: { kind: 'replace', root, staging, compare, encodings },
    addLeaves: ({ written, staged }) => {
      // Tens of thousands take longer than a second, and as many calls.
      const isFew = leaves.length + staged.length <= TIMED_LEAVES_MAX;
      for (const leaf of staged) {
        if (isFew) moveTimeOn(leaf.temporary, join(root, leaf.name));
        leaves.push(leaf);
        leafFolders.add(leaf.name);
      }
      early.add(written);
    },
    writeFile: (pieces) => writeWholeFile(files.next(), pieces),
    putFile: (name, file) => {
      const { temporary, sha256, stamp } = file;
      const isComparable = compare && own.has(dirname(join(root, name)));
      const standing = isComparable ? findStamp(join(root, name)) : null;
      if (standing !== null && findHash(join(root, name))?.equals(sha256)) {
        unlinkSync(temporary);
        putSidecars(name, join(root, name), file);
        return { stamp: standing, isSame: true };
      }
      const isMoved = moveTimeOn(temporary, join(root, name));
      lists.push({ temporary, name, isTwin: false });
      beginSync(file);
      putSidecars(name, temporary, null);
      return { stamp: (isMoved ? findStamp(temporary) : null) ?? stamp, isSame: false };
    },
    dropFile: ({ temporary }) => unlinkSync(temporary),
    remove: (name) => {
      // A server may go on sending a sidecar whose file is gone: it goes first.
      if (findEncoding(name) === null) removals.push(...sidecarsOf(name));
      removals.push(name);
    },
    hasTouched: () => hasTouched,
    place: async () => {
      await stageSidecars();
      const synced = syncStaged([...leaves, ...lists]);
      // It is waited for below.
      synced.catch(() => undefined);
      const listFolders = new FolderNames(root);
      for (const { name } of lists) listFolders.add(name);
      // While the disk is at work: tens of thousands of folders take a while to look at.
      const { folders } = leafFolders;
      await own.lookAt(folders);
      if (!compare) await throwTaken(new Set([...folders, ...listFolders.folders]));
      await Promise.all([synced, early.settle()]);
      hasTouched = true;
      await durability.syncPaths(root, await renameGroup(leaves, folders));
      const touched = await renameGroup(lists, listFolders.folders);
      // Nothing is staged any more. Some disks take as long to free a folder as to sync one.
      clearing = rm(staging, { recursive: true, force: true });
      await Promise.all([durability.syncPaths(root, touched), clearing]);
      const removed = removals.filter((name) => removeFile(root, name, own));
      const emptied = removeEmptyFolders(root, removals, own);
      await durability.syncPaths(root, foldersLeftOf(root, [...removed, ...emptied]));
      const written = [...leaves, ...lists].map(({ name }) => name);
      const names = { written, added, removed };
      return { written: written.length, removed: removed.length, names };
    },
    discard: async () => {
      // Network disks keep a name of what is open; and the next session makes the folder again.
      await Promise.allSettled([early.settle(), clearing, ...begun.values()]);
      rmSync(staging, { recursive: true, force: true });
    },
  };
};

const TIMED_LEAVES_MAX = 4_000;

/** To begin with a smaller file is not worth a call. */
const BEGUN_BYTES_MIN = 1024 * 1024;

/** A sidecar of a list to be made; `kept`: the list stood there before, and its sidecar may too. */
type Compressed = {
  readonly name: string;
  readonly source: string;
  readonly encoding: Encoding;
  readonly kept: FileFacts | null;
};

/** One name of each staged file: a record's two names are mostly the same file. */
const distinctFiles = (group: readonly Staged[]): Set<string> => {
  const files = new Set<string>();
  for (const { temporary, isTwin } of group) if (!isTwin) files.add(temporary);
  return files;
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
  if (name === '.' || !own.has(folder)) return false;
  try {
    rmdirSync(folder);
  } catch {
    // It holds other files.
    return false;
  }
  own.forget(folder);
  return true;
};

const isAbsent = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
