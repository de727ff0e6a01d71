// One program at a time works on many members: a lock on a file beside the database, which the system frees when its
// holder ends.
import { dirname, join } from 'node:path';
import type { FileLock } from '../../../base/sqlite/lock-file.ts';
import type { Store } from '../store.ts';
import { acquireBuildLock } from './build-lock.ts';

/** Waits until no other program works. */
export const acquireBulkLock = ({ path }: Store): Promise<FileLock> =>
  acquireBuildLock(join(dirname(path), 'bulk.lock.db'), Number.POSITIVE_INFINITY);
