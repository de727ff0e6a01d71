// Tells whether a program that delivers is running: each holds a shared lock on one file,
// which the system frees when its holder ends, however that happens.
import { PrepressError } from '../../../base/errors.ts';
import { type FileLock, takeLock, waitForLock } from '../../../base/sqlite/lock-file.ts';

/** Somebody who only looks holds the file for less than this. */
const LOOK_MS_MAX = 5_000;

/** Any number of programs may be present at `path` at once. */
export const holdPresence = async (path: string): Promise<FileLock> => {
  const lock = await waitForLock(path, 'shared', { timeoutMs: LOOK_MS_MAX });
  if (lock !== null) return lock;
  throw new PrepressError('DATABASE_BUSY', `Another program keeps ${path} locked.`);
};

export const isSomebodyPresent = (path: string): boolean => {
  const lock = takeLock(path, 'alone');
  lock?.release();
  return lock === null;
};
