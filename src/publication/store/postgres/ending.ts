// The end of a program beside a PostgreSQL that answers nothing: six seconds later its connections are broken.
import { PrepressError } from '../../../base/errors.ts';

/** Longer than a question waits for a lock (`lock_timeout`). */
const SILENT_MS_MAX = 6_000;

/** One for all connections of a store. */
export type Ending = {
  readonly begin: () => void;
  /** Whether it has begun. */
  readonly begun: AbortSignal;
  /** Connections are broken, and no new ones are opened. */
  readonly broken: AbortSignal;
  /** Runs a question to PostgreSQL: one that stays open too long after the beginning breaks all connections. */
  readonly within: <T>(ask: () => Promise<T>) => Promise<T>;
};

export const createEnding = (): Ending => {
  const beginning = new AbortController();
  const breaking = new AbortController();
  return {
    begin: () => beginning.abort(new PrepressError('DATABASE_BUSY', 'The program ends.')),
    begun: beginning.signal,
    broken: breaking.signal,
    within: async (ask) => {
      let late: NodeJS.Timeout | undefined;
      const watch = (): void => {
        late = setTimeout(() => breaking.abort(), SILENT_MS_MAX);
      };
      if (beginning.signal.aborted) watch();
      else beginning.signal.addEventListener('abort', watch);
      try {
        return await ask();
      } finally {
        beginning.signal.removeEventListener('abort', watch);
        clearTimeout(late);
      }
    },
  };
};
