// Gives staged files their names. For many there are two threads, or thousands of calls in a row would keep the event
// loop waiting: one keeps what stands under the names, the other renames behind it. More would not help, for Linux
// renames one file of a file system at a time from one folder to another.
import {
  existsSync,
  linkSync,
  lstatSync,
  readdirSync,
  renameSync,
  rmdirSync,
  unlinkSync,
} from 'node:fs';
import { rename as renameFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AskedThread } from '../base/asked-thread.ts';
import { findBundledWorker, startAll } from './bundled-worker.ts';
import type { EmitTask } from './emit-worker.ts';
import type { Staged } from './leaf-writer.ts';
import { makeReplacedFolder } from './replaced-files.ts';
import { type PackedStaged, packStaged, unpackStaged } from './staged-pack.ts';
import { isOwnName } from './strays.ts';

/** Starting threads costs about as much as renaming this many. */
const THREADED_MIN = 2_500;
const SHARE = 2_000;
/** The files that so many replace are kept until later: some disks take half a millisecond to free each. */
const KEPT_MIN = 1_000;
/** Of so few, lists mostly, each is waited for beside other work: a disk at work may take a quarter of a second. */
const AWAITED_MAX = 64;
/** Renamed before the event loop has a turn. */
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
  /** The bundled worker; null: this thread renames all. */
  readonly workerFile?: string | null;
  readonly threadedMin?: number;
  /** What a thread is given at once. */
  readonly share?: number;
};

/** Returns the names where nothing stood before. */
export type Rename = (input: RenameInput) => Promise<string[]>;

type Renamer = { readonly rename: Rename; readonly close: () => Promise<void> };

/**
 * Lets `work` rename `count` files, once. Threads start before it does, so that they run by the time it has
 * everything ready.
 */
export const withRenamer = async <Result>(
  count: number,
  work: (rename: Rename) => Promise<Result>,
  options: RenameOptions = {},
): Promise<Result> => {
  const { rename, close } = openRenamer(count, options);
  try {
    return await work(rename);
  } finally {
    await close();
  }
};

const openRenamer = (
  count: number,
  {
    workerFile = findBundledWorker('emit-worker'),
    threadedMin = THREADED_MIN,
    share = SHARE,
  }: RenameOptions,
): Renamer => {
  if (workerFile !== null && count >= threadedMin) return startThreads(workerFile, share);
  // Without a worker there is no thread that frees them.
  const isKept = workerFile !== null && count >= KEPT_MIN;
  return {
    rename: ({ root, staged }) => renameInSlices(root, staged, isKept),
    close: async () => undefined,
  };
};

const renameInSlices = async (
  root: string,
  staged: readonly Staged[],
  isKept: boolean,
): Promise<string[]> => {
  const folder = isKept ? makeReplacedFolder(root) : undefined;
  const added: string[] = [];
  for (let at = 0; at < staged.length; at += SLICE) {
    const slice = staged.slice(at, at + SLICE);
    added.push(...keepAll({ root, staged: slice, kept: folder && join(folder, `${at}-`) }));
    if (staged.length > AWAITED_MAX) renameAll({ root, staged: slice });
    else await renameEach({ root, staged: slice });
    if (at + SLICE < staged.length) await new Promise((resolve) => setImmediate(resolve));
  }
  return added;
};

/** Returns the names where nothing stands. */
const keepAll = ({ root, staged, ...input }: KeepInput): string[] => {
  const added: string[] = [];
  let { kept } = input;
  for (const [at, { name, isTwin }] of staged.entries()) {
    const path = `${root}/${name}`;
    // The file under a twin's name is mostly the one that was kept just before.
    const found = kept === undefined || isTwin ? existsSync(path) : keep(path, `${kept}${at}`);
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
  for (const { temporary, name } of staged) {
    const path = `${root}/${name}`;
    // What cannot be renamed is looked at by the other way.
    await renameFile(temporary, path).catch(() => replace(temporary, path));
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

/** What a thread keeps, or renames. */
export type RenameShare = Omit<KeepInput, 'staged'> & { readonly staged: PackedStaged };

/** The names where nothing stands. */
export const keepShare = ({ staged, ...rest }: RenameShare): string[] =>
  keepAll({ ...rest, staged: unpackStaged(staged) });

/** Names none. */
export const renameShare = ({ staged, root }: RenameShare): string[] => {
  renameAll({ root, staged: unpackStaged(staged) });
  return [];
};

/** Answers with the names where nothing stands. */
type ShareThread = AskedThread<RenameShare, string[]>;

const startThreads = (workerFile: string, size: number): Renamer => {
  const tasks: readonly EmitTask[] = [{ kind: 'keep' }, { kind: 'rename' }];
  const threads = startAll(
    tasks.length,
    (at) => new AskedThread<RenameShare, string[]>(workerFile, { workerData: tasks[at] }),
    (thread) => thread.close(),
  );
  const [keeper, renamer] = threads as [ShareThread, ShareThread];
  return {
    rename: async ({ root, staged }) => {
      const folder = makeReplacedFolder(root);
      const added: string[] = [];
      let renamed: Promise<unknown> = Promise.resolve();
      for (let at = 0; at < staged.length; at += size) {
        const kept = folder && join(folder, `${at}-`);
        const share = { root, kept, staged: packStaged(staged.slice(at, at + size)) };
        added.push(...(await keeper.ask(share)));
        // One share ahead of those that are renamed.
        await renamed;
        renamed = renamer.ask(share);
        // It is heard of with the next share.
        renamed.catch(() => undefined);
      }
      await renamed;
      return added;
    },
    // When one failed, none may go on in a tree that is given up.
    close: async () => {
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
};
