import { expect, test } from 'vitest';
import type { Store } from '../../../../src/publication/store/store.ts';
import { createSettle } from '../../../../src/publish/webhooks/sending/settle.ts';
import { createOutbox } from '../../../helpers/outbox.ts';

/** Some deliveries, and what came of a try of one. */
const createTried = async (count: number) => {
  const { store, subscribe, queue, deliveries } = await createOutbox();
  const { id: webhookId } = await subscribe('http://127.0.0.1:1/a');
  await queue(count);
  const answer = { startedAt: 0, durationMs: 1, status: 200, reason: null, response: '' };
  return {
    store,
    ids: deliveries().map(({ id }) => String(id)),
    states: () => deliveries().map(({ state }) => state),
    tried: (deliveryId = '', error: string | null = null) => ({
      ...{ deliveryId, webhookId, owner: '', outcome: { kind: 'done' } as const },
      attempt: { ...answer, error },
      disableReason: () => {
        throw new Error('This row cannot be written.');
      },
    }),
  };
};

test('tries that end while one is written are written together, and a write that fails is theirs alone', async () => {
  const { store, ids, states, tried } = await createTried(4);
  let writes = 0;
  let fails = false;
  const counting: Pick<Store, 'write'> = {
    write: (run) => {
      writes += 1;
      return fails ? Promise.reject(new Error('The disk is full.')) : store.write(run);
    },
  };
  const settle = createSettle(counting);
  await Promise.all(ids.slice(0, 3).map((id) => settle(tried(id))));
  expect([writes, states()]).toEqual([2, ['done', 'done', 'done', 'pending']]);
  fails = true;
  await expect(settle(tried(ids[3]))).rejects.toThrow('The disk is full.');
  fails = false;
  await settle(tried(ids[3]));
  expect(states()[3]).toBe('done');
});

test('of tries that are written together, one that cannot be written holds up no other', async () => {
  const { store, ids, states, tried } = await createTried(3);
  const settle = createSettle(store);
  const [first, bad, last] = ids;
  const ended = await Promise.allSettled(
    [tried(first), tried(bad, 'ETIMEDOUT'), tried(last)].map(settle),
  );
  expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(states()).toEqual(['done', 'pending', 'done']);
});
