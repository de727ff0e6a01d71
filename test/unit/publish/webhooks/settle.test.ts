import { expect, test } from 'vitest';
import type { Store } from '../../../../src/publication/store/store.ts';
import { createSettle } from '../../../../src/publish/webhooks/sending/settle.ts';
import { createOutbox } from '../../../helpers/outbox.ts';

test('tries that end while one is written are written together, and a write that fails is theirs alone', async () => {
  const { store, subscribe, queue, deliveries } = await createOutbox();
  const { id: webhookId } = await subscribe('http://127.0.0.1:1/a');
  await queue(4);
  const ids = deliveries().map(({ id }) => String(id));
  let writes = 0;
  let fails = false;
  const counting: Pick<Store, 'write'> = {
    write: (run) => {
      writes += 1;
      return fails ? Promise.reject(new Error('The disk is full.')) : store.write(run);
    },
  };
  const settle = createSettle(counting);
  const settleOne = (deliveryId = '') =>
    settle({
      ...{ deliveryId, webhookId, owner: '', outcome: { kind: 'done' } },
      attempt: {
        startedAt: 0,
        durationMs: 1,
        status: 200,
        error: null,
        reason: null,
        response: '',
      },
      disableReason: () => null,
    });
  const states = () => deliveries().map(({ state }) => state);
  await Promise.all(ids.slice(0, 3).map(settleOne));
  expect([writes, states()]).toEqual([2, ['done', 'done', 'done', 'pending']]);
  fails = true;
  await expect(settleOne(ids[3])).rejects.toThrow('The disk is full.');
  fails = false;
  await settleOne(ids[3]);
  expect(states()[3]).toBe('done');
});
