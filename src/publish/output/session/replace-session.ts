// A session over a tree that stands: each changed file is staged, then renamed over its name, so that a
// reader sees the old bytes or the new ones and nothing else.
import { rmSync, unlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { PrepressError } from '../../../base/errors.ts';
import { foldersLeftOf, OwnFolders } from '../../../base/files/own-folders.ts';
import { forEachYielding } from '../../../base/threads/for-each-yielding.ts';
import { findEncoding, sidecarsOf } from '../../../content/paths/sidecars.ts';
import { makeMtimeDistinct } from './distinct-mtime.ts';
import { createListGroup } from './list-group.ts';
import type { Staged } from './record-file-writer.ts';
import { removeNames } from './removals.ts';
import { renameStaged } from './rename-staged.ts';
import type { Session, SessionOptions, SessionReport } from './session.ts';
import { STAGING_FOLDER } from './tree-parts.ts';

/** Of more files, the times stay as they are: to read tens of thousands takes longer than a second. */
const TIMED_LEAVES_MAX = 4_000;
/** Looked at or made before other work of the event loop. */
const FOLDERS_AT_ONCE = 100;

export const createReplaceSession = (options: SessionOptions): Session => {
  const { root, compare, encodings, durability } = options;
  const staging = join(root, STAGING_FOLDER);
  const own = new OwnFolders(root);
  const lists = createListGroup(options, staging, own);
  const leaves: Staged[] = [];
  const leafFolders = new Set<string>();
  const removals: string[] = [];
  const added: string[] = [];
  let hasTouched = false;
  let clearing: Promise<void> = Promise.resolve();

  const folderOf = (name: string): string => dirname(join(root, name));

  /** Only what changed is written, so what else was in that folder would be missing. */
  const throwIfTaken = (folder: string): void => {
    if (!own.isTaken(folder)) return;
    const sentence = `${relative(root, folder)} in the output is no longer a folder.`;
    throw new PrepressError('OUTPUT_DIFFERS', sentence);
  };

  /** Renames staged files over their names; returns the folders that are to be synced. */
  const rename = async (group: readonly Staged[], folders: Set<string>): Promise<Set<string>> => {
    await forEachYielding(folders, (folder) => own.make(folder), FOLDERS_AT_ONCE);
    const fresh = await renameStaged({ root, staged: group });
    // Their folders may be new as well.
    await forEachYielding(fresh, (name) => {
      added.push(name);
      folders.add(dirname(folderOf(name)));
    });
    return folders;
  };

  const place = async (): Promise<SessionReport> => {
    await lists.stageSidecars();
    const listFolders = new Set(lists.files.map(({ name }) => folderOf(name)));
    const staged = [...leaves, ...lists.files];
    // A record's two names are mostly the same file.
    const temporaries = staged.filter(({ isAlias }) => !isAlias).map((file) => file.temporary);
    await Promise.all([durability.syncPaths(root, new Set(temporaries)), ...lists.syncs]);
    const folders = compare ? [] : new Set([...leafFolders, ...listFolders]);
    await forEachYielding(folders, throwIfTaken, FOLDERS_AT_ONCE);
    hasTouched = true;
    // Records and blobs first, durably, then what names them.
    await durability.syncPaths(root, await rename(leaves, leafFolders));
    const touched = await rename(lists.files, listFolders);
    // Nothing is staged any more. Some disks take as long to free a folder as to sync one.
    clearing = rm(staging, { recursive: true, force: true });
    await Promise.all([durability.syncPaths(root, touched), clearing]);
    const { removed, emptied } = removeNames(root, removals, own);
    await durability.syncPaths(root, foldersLeftOf(root, [...removed, ...emptied]));
    const names = { written: staged.map(({ name }) => name), added, removed };
    return { written: staged.length, removed: removed.length, names };
  };

  return {
    leaves: { kind: 'replace', root, staging, compare, encodings },
    addRecordFiles: ({ staged }) => {
      const isFew = leaves.length + staged.length <= TIMED_LEAVES_MAX;
      for (const leaf of staged) {
        if (isFew) makeMtimeDistinct(leaf.temporary, join(root, leaf.name));
        leaves.push(leaf);
        leafFolders.add(folderOf(leaf.name));
      }
    },
    writeFile: lists.writeFile,
    putFile: lists.putFile,
    dropFile: ({ temporary }) => unlinkSync(temporary),
    remove: (name) => {
      // A server may go on sending a sidecar whose file is gone: it goes first.
      if (findEncoding(name) === null) removals.push(...sidecarsOf(name));
      removals.push(name);
    },
    hasTouched: () => hasTouched,
    place,
    discard: async () => {
      // Network disks keep a name of what is open; and the next session makes the folder again.
      await Promise.allSettled([clearing, ...lists.syncs]);
      rmSync(staging, { recursive: true, force: true });
    },
  };
};
