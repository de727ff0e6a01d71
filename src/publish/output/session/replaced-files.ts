// Files that many renames replace at once are kept under names of their own until the build is announced:
// some disks take longer to free a file than to write one. Then a thread removes those names. What a process
// that ended left is removed with what the next build replaces.
import { existsSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../../base/files/make-folder.ts';
import { findBundledWorker, runOnThread } from '../../../base/threads/thread.ts';
import type { FolderToRemove } from '../file-worker.ts';
import { REPLACED_FOLDER } from './tree-parts.ts';

/** Meanwhile the build's last commits would have to wait for the disk. */
export const AFTER_BUILD_MS = 250;
/**
 * Makes a folder for the replaced files of one build. Undefined when there can be none, as while the thread of
 * an earlier build removes its own: then they are freed at once.
 */
export const makeReplacedFolder = (root: string): string | undefined => {
  try {
    makeFolder(join(root, REPLACED_FOLDER));
    return mkdtempSync(join(root, REPLACED_FOLDER, 'b'));
  } catch {
    return undefined;
  }
};

/** Removes what is kept; the process goes on meanwhile, and ends without it unless `isAwaited`. */
export const removeReplaced = (
  root: string,
  isAwaited: boolean,
  workerFile = findBundledWorker('file-worker'),
): void => {
  const folder = join(root, REPLACED_FOLDER);
  if (workerFile === null || !existsSync(folder)) return;
  const timer = setTimeout(() => {
    // What could not be removed is left to the next build.
    const request: FolderToRemove = { folder };
    runOnThread(workerFile, request, { keepsProcess: isAwaited }).catch(() => undefined);
  }, AFTER_BUILD_MS);
  if (!isAwaited) timer.unref();
};
