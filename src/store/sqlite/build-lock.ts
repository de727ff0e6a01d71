// One builder at a time: an exclusive transaction on a database file of its own. The system frees it
// when its holder ends, however that happens, so there is never a stale lock to break.
import { setTimeout as sleep } from 'node:timers/promises';
import { PrepressError } from '../../base/errors.ts';
import { isBusy } from './connection.ts';
import { loadDriver } from './driver.ts';

const POLL_MS = 20;

export type BuildLock = { readonly release: () => void };

/** Waits up to `timeoutMs` for the lock at `path`; throws BUILD_BUSY after that. */
export const acquireBuildLock = async (path: string, timeoutMs: number): Promise<BuildLock> => {
  const started = performance.now();
  for (;;) {
    const connection = new (loadDriver())(path, { timeout: 0 });
    try {
      connection.exec('BEGIN EXCLUSIVE');
      return { release: () => connection.close() };
    } catch (cause) {
      connection.close();
      if (!isBusy(cause)) throw cause;
      if (performance.now() - started > timeoutMs) {
        throw new PrepressError('BUILD_BUSY', 'Another build holds the output tree.', { cause });
      }
    }
    await sleep(POLL_MS);
  }
};
