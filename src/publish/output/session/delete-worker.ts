// The thread that removes files that were replaced, and ends. The thread of another build may be at the same work.
import { readdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { serveThread } from '../../../base/threads/serve-thread.ts';

/** File by file, so that a process that ends need not wait for it. */
const removeAll = (folder: string): void => {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    unlessMoved(() => (entry.isDirectory() ? removeAll(path) : unlinkSync(path)));
  }
  rmdirSync(folder);
};

/** What another one removed, or a build has begun to use, is its own. */
const unlessMoved = (work: () => void): void => {
  try {
    work();
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(code)) throw error;
  }
};

serveThread((folder: string) => unlessMoved(() => removeAll(folder)));
