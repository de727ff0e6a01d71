// Gives staged files their names, a slice at a time, or thousands of calls in a row would keep the event loop waiting.
import { existsSync, lstatSync, readdirSync, renameSync, rmdirSync, unlinkSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { forEachYielding } from '../../../base/threads/for-each-yielding.ts';
import { isOwnName } from '../stale/orphaned-files.ts';
import type { Staged } from './record-file-writer.ts';

/** Of so few, lists mostly, each is waited for beside other work: a disk at work may take a quarter of a second. */
const AWAITED_MAX = 64;
/** Renamed in one tick of the event loop. */
const SLICE = 250;

type RenameInput = {
  readonly root: string;
  /** Their folders stand. */
  readonly staged: readonly Staged[];
};

/** Returns the names where nothing stood before. */
export const renameStaged = async ({ root, staged }: RenameInput): Promise<string[]> => {
  const added: string[] = [];
  const note = (name: string): string => {
    const path = `${root}/${name}`;
    if (!existsSync(path)) added.push(name);
    return path;
  };
  if (staged.length > AWAITED_MAX) {
    const replaceOne = ({ temporary, name }: Staged) => replace(temporary, note(name));
    await forEachYielding(staged, replaceOne, SLICE);
    return added;
  }
  for (const { temporary, name } of staged) {
    const path = note(name);
    // What cannot be renamed is looked at by the other way.
    await rename(temporary, path).catch(() => replace(temporary, path));
  }
  return added;
};

const replace = (temporary: string, path: string): void => {
  try {
    renameSync(temporary, path);
  } catch (error) {
    if (!lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
    removeFolder(path);
    replace(temporary, path);
  }
};

/** A folder makes way with what a record's folder may hold; one that holds anything else fails the build. */
export const removeFolder = (folder: string): void => {
  const entries = readdirSync(folder, { withFileTypes: true });
  if (entries.every((entry) => entry.isFile() && isOwnName(entry.name))) {
    for (const { name } of entries) unlinkSync(join(folder, name));
  }
  rmdirSync(folder);
};
