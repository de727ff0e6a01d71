// Makes written files survive a power cut. A few files are synced one by one; many at once with one
// `sync -f` of their file system, which costs about as much as a few hundred single ones.
import { execFile } from 'node:child_process';
import { closeSync, fsyncSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Above this many files, one sync of the whole file system is cheaper. */
const SINGLE_SYNCS_MAX = 64;

export type Durability = {
  /** Syncs the named files and folders, which lie in the file system of `folder`. */
  readonly syncPaths: (folder: string, paths: ReadonlySet<string>) => Promise<void>;
  /** Syncs everything below `folder`. */
  readonly syncTree: (folder: string) => Promise<void>;
};

export const realDurability: Durability = {
  syncPaths: async (folder, paths) => {
    if (paths.size > SINGLE_SYNCS_MAX && (await syncFileSystem(folder))) return;
    for (const path of paths) syncOne(path);
  },
  syncTree: async (folder) => {
    if (await syncFileSystem(folder)) return;
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      syncOne(join(entry.parentPath, entry.name));
    }
    syncOne(folder);
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

const syncOne = (path: string): void => {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
};
