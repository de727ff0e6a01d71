// What events say: stored once, compressed, and dropped when nobody needs it any more.
import { expect, test } from 'vitest';
import {
  countBodies,
  forgetBodies,
} from '../../../../src/publication/store/webhooks/event-bodies.ts';
import {
  type PlannedEvent,
  packEvents,
  queueEvents,
} from '../../../../src/publication/store/webhooks/outbox.ts';
import { redeliverOne } from '../../../../src/publish/webhooks/sending/webhook-actions.ts';
import { createOutbox, type Outbox, payloadsOf } from '../../../helpers/outbox.ts';
import { startReceiver } from '../../../helpers/receiver.ts';

const DAY_MS = 24 * 3_600_000;
const HTML = '<p>$& $1 Ä text.</p>'.repeat(300);

const eventOf = (save: number, name: string): PlannedEvent => {
  const body = JSON.stringify({ current: { title: `${save}`, html: HTML }, previous: {} });
  return {
    id: `${save}-${name}`,
    generation: save,
    action: `save-${save}`,
    event: name,
    recordId: 'a',
    ordinal: 0,
    payload: `{"event":"${name}","post":${body},"generation":${save}}`,
    body,
    waitsForBuild: true,
  };
};

const EVENTS = ['post.edited', 'post.published.edited'];

const save = async ({ store, clock }: Outbox, number: number): Promise<PlannedEvent[]> => {
  const planned = EVENTS.map((name) => eventOf(number, name));
  const packed = await packEvents(planned);
  await store.write((tx) => queueEvents(tx, packed, { now: clock.now() }));
  return planned;
};

const openOutbox = async () => {
  const outbox = await createOutbox();
  const receiver = await startReceiver();
  for (const name of EVENTS) await outbox.subscribe(receiver.url, name);
  await outbox.subscribe(receiver.url, 'post.edited');
  return { outbox, receiver };
};

test('the events of a save share one compressed body, and are sent to the letter', async () => {
  const { outbox, receiver } = await openOutbox();
  const planned = await save(outbox, 1);
  const { bodies, bytes } = await countBodies(outbox.store);
  expect(bodies).toBe(1);
  expect(bytes).toBeLessThan(HTML.length / 10);
  const stored = outbox.shell.prepare('SELECT sum(length(payload)) FROM events').pluck().get();
  expect(stored).toBeLessThan(200);
  await outbox.deliverer().drainOnce();
  const sent = receiver.received.map(({ body }) => body);
  const [edited, published] = planned.map(({ payload }) => payload);
  expect(sent.sort()).toEqual([edited, edited, published].sort());
  expect(payloadsOf(outbox, 'post.edited')).toEqual([edited]);
});

test('a body is dropped when all its deliveries arrived and the days are over', async () => {
  const { outbox, receiver } = await openOutbox();
  const { store, clock, shell } = outbox;
  const forget = () => forgetBodies(store, { now: clock.now(), keptMs: 7 * DAY_MS });
  const count = async () => (await countBodies(store)).bodies;
  await save(outbox, 1);
  await outbox.deliverer().drainOnce();
  receiver.answer = (response, { body }) =>
    response.writeHead(body.includes('published') ? 200 : 500).end();
  await save(outbox, 2);
  await outbox.deliverer().drainOnce();
  // Given up after its last attempt.
  shell.exec("UPDATE deliveries SET state = 'failed', finished_at = 0 WHERE state = 'pending'");
  clock.move(6 * DAY_MS);
  await forget();
  expect(await count()).toBe(2);
  clock.move(2 * DAY_MS);
  await forget();
  expect(await count()).toBe(1);
  expect(payloadsOf(outbox, 'post.edited')[0]).toBe('');
  const deliveryOf = (event: string) =>
    shell.prepare('SELECT id FROM deliveries WHERE event_id = ?').pluck().get(event) as string;
  const again = (event: string) =>
    store.write((tx) => redeliverOne(tx, deliveryOf(event), clock.now()));
  await expect(again('1-post.edited')).rejects.toMatchObject({ code: 'VALIDATION' });
  await again('2-post.edited');
  await expect(store.write((tx) => redeliverOne(tx, 'none', clock.now()))).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
});

test('beyond the bound the oldest bodies of ended deliveries are dropped, and none that waits', async () => {
  const { outbox } = await openOutbox();
  const { store, clock } = outbox;
  for (const number of [1, 2, 3]) await save(outbox, number);
  await outbox.deliverer().drainOnce();
  const waiting = await save(outbox, 4);
  const { bytes } = await countBodies(store);
  const bytesMax = Math.ceil(bytes / 2) + 50;
  await forgetBodies(store, { now: clock.now(), keptMs: DAY_MS, bytesMax });
  expect(await countBodies(store)).toMatchObject({ bodies: 2 });
  expect(payloadsOf(outbox, 'post.edited').map((text) => text === '')).toEqual([
    true,
    true,
    false,
    false,
  ]);
  await forgetBodies(store, { now: clock.now(), keptMs: DAY_MS, bytesMax: 0 });
  expect(payloadsOf(outbox, 'post.edited').filter((text) => text !== '')).toEqual([
    waiting[0]?.payload,
  ]);
});

test('a body that cannot be read fails its delivery and no other', async () => {
  const { outbox, receiver } = await openOutbox();
  await save(outbox, 1);
  outbox.shell.exec("UPDATE event_bodies SET body = x'00'");
  await save(outbox, 2);
  expect(await outbox.deliverer().drainOnce()).toEqual({ tried: 6, succeeded: 3, failed: 3 });
  expect(receiver.received).toHaveLength(3);
  const errors = outbox.shell.prepare('SELECT DISTINCT error FROM attempts').pluck().all();
  expect(errors).toEqual(expect.arrayContaining(['BODY_GONE']));
});

test('a command that delivers drops bodies, too', async () => {
  const { outbox } = await openOutbox();
  await save(outbox, 1);
  await outbox.deliverer({ redeliveryDays: 0 }).drainOnce();
  outbox.clock.move(1_000);
  await outbox.deliverer({ redeliveryDays: 0 }).drainOnce();
  expect((await countBodies(outbox.store)).bodies).toBe(0);
});
