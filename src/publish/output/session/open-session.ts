// Opens the session that fits what stands on the disk.
import { lstatSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { SUMMARY_FILE } from '../../../content/paths/files.ts';
import { createFreshSession } from './fresh-session.ts';
import { createReplaceSession } from './replace-session.ts';
import type { Session, SessionOptions } from './session.ts';
import { STAGING_FOLDER, TREE_PARTS } from './tree-parts.ts';

/** Opens a session after clearing what a broken-off one left staged. */
export const openSession = (options: SessionOptions): Session => {
  clearStaging(options.root);
  return hasTree(options.root) ? createReplaceSession(options) : createFreshSession(options);
};

/** Removes what a broken-off session left staged; a power cut may bring back even what one removed. */
export const clearStaging = (root: string): void =>
  rmSync(join(root, STAGING_FOLDER), { recursive: true, force: true });

/** True when the file stands that every build leaves. */
export const hasSummary = (root: string): boolean => {
  try {
    return lstatSync(join(root, SUMMARY_FILE), { throwIfNoEntry: false }) !== undefined;
  } catch {
    // Its folder is none, or cannot be looked into.
    return false;
  }
};

const hasTree = (root: string): boolean =>
  TREE_PARTS.some((part) => lstatSync(join(root, part), { throwIfNoEntry: false }) !== undefined);
