import { expect, test } from 'vitest';
import { db } from '../../../../src/publication/store/db.ts';
import type { Store } from '../../../../src/publication/store/store.ts';
import {
  claimDue,
  hasTimesTooFar,
  LEASE_MS,
  pullBackTimes,
} from '../../../../src/publication/store/webhooks/deliveries.ts';
import { createDeliveryLeases } from '../../../../src/publish/webhooks/sending/lease-deliveries.ts';
import { createOutbox } from '../../../helpers/outbox.ts';
import { isOnPostgres } from '../../../helpers/publication.ts';

const HOUR = 3_600_000;

test('a claim that waited for the lock takes nothing that was claimed meanwhile', async () => {
  const { store, clock, subscribe, queue } = await createOutbox();
  await subscribe('http://127.0.0.1:1/a');
  await queue(1);
  const other = createDeliveryLeases({ store, clock, owner: 'other' });
  let taken = 0;
  const claimBefore = async (): Promise<void> => {
    clock.move(20_000);
    taken += (await other.claim()).length;
  };
  const { claim } = store;
  const waiting: Store = {
    ...store,
    write: (run, options) => claimBefore().then(() => store.write(run, options)),
    claim: claim && ((...given) => claimBefore().then(() => claim(...given))),
  };
  const claimer = createDeliveryLeases({ store: waiting, clock, owner: 'late' });
  expect(await claimer.claim()).toEqual([]);
  expect(taken).toBe(1);
});

// Leases in PostgreSQL are by its own clock: test/matrix/postgres-deliveries.long.test.ts.
test.skipIf(isOnPostgres)(
  'a lease of a few seconds to come stands, one from before the clock went back is over',
  async () => {
    const { store, clock, subscribe, queue } = await createOutbox();
    const { id: webhookId } = await subscribe('http://127.0.0.1:1/a');
    await queue(1);
    const picks = [{ webhookId, limit: 1 }];
    const claimAt = (owner: string, now: number) =>
      claimDue({ store, clock: { now: () => now } }, { owner, picks, except: [] });
    const now = clock.now();
    expect(await claimAt('first', now + 5_000)).toHaveLength(1);
    expect(await claimAt('second', now)).toEqual([]);
    expect(await claimAt('second', now + 5_000 + LEASE_MS - 1)).toEqual([]);
    await store.write((tx) => db(tx).updateTable('deliveries').set({ due_at: 0 }).execute());
    expect(await claimAt('second', now - HOUR)).toHaveLength(1);
  },
);

test('a due time of a few seconds to come stands, one from before the clock went back is pulled', async () => {
  const { store, clock, shell, subscribe, queue, deliveries } = await createOutbox();
  await subscribe('http://127.0.0.1:1/a');
  await queue(1);
  const now = clock.now();
  shell.prepare('UPDATE deliveries SET due_at = ?, wait_ms = ?').run(now + 5_000 + HOUR, HOUR);
  expect(await hasTimesTooFar(store, now)).toBe(false);
  expect(await hasTimesTooFar(store, now - HOUR)).toBe(true);
  await store.write((tx) => pullBackTimes(tx, now - HOUR));
  expect(deliveries()[0]).toMatchObject({ due_at: now });
});
