// Gives staged files their names, a slice at a time, or thousands of calls in a row would keep the event loop waiting.
import {
  close,
  constants,
  existsSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  unlinkSync,
} from 'node:fs';
import { rename as renameFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as tick } from 'node:timers/promises';
import { canRemoveOpenFiles } from '../../../base/files/scratch-folder.ts';
import { findBundledWorker } from '../../../base/threads/thread.ts';
import { isOwnName } from '../stale/orphaned-files.ts';
import type { Staged } from './record-file-writer.ts';
import { AFTER_BUILD_MS, makeReplacedFolder } from './replaced-files.ts';

/** The files that so many replace are kept until later: some disks take half a millisecond to free each. */
const KEPT_MIN = 1_000;
/** Of so few, lists mostly, each is waited for beside other work: a disk at work may take a quarter of a second. */
const AWAITED_MAX = 64;
/** Renamed in one tick of the event loop. */
const SLICE = 250;

type RenameInput = {
  readonly root: string;
  /** Their folders stand. */
  readonly staged: readonly Staged[];
};

type KeepInput = RenameInput & {
  /** How the paths begin under which what is replaced is kept; absent: it is freed at once. */
  readonly kept: string | undefined;
};

export type RenameOptions = {
  /** The bundled worker; null: no thread frees what is kept, so nothing is. */
  readonly workerFile?: string | null;
  readonly keptMin?: number;
};

/** Returns the names where nothing stood before. */
export const renameStaged = async (
  { root, staged }: RenameInput,
  { workerFile = findBundledWorker('file-worker'), keptMin = KEPT_MIN }: RenameOptions = {},
): Promise<string[]> => {
  const isKept = workerFile !== null && staged.length >= keptMin;
  const folder = isKept ? makeReplacedFolder(root) : undefined;
  const added: string[] = [];
  for (let at = 0; at < staged.length; at += SLICE) {
    const slice = staged.slice(at, at + SLICE);
    added.push(...keepAll({ root, staged: slice, kept: folder && join(folder, `${at}-`) }));
    if (staged.length > AWAITED_MAX) renameAll({ root, staged: slice });
    else await renameEach({ root, staged: slice });
    if (at + SLICE < staged.length) await tick();
  }
  return added;
};

/** Returns the names where nothing stands. */
const keepAll = ({ root, staged, ...input }: KeepInput): string[] => {
  const added: string[] = [];
  let { kept } = input;
  for (const [at, { name, isAlias }] of staged.entries()) {
    const path = `${root}/${name}`;
    // The file under an alias's name is mostly the one that was kept just before.
    const found = kept === undefined || isAlias ? existsSync(path) : keep(path, `${kept}${at}`);
    if (found === 'freed') kept = undefined;
    if (found === false) added.push(name);
  }
  return added;
};

const renameAll = ({ root, staged }: RenameInput): void => {
  for (const { temporary, name } of staged) replace(temporary, `${root}/${name}`);
};

/**
 * Gives what stands a further name; false: nothing does. Where that cannot be nothing is lost: it is only freed at
 * once, as what comes after it will be.
 */
const keep = (path: string, name: string): boolean | 'freed' => {
  try {
    linkSync(path, name);
    return true;
  } catch {
    return existsSync(path) && 'freed';
  }
};

const renameEach = async ({ root, staged }: RenameInput): Promise<void> => {
  const replaced: number[] = [];
  try {
    for (const { temporary, name } of staged) {
      const path = `${root}/${name}`;
      replaced.push(...hold(path));
      // What cannot be renamed is looked at by the other way.
      await renameFile(temporary, path).catch(() => replace(temporary, path));
    }
  } finally {
    const free = (): void => replaced.forEach((descriptor) => void close(descriptor));
    setTimeout(free, AFTER_BUILD_MS).unref();
  }
};

/** A file that is open is freed when it is closed: a disk takes milliseconds for each list. */
const hold = (path: string): number[] => {
  if (!canRemoveOpenFiles) return [];
  try {
    return [openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)];
  } catch {
    return [];
  }
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
