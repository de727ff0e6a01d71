import { createHash } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { ATTEMPTS_KEPT_MS } from '../../../../src/base/limits.ts';
import { db } from '../../../../src/publication/store/db.ts';
import {
  listDeliveries,
  purgeDeliveries,
} from '../../../../src/publication/store/webhooks/attempts.ts';
import { findState } from '../../../../src/publication/store/webhooks/deliveries.ts';
import { findWebhook } from '../../../../src/publication/store/webhooks/webhooks.ts';
import { pickSamples, readBack } from '../../../../src/publish/cycle/read-back.ts';
import { queueTest } from '../../../../src/publish/webhooks/sending/webhook-actions.ts';
import { createOutbox } from '../../../helpers/outbox.ts';
import { ok, startReceiver } from '../../../helpers/receiver.ts';

test('a test delivery goes to that webhook only', async () => {
  const outbox = await createOutbox();
  const [one, other] = [await startReceiver(), await startReceiver()];
  const { id } = await outbox.subscribe(one.url);
  await outbox.subscribe(other.url);
  const delivery = await outbox.store.write((tx) => queueTest(tx, id, outbox.clock.now()));
  await outbox.deliverer().drainOnce();
  expect(other.received).toHaveLength(0);
  expect(one.received[0]?.headers['webhook-id']).toBe(delivery);
  expect(JSON.parse(one.received[0]?.body ?? '')).toMatchObject({
    event: 'webhook.test',
    webhook: { id },
  });
  const ask = outbox.store.write((tx) => queueTest(tx, '0'.repeat(24), outbox.clock.now()));
  await expect(ask).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('a disabled webhook gets a test, once, and nothing else; it stays disabled', async () => {
  const outbox = await createOutbox();
  const receiver = await startReceiver((response) => response.writeHead(500).end());
  const { id } = await outbox.subscribe(receiver.url);
  await outbox.queue(3);
  await outbox.store.write((tx) =>
    db(tx).updateTable('webhooks').set({ status: 'disabled' }).execute(),
  );
  const failed = vi.fn();
  const deliverer = outbox.deliverer({ onFailed: failed });
  const ask = () => outbox.store.write((tx) => queueTest(tx, id, outbox.clock.now()));
  const first = await ask();
  expect(await deliverer.drainOnce()).toEqual({ tried: 1, succeeded: 0, failed: 1 });
  expect(await findState(outbox.store, first)).toBe('failed');
  expect(failed.mock.calls).toEqual([
    [
      {
        deliveryId: first,
        webhookId: id,
        event: 'webhook.test',
        attempts: 1,
        error: 'HTTP_500',
      },
    ],
  ]);
  receiver.answer = ok;
  const second = await ask();
  expect(await deliverer.drainOnce()).toEqual({ tried: 1, succeeded: 1, failed: 0 });
  expect(await findState(outbox.store, second)).toBe('done');
  expect(await findWebhook(outbox.store, id)).toMatchObject({ status: 'disabled' });
  expect(receiver.received.every(({ body }) => body.includes('webhook.test'))).toBe(true);
});

test('what is older than 30 days is forgotten, what waits is not', async () => {
  const outbox = await createOutbox();
  const receiver = await startReceiver();
  await outbox.subscribe(receiver.url);
  await outbox.queue(2);
  await outbox.deliverer().drainOnce();
  receiver.answer = (response) => response.writeHead(500).end();
  await outbox.queue(1);
  await outbox.deliverer().drainOnce();
  outbox.clock.move(ATTEMPTS_KEPT_MS + 60_000);
  await outbox.store.write((tx) => purgeDeliveries(tx, outbox.clock.now()));
  const left = await listDeliveries(outbox.store, { limit: 10 });
  expect(left.map(({ state, attempts }) => [state, attempts.length])).toEqual([['pending', 0]]);
  const events = outbox.shell.prepare('SELECT count(*) FROM events').pluck().get();
  expect(events).toBe(1);
});

test('a deleted webhook takes its deliveries with it, also one that is being tried', async () => {
  const outbox = await createOutbox();
  const { shell } = outbox;
  const receiver = await startReceiver((response) => {
    shell.pragma('foreign_keys = ON');
    shell.exec('DELETE FROM webhooks');
    response.writeHead(500).end();
  });
  await outbox.subscribe(receiver.url);
  await outbox.queue(1);
  expect(await outbox.deliverer().drainOnce()).toMatchObject({ tried: 1, failed: 1 });
  expect(outbox.deliveries()).toEqual([]);
});

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

test('reading back waits for new bytes and for removals', async () => {
  let asked = 0;
  const site = await startReceiver((response, { path }) => {
    asked += 1;
    const isFresh = asked > 4;
    if (path === '/content/gone/') response.writeHead(isFresh ? 404 : 200).end('old');
    else response.writeHead(200).end(isFresh ? 'new' : 'old');
  });
  const changed = [
    { path: '/content/posts/', sha256: sha256('new') },
    { path: '/content/gone/', sha256: null },
  ];
  const url = new URL(site.url).origin;
  expect(await readBack({ url, changed, pollMs: 20 })).toEqual({ isDone: true, missing: [] });
  expect(asked).toBeGreaterThan(4);
  const never = [{ path: '/content/x/', sha256: sha256('never') }];
  expect(await readBack({ url, changed: never, pollMs: 20, limitMs: 60 })).toEqual({
    isDone: false,
    missing: ['/content/x/'],
  });
});

test('a site that gives no answer is told once', async () => {
  const told: unknown[] = [];
  const changed = ['/a/', '/b/'].map((path) => ({ path, sha256: null }));
  const onSilent = (cause: unknown) => told.push((cause as { code?: string }).code);
  const site = { url: 'http://127.0.0.1:1', changed, onSilent };
  expect((await readBack({ ...site, pollMs: 5, limitMs: 30 })).isDone).toBe(false);
  expect(told).toEqual(['ECONNREFUSED']);
});

test('a site that answers with an error is told once, with its status', async () => {
  const site = await startReceiver((response) => response.writeHead(503).end());
  const told: unknown[] = [];
  const changed = ['/a/', '/b/'].map((path) => ({ path, sha256: null }));
  const onSilent = (cause: unknown) => told.push((cause as Error).message);
  await readBack({ url: new URL(site.url).origin, changed, onSilent, pollMs: 5, limitMs: 30 });
  expect(told).toEqual(['it answers with status 503']);
});

test('a document that a later generation replaced counts with its newest bytes', async () => {
  const site = await startReceiver((response, { path }) =>
    response.writeHead(path === '/content/gone/' ? 404 : 200).end('newest'),
  );
  const changed = [
    { path: '/content/posts/', sha256: sha256('new') },
    { path: '/content/gone/', sha256: sha256('new') },
  ];
  const url = new URL(site.url).origin;
  const options = { url, changed, pollMs: 20, limitMs: 60 };
  expect((await readBack(options)).isDone).toBe(false);
  const expectNow = (path: string) => (path === '/content/gone/' ? null : sha256('newest'));
  expect((await readBack({ ...options, expectNow })).isDone).toBe(true);
});

test('at most 20 are sampled, spread over all', () => {
  const changed = Array.from({ length: 1_000 }, (_, i) => ({ path: `/${i}/`, sha256: null }));
  const picked = pickSamples(changed);
  expect(picked).toHaveLength(20);
  expect([picked[0]?.path, picked.at(-1)?.path]).toEqual(['/0/', '/999/']);
});
