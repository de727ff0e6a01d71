// Tells whether a program that delivers is running: each holds a read lock on a database file of its own,
// which the system frees when its holder ends, however that happens.
import { setTimeout as sleep } from 'node:timers/promises';
import { isBusy } from './connection.ts';
import { loadDriver } from './driver.ts';

const POLL_MS = 20;
/** Somebody who only looks holds the file for less than this. */
const LOOK_MS_MAX = 5_000;

export type Presence = { readonly end: () => void };

/** Any number of programs may be present at `path` at once. */
export const holdPresence = async (path: string): Promise<Presence> => {
  const started = performance.now();
  for (;;) {
    const connection = new (loadDriver())(path, { timeout: 0 });
    try {
      connection.exec('BEGIN; SELECT count(*) FROM sqlite_schema');
      return { end: () => connection.close() };
    } catch (cause) {
      connection.close();
      if (!isBusy(cause) || performance.now() - started > LOOK_MS_MAX) throw cause;
    }
    await sleep(POLL_MS);
  }
};

export const isSomebodyPresent = (path: string): boolean => {
  const connection = new (loadDriver())(path, { timeout: 0 });
  try {
    connection.exec('BEGIN EXCLUSIVE');
    return false;
  } catch (cause) {
    if (isBusy(cause)) return true;
    throw cause;
  } finally {
    connection.close();
  }
};
