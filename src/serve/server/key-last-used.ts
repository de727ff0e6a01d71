// When each key was used last, for lists of keys: gathered, and written a moment after the answers, each key at most once a
// minute. No request waits for that, and none fails when the database does not take it.
import { noteKeysSeen } from '../../publication/store/access/keys.ts';
import type { UseCaseContext } from '../admin/use-case-context.ts';

export type KeyLastUsed = {
  /** Takes the id of a key that was good. */
  readonly note: (id: string) => void;
  /** Writes what waits. */
  readonly close: () => Promise<void>;
};

const AGAIN_MS = 60_000;
const GATHER_MS = 1_000;

export const createKeyLastUsed = ({
  store,
  clock,
}: Pick<UseCaseContext, 'store' | 'clock'>): KeyLastUsed => {
  const notedAt = new Map<string, number>();
  let waiting = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();
  const write = async (): Promise<void> => {
    const seen = waiting;
    waiting = new Map();
    if (seen.size === 0) return;
    // A use that is not written now is written with the next one, after a minute.
    await store.write((tx) => noteKeysSeen(tx, seen)).catch(() => undefined);
  };
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(write);
    return writing;
  };
  return {
    note: (id) => {
      const now = clock.now();
      const last = notedAt.get(id);
      // A clock that went back is believed.
      if (last !== undefined && Math.abs(now - last) < AGAIN_MS) return;
      notedAt.set(id, now);
      waiting.set(id, now);
      timer ??= setTimeout(flush, GATHER_MS).unref();
    },
    close: flush,
  };
};
