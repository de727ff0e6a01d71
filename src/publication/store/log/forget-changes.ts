// Takes changes out of the log that both positions have passed, in short transactions: after an import the log is
// long, and nobody is to wait until it is gone.
import { setImmediate as tick } from 'node:timers/promises';
import { db, type Queryable } from '../db.ts';
import type { Store } from '../store.ts';

/** Changes that a cycle takes out of the log, and a quarter of what is left of it if that is more. */
const FORGOTTEN_AT_ONCE = 5_000;
/** Changes that one transaction takes out. */
const PART = 2_000;

/** The row at the position stays: its nonce tells this log from another one. */
export const forgetChanges = async (store: Store, built: number): Promise<void> => {
  const oldest = await findOldest(store);
  const announced = await findAnnounced(store);
  const position = Math.min(built, announced ?? built);
  if (oldest === null || oldest >= position) return;
  const count = Math.max(FORGOTTEN_AT_ONCE, Math.ceil((position - oldest) / 4));
  const end = Math.min(position, oldest + count);
  for (let start = oldest; start < end; start += PART) {
    await store.write(
      (tx) =>
        db(tx)
          .deleteFrom('changes')
          .where('seq', '<', Math.min(end, start + PART))
          .execute(),
      { mayBeLost: true, isOfFile: true },
    );
    await tick();
  }
};

/** Another server may yet have to announce what this one has built. */
const findAnnounced = async (from: Queryable): Promise<number | undefined> =>
  (await db(from).selectFrom('published_position').select('seq').executeTakeFirst())?.seq;

const findOldest = async (from: Queryable): Promise<number | null> => {
  const { seq } = await db(from)
    .selectFrom('changes')
    .select((select) => select.fn.min('seq').as('seq'))
    .executeTakeFirstOrThrow();
  return seq;
};
