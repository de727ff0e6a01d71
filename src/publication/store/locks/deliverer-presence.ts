// Tells whether a program that delivers is running: each holds a shared lock on one file,
// which the system frees when its holder ends, however that happens.
import { setTimeout as sleep } from 'node:timers/promises';
import { PrepressError } from '../../../base/errors.ts';
import { takeLock } from '../../../base/sqlite/lock-file.ts';

const POLL_MS = 20;
/** Somebody who only looks holds the file for less than this. */
const LOOK_MS_MAX = 5_000;

export type Presence = { readonly end: () => void };

/** Any number of programs may be present at `path` at once. */
export const holdPresence = async (path: string): Promise<Presence> => {
  const started = performance.now();
  for (;;) {
    const lock = takeLock(path, 'shared');
    if (lock !== null) return { end: lock.release };
    if (performance.now() - started > LOOK_MS_MAX) {
      throw new PrepressError('DATABASE_BUSY', `Another program keeps ${path} locked.`);
    }
    await sleep(POLL_MS);
  }
};

export const isSomebodyPresent = (path: string): boolean => {
  const lock = takeLock(path, 'alone');
  lock?.release();
  return lock === null;
};
