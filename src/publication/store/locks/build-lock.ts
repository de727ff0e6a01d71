// One builder at a time: a lock on a file of its own. The system frees it when its holder ends, however that
// happens, so there is never a stale lock to break.
import { setTimeout as sleep } from 'node:timers/promises';
import { PrepressError } from '../../../base/errors.ts';
import { type FileLock, takeLock } from '../../../base/sqlite/lock-file.ts';

const POLL_MS = 20;

export type BuildLock = FileLock;

/** Null when another program holds the lock. */
export const tryBuildLock = (path: string): BuildLock | null => takeLock(path, 'alone');

/** Waits up to `timeoutMs` for the lock at `path`; throws BUILD_BUSY after that, and what the signal says. */
export const acquireBuildLock = async (
  path: string,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<BuildLock> => {
  const started = performance.now();
  for (;;) {
    signal?.throwIfAborted();
    const lock = tryBuildLock(path);
    if (lock !== null) return lock;
    if (performance.now() - started > timeoutMs) {
      throw new PrepressError('BUILD_BUSY', 'Another build holds the output tree.');
    }
    await sleep(POLL_MS);
  }
};
