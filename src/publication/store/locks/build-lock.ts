// One builder at a time: a lock on a file of its own. The system frees it when its holder ends, however that
// happens, so there is never a stale lock to break.
import { PrepressError } from '../../../base/errors.ts';
import { type FileLock, takeLock, waitForLock } from '../../../base/sqlite/lock-file.ts';

/** Null when another program holds the lock. */
export const tryBuildLock = (path: string): FileLock | null => takeLock(path, 'alone');

/** Waits up to `timeoutMs` for the lock at `path`; throws BUILD_BUSY after that, and what the signal says. */
export const acquireBuildLock = async (
  path: string,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<FileLock> => {
  const lock = await waitForLock(path, 'alone', { timeoutMs, signal });
  if (lock !== null) return lock;
  throw new PrepressError('BUILD_BUSY', 'Another build holds the output tree.');
};
