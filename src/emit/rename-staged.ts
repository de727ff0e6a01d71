// Gives staged files their names. Many are shared among threads: over files that stand, each rename waits
// for the disk to let go of the old one, and thousands in a row would keep the event loop waiting.
import {
  existsSync,
  linkSync,
  lstatSync,
  readdirSync,
  renameSync,
  rmdirSync,
  unlinkSync,
} from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { findBundledWorker, startAll } from './bundled-worker.ts';
import type { EmitTask } from './emit-worker.ts';
import type { Staged } from './leaf-writer.ts';
import { makeReplacedFolder } from './replaced-files.ts';
import { isOwnName } from './strays.ts';

/** Starting threads costs about as much as renaming this many. */
const THREADED_MIN = 2_500;
/** The files that so many replace are kept until later: some disks take half a millisecond to free each. */
const KEPT_MIN = 1_000;
const THREADS_MAX = 4;
/** Renamed before the event loop has a turn. */
const SLICE = 250;

type RenameInput = {
  readonly root: string;
  /** Their folders stand. */
  readonly staged: readonly Staged[];
  /** How the paths begin under which what is replaced is kept; absent: it is freed at once. */
  readonly kept?: string | undefined;
};

export type RenameOptions = {
  /** The bundled worker; null: this thread renames all. */
  readonly workerFile?: string | null;
  readonly threadedMin?: number;
};

/** Returns the names where nothing stood before. */
export type Rename = (input: Omit<RenameInput, 'kept'>) => Promise<string[]>;

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
  { workerFile = findBundledWorker('emit-worker'), threadedMin = THREADED_MIN }: RenameOptions,
): Renamer => {
  if (workerFile !== null && count >= threadedMin) return startThreads(workerFile);
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
    const kept = folder && join(folder, `${at}-`);
    added.push(...renameAll({ root, staged: staged.slice(at, at + SLICE), kept }));
    if (at + SLICE < staged.length) await new Promise((resolve) => setImmediate(resolve));
  }
  return added;
};

const renameAll = ({ root, staged, kept }: RenameInput): string[] => {
  const added: string[] = [];
  for (const [at, { temporary, name, isTwin }] of staged.entries()) {
    const path = `${root}/${name}`;
    // The file under a twin's name is mostly the one that was kept just before.
    const stands = kept === undefined || isTwin ? existsSync(path) : keep(path, `${kept}${at}`);
    if (!stands) added.push(name);
    replace(temporary, path);
  }
  return added;
};

/** Gives what stands a further name. Where that cannot be nothing is lost: it is only freed at once. */
const keep = (path: string, name: string): boolean => {
  try {
    linkSync(path, name);
    return true;
  } catch {
    return existsSync(path);
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

/** What a thread renames, in few pieces: texts in one string with a zero between them. */
export type RenameShare = {
  readonly root: string;
  readonly kept: string | undefined;
  readonly temporaries: string;
  readonly names: string;
  /** 1 for each that is a twin. */
  readonly twins: Uint8Array;
};

const BETWEEN = '\0';

const pack = ({ root, staged, kept }: RenameInput): RenameShare => ({
  root,
  kept,
  temporaries: staged.map(({ temporary }) => temporary).join(BETWEEN),
  names: staged.map(({ name }) => name).join(BETWEEN),
  twins: Uint8Array.from(staged, ({ isTwin }) => Number(isTwin)),
});

export const renameShare = ({ root, kept, temporaries, names, twins }: RenameShare): string[] => {
  if (twins.length === 0) return [];
  const all = names.split(BETWEEN);
  const staged = temporaries.split(BETWEEN).map((temporary, at) => {
    return { temporary, name: all[at] ?? '', isTwin: twins[at] === 1 };
  });
  return renameAll({ root, staged, kept });
};

type Thread = { readonly worker: Worker; readonly added: Promise<string[]> };

const startThread = (workerFile: string): Thread => {
  const task: EmitTask = { kind: 'rename' };
  const worker = new Worker(workerFile, { workerData: task });
  const added = new Promise<string[]>((resolve, reject) => {
    worker.on('message', resolve);
    worker.on('error', reject);
    worker.on('exit', () => reject(new Error('A thread that renames files ended.')));
  });
  // It is heard of when there is something to rename.
  added.catch(() => undefined);
  return { worker, added };
};

const startThreads = (workerFile: string): Renamer => {
  const threads = startAll(
    Math.min(THREADS_MAX, availableParallelism()),
    () => startThread(workerFile),
    ({ worker }) => worker.terminate(),
  );
  return {
    rename: async ({ root, staged }) => {
      const size = Math.ceil(staged.length / threads.length);
      const folder = makeReplacedFolder(root);
      for (const [at, { worker }] of threads.entries()) {
        const share = staged.slice(at * size, (at + 1) * size);
        const kept = folder && join(folder, `${at}-`);
        worker.postMessage(pack({ root, staged: share, kept }));
      }
      return (await Promise.all(threads.map(({ added }) => added))).flat();
    },
    // When one failed, none may go on in a tree that is given up.
    close: async () => {
      await Promise.all(threads.map(({ worker }) => worker.terminate()));
    },
  };
};
