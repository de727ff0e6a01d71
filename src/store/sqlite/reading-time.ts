// Bounds how long a list is read. A statement of SQLite cannot be ended from outside, so its conditions call a function for
// each row that is looked at, which throws once the time is over. Waiting for a thread that reads another list counts.
import { type RawBuilder, sql } from 'kysely';
import { PrepressError } from '../../base/errors.ts';
import { LIST_TIME_MS } from '../../base/limits.ts';
import type { SqliteConnection } from '../../sqlite/driver.ts';

/** Milliseconds of a clock that all threads share and nobody sets. */
const sinceBoot = (): number => {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
};

/** A condition that is true for `timeMs` from now on. Then it throws LIST_TOO_SLOW. */
export const withinTime = (timeMs = LIST_TIME_MS): RawBuilder<boolean> =>
  sql<boolean>`within_time(${sinceBoot() + timeMs})`;

/** Lets statements of the connection have such conditions. */
export const boundReading = (connection: SqliteConnection): void => {
  connection.function('within_time', (endMs: number) => {
    if (sinceBoot() <= endMs) return 1;
    const sentence = `The list could not be read within ${LIST_TIME_MS / 1000} s.`;
    throw new PrepressError('LIST_TOO_SLOW', sentence);
  });
};
