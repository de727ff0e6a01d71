// One program at a time works on many members: a lock on a file beside the database, which the system frees when its
// holder ends.
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FileLock, takeLock } from '../../../base/sqlite/lock-file.ts';
import type { Store } from '../store.ts';

const POLL_MS = 100;

/** Waits until no other program works. */
export const acquireBulkLock = async ({ path }: Store): Promise<FileLock> => {
  for (;;) {
    const lock = takeLock(join(dirname(path), 'bulk.lock.db'), 'alone');
    if (lock !== null) return lock;
    await sleep(POLL_MS);
  }
};
