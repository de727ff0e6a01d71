// Bounds how long a list is read, and how long it waits for a thread that reads another one. A statement of SQLite cannot
// be ended from outside, so its conditions call a function for each row that is looked at, which throws when time is over.
import { type RawBuilder, sql } from 'kysely';
import { PrepressError } from '../../../base/errors.ts';
import { LIST_TIME_MS } from '../../../base/limits.ts';
import { openConnection } from '../../../base/sqlite/connection.ts';
import type { SqliteConnection } from '../../../base/sqlite/driver.ts';

/** Milliseconds of a clock that all threads share and nobody sets. */
const sinceBoot = (): number => {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
};

/** Of the time of a list. One that waited for another has this much for itself, so that it can be read. */
const OWN_PART = 0.25;

/**
 * A condition that is true, until the statement that has it ends `timeMs` from now on at the latest. Then, or where the
 * statement begins too late for that, it throws LIST_TOO_SLOW.
 */
export const withinTime = (timeMs = LIST_TIME_MS): RawBuilder<boolean> =>
  sql<boolean>`within_time(${sinceBoot()}, ${timeMs})`;

export const openListReader = (path: string, isLeft?: () => boolean): SqliteConnection => {
  const connection = openConnection(path, { readonly: true });
  boundReading(connection, { isLeft });
  return connection;
};

type Bounds = {
  readonly clock?: () => number;
  /** Whether nobody waits for the statement any more, which then throws, too. */
  readonly isLeft?: (() => boolean) | undefined;
};

/** Lets statements of the connection have such conditions, one statement after the other. */
export const boundReading = (
  connection: SqliteConnection,
  { clock = sinceBoot, isLeft = () => false }: Bounds = {},
): void => {
  // The first list waits for its thread to start, which takes long on a busy machine.
  const openedMs = clock();
  let seenMs = -1;
  let endMs = -1;
  connection.function('within_time', (askedMs: number, timeMs: number) => {
    const now = clock();
    if (askedMs !== seenMs) {
      seenMs = askedMs;
      const ownMs = timeMs * OWN_PART;
      const latestMs = Math.max(askedMs, openedMs) + timeMs - ownMs;
      endMs = now > latestMs ? -1 : Math.max(latestMs, now + ownMs);
    }
    if (now <= endMs && !isLeft()) return 1;
    const sentence = `The list could not be read within ${LIST_TIME_MS / 1000} s.`;
    throw new PrepressError('LIST_TOO_SLOW', sentence);
  });
};
