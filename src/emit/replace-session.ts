// A session over a tree that stands: each changed file is staged, then renamed over its name, so that a
// reader sees the old bytes or the new ones and nothing else.
import { close, lstatSync, openSync, rmdirSync, rmSync, unlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { PrepressError } from '../base/errors.ts';
import { AFTER_BUILD_MS } from '../base/limits.ts';
import {
  type Encoding,
  findEncoding,
  hasSidecars,
  sidecarOf,
  sidecarsOf,
} from '../paths/sidecars.ts';
import { compressFile, type FileFacts, holdsHash } from './compressed-files.ts';
import { findHash } from './file-hash.ts';
import { findStamp } from './file-stamp.ts';
import { inTurns } from './in-turns.ts';
import type { Staged } from './leaf-writer.ts';
import { foldersLeftOf, OwnFolders } from './own-folders.ts';
import { type Rename, removeFolder, withRenamer } from './rename-staged.ts';
import type { Session, SessionOptions } from './session.ts';
import { StagedFiles } from './staged-files.ts';
import { STAGING_FOLDER } from './tree-parts.ts';

export const createReplaceSession = (options: SessionOptions): Session => {
  const { root, compare, encodings, durability, listWatch } = options;
  const staging = join(root, STAGING_FOLDER);
  const files = new StagedFiles(staging, 'l');
  const own = new OwnFolders(root);
  const leaves: Staged[] = [];
  const lists: Staged[] = [];
  const compressed: Compressed[] = [];
  const removals: string[] = [];
  const added: string[] = [];
  const replaced = createHolder();
  const begun: Promise<void>[] = [];
  let begunCount = 0;
  let hasTouched = false;

  const syncStaged = (group: readonly Staged[]): Promise<void> =>
    durability.syncPaths(root, distinctFiles(group));

  const beginSync = (): void => {
    const sync = syncStaged(leaves.slice(begunCount));
    begunCount = leaves.length;
    // It is heard of when all is placed.
    sync.catch(() => undefined);
    begun.push(sync);
  };

  const foldersOf = (group: readonly Staged[]): Set<string> =>
    new Set(group.map(({ name }) => folderOf(root, name)));

  const putStaged = async (
    group: readonly Staged[],
    folders: Set<string>,
    rename: Rename,
  ): Promise<void> => {
    for (const folder of folders) own.make(folder);
    const fresh = await rename({ root, staged: group });
    for (const name of fresh) {
      added.push(name);
      // Its folder may be new as well.
      folders.add(dirname(dirname(join(root, name))));
    }
    await durability.syncPaths(root, folders);
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
      return [{ temporary, name: sidecar, isTwin: false }];
    });
    lists.push(...staged.flat());
  };

  /** Only what changed is written, so what else was in that folder would be missing. */
  const throwTaken = (folders: ReadonlySet<string>): void => {
    for (const folder of folders) {
      if (!own.isTaken(folder)) continue;
      const sentence = `${relative(root, folder)} in the output is no folder any more.`;
      throw new PrepressError('OUTPUT_DIFFERS', sentence);
    }
  };

  return {
    leaves: { kind: 'replace', root, staging, compare, encodings },
    addLeaves: ({ staged }) => {
      for (const leaf of staged) leaves.push(leaf);
    },
    beginSync,
    openList: () => files.openList(),
    openScript: () => files.openScript(),
    putList: (name, file) => {
      const { temporary, sha256, stamp } = file;
      const isComparable = compare && own.has(dirname(join(root, name)));
      const standing = isComparable ? findStamp(join(root, name)) : null;
      if (standing !== null && findHash(join(root, name))?.equals(sha256)) {
        unlinkSync(temporary);
        putSidecars(name, join(root, name), file);
        return { stamp: standing, isSame: true };
      }
      lists.push({ temporary, name, isTwin: false });
      putSidecars(name, temporary, null);
      return { stamp, isSame: false };
    },
    dropList: ({ temporary }) => unlinkSync(temporary),
    remove: (name) => {
      // A server may go on sending a sidecar whose file is gone: it goes first.
      if (findEncoding(name) === null) removals.push(...sidecarsOf(name));
      removals.push(name);
    },
    hasTouched: () => hasTouched,
    place: async () => {
      await listWatch.measureAsync(stageSidecars);
      // First, or the disk would take them with the leaves.
      await listWatch.measureAsync(() => syncStaged(lists));
      beginSync();
      const listFolders = foldersOf(lists);
      await withRenamer(leaves.length, async (rename) => {
        // While the disk is at work: tens of thousands of folders take a while to look at.
        const folders = foldersOf(leaves);
        if (!compare) throwTaken(new Set([...folders, ...listFolders]));
        await Promise.all(begun);
        hasTouched = true;
        await putStaged(leaves, folders, rename);
      });
      for (const { name } of lists) replaced.hold(join(root, name));
      await listWatch.measureAsync(() =>
        withRenamer(lists.length, (rename) => putStaged(lists, listFolders, rename)),
      );
      const removed = removals.filter((name) => removeFile(root, name, own));
      await durability.syncPaths(root, foldersLeftOf(root, removed));
      rmSync(staging, { recursive: true, force: true });
      const written = [...leaves, ...lists].map(({ name }) => name);
      const names = { written, added, removed };
      return { written: written.length, removed: removed.length, names };
    },
    discard: async () => {
      // Network disks keep a name of what is open.
      await Promise.allSettled(begun);
      rmSync(staging, { recursive: true, force: true });
    },
    close: () => replaced.release(),
  };
};

/** Of a file of the tree; joining and splitting paths would cost more for tens of thousands of names. */
const folderOf = (root: string, name: string): string => {
  const end = name.lastIndexOf('/');
  return end === -1 ? root : `${root}/${name.slice(0, end)}`;
};

/** A sidecar of a list to be made; `kept`: the list stood there before, and its sidecar may too. */
type Compressed = {
  readonly name: string;
  readonly source: string;
  readonly encoding: Encoding;
  readonly kept: FileFacts | null;
};

/** Of more files no one is synced by itself. */
const DISTINCT_MAX = 1_000;

/** One name of each staged file: a record's two names are mostly the same file. */
const distinctFiles = (group: readonly Staged[]): Set<string> => {
  if (group.length > DISTINCT_MAX) return new Set(group.map(({ temporary }) => temporary));
  const byInode = new Map(group.map(({ temporary }) => [lstatSync(temporary).ino, temporary]));
  return new Set(byInode.values());
};

type Holder = { readonly hold: (path: string) => void; readonly release: () => void };

/** Smaller files are freed in no time. */
const HELD_BYTES_MIN = 4 * 1024 * 1024;
const HELD_MAX = 32;

/** Keeps files open that are about to be replaced, so that their bytes are freed later and elsewhere. */
const createHolder = (): Holder => {
  const descriptors: number[] = [];
  return {
    hold: (path) => {
      const size = lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
      if (size < HELD_BYTES_MIN || descriptors.length >= HELD_MAX) return;
      descriptors.push(openSync(path, 'r'));
    },
    release: () => {
      // In a thread of the pool. A process that ends before lets go of them as well.
      setTimeout(() => {
        for (const descriptor of descriptors.splice(0)) close(descriptor, () => undefined);
      }, AFTER_BUILD_MS).unref();
    },
  };
};

/** Removes a file and its folder when that was the last one; true when there was such a file. */
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
  try {
    rmdirSync(dirname(join(root, name)));
    own.forget(dirname(join(root, name)));
  } catch {
    // The folder holds other files.
  }
  return true;
};

const isAbsent = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
