// Makes written files survive a power cut. A few files are synced by themselves; many at once with one
// `sync -f` of their file system, which costs about as much as a few hundred single ones.
import { execFile } from 'node:child_process';
import { closeSync, fsync, openSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { mapConcurrently } from '../threads/map-concurrently.ts';
import { listBelow } from './list-below.ts';

/** Above this many files, one sync of the whole file system is cheaper. */
const SINGLE_SYNCS_MAX = 64;

export type Durability = {
  /** Syncs the named files and folders, which lie in the file system of `folder`. */
  readonly syncPaths: (folder: string, paths: ReadonlySet<string>) => Promise<void>;
  readonly syncTree: (folder: string) => Promise<void>;
};

export const realDurability: Durability = {
  syncPaths: async (folder, paths) => {
    if (paths.size > SINGLE_SYNCS_MAX && (await syncFileSystem(folder))) return;
    await syncEach(paths);
  },
  syncTree: async (folder) => {
    if (await syncFileSystem(folder)) return;
    const entries = listBelow(folder);
    await syncEach(entries.map(({ parentPath, name }) => join(parentPath, name)));
    await syncEach([folder]);
  },
};

const run = promisify(execFile);

/** True when the file system holding `folder` was synced as a whole; not every system can. */
const syncFileSystem = async (folder: string): Promise<boolean> => {
  if (process.platform !== 'linux') return false;
  try {
    await run('sync', ['-f', folder]);
    return true;
  } catch {
    return false;
  }
};

/** Some at once: the file system makes one commit of several. */
const syncEach = async (paths: Iterable<string>): Promise<void> => {
  await mapConcurrently([...paths], syncOne);
};

const synced = promisify(fsync);

/** Only the sync waits for the disk; to open and close in other threads would cost more than it takes. */
const syncOne = async (path: string): Promise<void> => {
  const descriptor = openSync(path, 'r');
  try {
    await synced(descriptor);
  } finally {
    closeSync(descriptor);
  }
};
