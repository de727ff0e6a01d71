// Gives staged files their names. Many are shared among threads: over files that stand, each rename waits
// for the disk to let go of the old one, and thousands in a row would keep the event loop waiting.
import { linkSync, lstatSync, readdirSync, renameSync, rmdirSync, unlinkSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { findBundledWorker } from './bundled-worker.ts';
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

export type RenameInput = {
  readonly root: string;
  /** Their folders stand. */
  readonly staged: readonly Staged[];
  /** Where what is replaced is kept; absent: it is freed at once. */
  readonly kept?: string | undefined;
};

export type RenameOptions = {
  /** The bundled worker; null: this thread renames all. */
  readonly workerFile?: string | null;
  readonly threadedMin?: number;
};

/** Returns the names where nothing stood before. */
export const renameStaged = async (
  { root, staged }: RenameInput,
  { workerFile = findBundledWorker('emit-worker'), threadedMin = THREADED_MIN }: RenameOptions = {},
): Promise<string[]> => {
  if (workerFile !== null && staged.length >= threadedMin) {
    return renameInThreads({ root, staged }, workerFile);
  }
  // Without a worker there is no thread that frees them.
  const isKept = workerFile !== null && staged.length >= KEPT_MIN;
  const kept = isKept ? makeReplacedFolder(root) : undefined;
  const added: string[] = [];
  for (let at = 0; at < staged.length; at += SLICE) {
    added.push(...renameAll({ root, staged: staged.slice(at, at + SLICE), kept }));
    if (at + SLICE < staged.length) await new Promise((resolve) => setImmediate(resolve));
  }
  return added;
};

export const renameAll = ({ root, staged, kept }: RenameInput): string[] => {
  const added: string[] = [];
  const seen = new Set<number>();
  for (const { temporary, name } of staged) {
    const path = join(root, name);
    const standing = lstatSync(path, { throwIfNoEntry: false });
    if (standing === undefined) added.push(name);
    if (standing?.isDirectory()) removeFolder(path);
    if (kept !== undefined && standing?.isFile() && !seen.has(standing.ino)) {
      seen.add(standing.ino);
      keep(path, join(kept, String(standing.ino)));
    }
    renameSync(temporary, path);
  }
  return added;
};

/** A folder makes way with what a record's folder may hold; one that holds anything else fails the build. */
const removeFolder = (folder: string): void => {
  const entries = readdirSync(folder, { withFileTypes: true });
  if (entries.every((entry) => entry.isFile() && isOwnName(entry.name))) {
    for (const { name } of entries) unlinkSync(join(folder, name));
  }
  rmdirSync(folder);
};

/** Nothing is lost where it cannot be kept: it is only freed at once. */
const keep = (path: string, name: string): void => {
  try {
    linkSync(path, name);
  } catch {}
};

const renameInThreads = async (
  { root, staged }: RenameInput,
  workerFile: string,
): Promise<string[]> => {
  const count = Math.min(THREADS_MAX, availableParallelism());
  const size = Math.ceil(staged.length / count);
  const kept = makeReplacedFolder(root);
  const workers: Worker[] = [];
  const shares = Array.from({ length: count }, (_, at) => {
    const task: EmitTask = {
      kind: 'rename',
      root,
      staged: staged.slice(at * size, (at + 1) * size),
      kept,
    };
    const worker = new Worker(workerFile, { workerData: task });
    workers.push(worker);
    return new Promise<string[]>((resolve, reject) => {
      worker.on('message', resolve);
      worker.on('error', reject);
      worker.on('exit', () => reject(new Error('A thread that renames files ended.')));
    });
  });
  try {
    return (await Promise.all(shares)).flat();
  } finally {
    // When one failed, none may go on in a tree that is given up.
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
};
