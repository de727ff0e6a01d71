// Writes down what came of tries. Those that end while a transaction runs are written in the next one together: a commit
// in PostgreSQL takes some round trips, and no other save runs meanwhile.
import { PrepressError } from '../../../base/errors.ts';
import type { Store } from '../../../publication/store/store.ts';
import { type AttemptRecord, recordAttempt } from '../../../publication/store/webhooks/attempts.ts';

/** Resolves when it is committed: why the webhook was disabled by it, or null. */
export type Settle = (record: AttemptRecord) => Promise<string | null>;

type Waiting = {
  readonly record: AttemptRecord;
  readonly resolve: (reason: string | null) => void;
  readonly reject: (error: unknown) => void;
};

export const createSettle = (store: Pick<Store, 'write'>): Settle => {
  let waiting: Waiting[] = [];
  let isRunning = false;
  const run = async (): Promise<void> => {
    isRunning = true;
    while (waiting.length > 0) {
      const part = waiting;
      waiting = [];
      await writeTogether(store, part);
    }
    isRunning = false;
  };
  return (record) =>
    new Promise((resolve, reject) => {
      waiting.push({ record, resolve, reject });
      if (!isRunning) void run();
    });
};

const writeTogether = async (
  store: Pick<Store, 'write'>,
  part: readonly Waiting[],
): Promise<void> => {
  try {
    const reasons = await store.write(async (tx) => {
      const list: (string | null)[] = [];
      for (const { record } of part) list.push(await recordAttempt(tx, record));
      return list;
    });
    for (const [at, { resolve }] of part.entries()) resolve(reasons[at] ?? null);
  } catch (error) {
    const isOfDatabase = error instanceof PrepressError;
    if (isOfDatabase || part.length === 1) for (const { reject } of part) reject(error);
    // One of them may be what cannot be written: the others are.
    else for (const one of part) await writeTogether(store, [one]);
  }
};
