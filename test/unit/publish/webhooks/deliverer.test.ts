import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { expect, test, vi } from 'vitest';
import { listDeliveries } from '../../../../src/publication/store/webhooks/attempts.ts';
import {
  GATE_MS_MAX,
  redeliver,
  redeliverFailed,
} from '../../../../src/publication/store/webhooks/deliveries.ts';
import {
  openGate,
  queueEvents,
  renewHolds,
} from '../../../../src/publication/store/webhooks/outbox.ts';
import { findWebhook, updateWebhook } from '../../../../src/publication/store/webhooks/webhooks.ts';
import { RETRY_WAITS_MS } from '../../../../src/publish/webhooks/sending/retry.ts';
import { rotateWebhook } from '../../../../src/publish/webhooks/sending/webhook-actions.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { createOutbox, plannedEvent, SECRET } from '../../../helpers/outbox.ts';
import { isOnPostgres } from '../../../helpers/publication.ts';
import { type Answer, ok, startReceiver } from '../../../helpers/receiver.ts';

const DAY = 24 * 3_600_000;
const fail: Answer = (response) => response.writeHead(500).end('broken');

/** An outbox with one webhook, whose receiver answers so. */
const createScene = async (answer?: Answer) => {
  const outbox = await createOutbox();
  const receiver = await startReceiver(answer);
  const { id } = await outbox.subscribe(receiver.url);
  return { outbox, receiver, id };
};

test('one row for each subscriber, and a second queueing adds none', async () => {
  const outbox = await createOutbox();
  await outbox.subscribe('http://127.0.0.1:1/a');
  await outbox.subscribe('http://127.0.0.1:1/b');
  await outbox.subscribe('http://127.0.0.1:1/c', 'post.added');
  const event = plannedEvent('post.published', 1);
  const queue = () =>
    outbox.store.write((tx) => queueEvents(tx, [event], { now: outbox.clock.now() }));
  expect(await queue()).toBe(2);
  expect(await queue()).toBe(0);
  expect(outbox.deliveries()).toHaveLength(2);
});

test('a delivery that succeeds is signed in both ways and not sent again', async () => {
  const { outbox, receiver, id } = await createScene();
  outbox.clock.move(Date.now() - outbox.clock.now());
  await outbox.queue(1);
  const deliverer = outbox.deliverer();
  expect(await deliverer.drainOnce()).toEqual({ tried: 1, succeeded: 1, failed: 0 });
  expect((await deliverer.drainOnce()).tried).toBe(0);
  const [request] = receiver.received;
  if (request === undefined) throw new Error('nothing was received');
  expect(request.body).toBe('{"event":"post.published","number":1}');
  expect(new Webhook(SECRET).verify(request.body, request.headers)).toBeTruthy();
  expect(() => new Webhook(SECRET).verify(`${request.body} `, request.headers)).toThrow();
  const [, hex, time] =
    /^sha256=([0-9a-f]{64}), t=(\d+)$/.exec(request.headers['x-ghost-signature'] ?? '') ?? [];
  expect(hex).toBe(createHmac('sha256', SECRET).update(`${request.body}${time}`).digest('hex'));
  expect(request.headers['webhook-id']).toBe(outbox.deliveries()[0]?.id);
  expect(await findWebhook(outbox.store, id)).toMatchObject({
    last_triggered_status: '200',
    last_triggered_error: null,
    failing_since: null,
  });
});

test('a rotation signs with both secrets until its end', async () => {
  const { outbox, receiver, id } = await createScene();
  const rotate = async (): Promise<string> => {
    const given = { id, secretBox: outbox.box, now: outbox.clock.now() };
    return (await outbox.store.write((tx) => rotateWebhook(tx, given))).secret;
  };
  const send = async () => {
    await outbox.queue(1);
    await outbox.deliverer().drainOnce();
    const request = receiver.received.at(-1);
    if (request === undefined) throw new Error('nothing was received');
    return request;
  };
  outbox.clock.move(Date.now() - DAY - 1 - outbox.clock.now());
  const last = await rotate();
  outbox.clock.move(DAY + 1);
  expect((await send()).headers['webhook-signature']).not.toContain(' ');
  const next = await rotate();
  const { body, headers } = await send();
  for (const secret of [last, next]) expect(new Webhook(secret).verify(body, headers)).toBeTruthy();
  const time = headers['x-ghost-signature']?.split('t=')[1];
  expect(headers['x-ghost-signature']).toContain(
    createHmac('sha256', next).update(`${body}${time}`).digest('hex'),
  );
});

test('ten attempts in the steps of the schedule with one id, then it has failed', async () => {
  const { outbox, receiver } = await createScene(fail);
  await outbox.queue(1);
  const deliverer = outbox.deliverer();
  for (const [index, wait] of RETRY_WAITS_MS.entries()) {
    if (wait > 0) {
      outbox.clock.move(wait - 1);
      expect((await deliverer.drainOnce()).tried).toBe(0);
      outbox.clock.move(1);
    }
    expect(await deliverer.drainOnce()).toEqual({ tried: 1, succeeded: 0, failed: 1 });
    expect(outbox.deliveries()[0]).toMatchObject({ attempts: index + 1 });
  }
  expect(outbox.deliveries()[0]).toMatchObject({ state: 'failed', attempts: 10 });
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  const [listed] = await listDeliveries(outbox.store, { failed: true, limit: 10 });
  expect(listed?.attempts.map(({ number, error, response }) => [number, error, response])).toEqual(
    RETRY_WAITS_MS.map((_, index) => [index + 1, 'HTTP_500', 'broken']),
  );
  receiver.answer = ok;
  await outbox.store.write((tx) => redeliverFailed(tx, 0, outbox.clock.now()));
  expect(await deliverer.drainOnce()).toEqual({ tried: 1, succeeded: 1, failed: 0 });
  await outbox.store.write((tx) => redeliver(tx, listed?.id ?? '', outbox.clock.now()));
  expect((await deliverer.drainOnce()).tried).toBe(1);
});

test('410 disables at once and keeps what waits; an edit enables again', async () => {
  const { outbox, receiver, id } = await createScene((response) => response.writeHead(410).end());
  await outbox.queue(3);
  const disabled = vi.fn();
  const deliverer = outbox.deliverer({ onDisabled: disabled });
  await deliverer.drainOnce();
  expect(disabled).toHaveBeenCalledTimes(1);
  expect(await findWebhook(outbox.store, id)).toMatchObject({
    status: 'disabled',
    disabled_reason: 'The receiver answered 410 Gone.',
  });
  expect(await outbox.queue(1)).toBe(0);
  receiver.answer = ok;
  outbox.clock.move(DAY);
  expect((await deliverer.drainOnce()).tried).toBe(0);
  await outbox.store.write((tx) => updateWebhook(tx, { id, changes: {} }, outbox.clock.now()));
  expect(await deliverer.drainOnce()).toEqual({ tried: 3, succeeded: 3, failed: 0 });
});

test('five days of failure without a success disable; a success or an edit forgives', async () => {
  const { outbox, receiver, id } = await createScene(fail);
  const deliverer = outbox.deliverer();
  const statusAfter = async (ms: number) => {
    outbox.clock.move(ms);
    await outbox.queue(1);
    await deliverer.drainOnce();
    return (await findWebhook(outbox.store, id))?.status;
  };
  const statusAfterDays = async (days: number) => {
    for (let day = 1; day < days; day += 1) await statusAfter(DAY);
    return statusAfter(DAY);
  };
  expect(await statusAfter(0)).toBe('enabled');
  expect(await statusAfterDays(3)).toBe('enabled');
  receiver.answer = ok;
  expect(await statusAfter(DAY)).toBe('enabled');
  receiver.answer = fail;
  expect(await statusAfter(0)).toBe('enabled');
  // Years ahead, and back: no time passed in which deliveries failed.
  for (const years of [14, -14, 14, -20, 6]) await statusAfter(years * 365 * DAY);
  expect(await statusAfterDays(4)).toBe('enabled');
  expect(await statusAfter(DAY - 60_000)).toBe('enabled');
  expect(await statusAfter(120_000)).toBe('disabled');
  await outbox.store.write((tx) => updateWebhook(tx, { id, changes: {} }, outbox.clock.now()));
  expect(await statusAfter(60_000)).toBe('enabled');
});

test('Retry-After moves the next attempt, of a 503 and of a 429', async () => {
  const { outbox, receiver, id } = await createScene();
  for (const status of [503, 429]) {
    receiver.answer = (response) => response.writeHead(status, { 'retry-after': '60' }).end();
    await outbox.queue(1);
    await outbox.deliverer().drainOnce();
    expect(outbox.deliveries().at(-1)).toMatchObject({ due_at: outbox.clock.now() + 60_000 });
  }
  expect(await findWebhook(outbox.store, id)).toMatchObject({
    last_triggered_status: '429',
  });
});

test('two at once to a webhook, four to a host, and a hanging receiver delays no other', async () => {
  const outbox = await createOutbox();
  let atOnce = 0;
  let most = 0;
  const held: (() => void)[] = [];
  const slow = await startReceiver((response) => {
    atOnce += 1;
    most = Math.max(most, atOnce);
    held.push(() => {
      atOnce -= 1;
      response.writeHead(200).end();
    });
  });
  const good = await startReceiver();
  for (const path of ['a', 'b', 'c']) await outbox.subscribe(`${slow.url}/${path}`, 'post.edited');
  await outbox.subscribe(
    good.url.replace('127.0.0.1', '127.0.0.2').replace(/:\d+/, (port) => port),
  );
  await outbox.subscribe(good.url.replace('127.0.0.1', 'good.test'));
  await outbox.queue(10, 'post.edited');
  await outbox.queue(4);
  const deliverer = outbox.deliverer({ pollMs: 50, resolve: async () => ['127.0.0.1'] });
  await deliverer.start();
  await eventually(() => expect(most).toBeGreaterThanOrEqual(4));
  expect(most).toBe(4);
  await eventually(() => expect(good.received.length).toBeGreaterThanOrEqual(4));
  // What is claimed now is claimed beside four that hang.
  const before = good.received.length;
  await outbox.queue(1);
  await eventually(() => expect(good.received.length).toBeGreaterThan(before));
  expect(most).toBe(4);
  const timer = setInterval(() => {
    for (const release of held.splice(0)) release();
  }, 5);
  await eventually(() => expect(slow.received).toHaveLength(30));
  await deliverer.close();
  clearInterval(timer);
  expect(most).toBe(4);
});

test('closing ends attempts that hang, and their deliveries are due as before', async () => {
  const { outbox, receiver } = await createScene(() => undefined);
  await outbox.queue(3);
  const deliverer = outbox.deliverer({ timeoutMs: 60_000, closingMs: 20 });
  await deliverer.start();
  await eventually(() => expect(receiver.received).toHaveLength(2));
  expect(outbox.deliveries().filter(({ lease_owner }) => lease_owner !== null)).toHaveLength(2);
  await deliverer.close();
  const free = { state: 'pending', attempts: 0, lease_owner: null, lease_until: null };
  expect(outbox.deliveries()).toMatchObject([free, free, free]);
  expect(outbox.shell.prepare('SELECT count(*) FROM attempts').pluck().get()).toBe(0);
  receiver.answer = ok;
  const next = outbox.deliverer();
  expect(await next.drainOnce()).toEqual({ tried: 3, succeeded: 3, failed: 0 });
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect([ids.length, new Set(ids).size]).toEqual([5, 3]);
});

test('closing lets an attempt end that is answered in time', async () => {
  const outbox = await createOutbox();
  const held: ServerResponse[] = [];
  const receiver = await startReceiver((response) => held.push(response));
  await outbox.subscribe(receiver.url);
  await outbox.queue(1);
  const deliverer = outbox.deliverer({ timeoutMs: 60_000, closingMs: 60_000 });
  await deliverer.start();
  await eventually(() => expect(held).toHaveLength(1));
  const closing = deliverer.close();
  held[0]?.writeHead(200).end('ok');
  await closing;
  expect(outbox.deliveries()).toMatchObject([{ state: 'done', attempts: 1 }]);
});

test('a held generation waits for its gate, and no longer than its limit', async () => {
  const { outbox } = await createScene();
  const deliverer = outbox.deliverer();
  const hold = (number: number) =>
    outbox.store.write((tx) =>
      queueEvents(tx, [{ ...plannedEvent('post.published', number), generation: number }], {
        now: outbox.clock.now(),
        heldUntil: outbox.clock.now() + 600_000,
      }),
    );
  for (const generation of [1, 2]) await hold(generation);
  expect((await deliverer.drainOnce()).tried).toBe(0);
  await outbox.store.write((tx) => openGate(tx, 1));
  expect((await deliverer.drainOnce()).tried).toBe(1);
  expect(outbox.deliveries()).toMatchObject([{ state: 'done' }, { state: 'pending' }]);
  outbox.clock.move(600_000);
  expect((await deliverer.drainOnce()).tried).toBe(1);
});

// In PostgreSQL a lease runs out by its clock, whoever had it: test/matrix/postgres-deliveries.long.test.ts.
test.skipIf(isOnPostgres)(
  'the lease of a dead process is freed at start, that of a living one is kept',
  async () => {
    const { outbox } = await createScene();
    await outbox.queue(2);
    const { hostname } = await import('node:os');
    const [first, second] = outbox.deliveries();
    const lease = outbox.shell.prepare(
      'UPDATE deliveries SET lease_owner = ?, lease_until = ? WHERE id = ?',
    );
    lease.run(`${hostname()}/4194305/dead/1`, outbox.clock.now() + 30_000, first?.id);
    lease.run(`${hostname()}/${process.ppid}/alive/1`, outbox.clock.now() + 30_000, second?.id);
    const deliverer = outbox.deliverer();
    expect((await deliverer.drainOnce()).tried).toBe(1);
    outbox.clock.move(30_000);
    expect((await deliverer.drainOnce()).tried).toBe(1);
  },
);

test('an attempt whose lease was lost is kept, and decides nothing unless it succeeded', async () => {
  const outbox = await createOutbox();
  const { shell } = outbox;
  const receiver = await startReceiver((response) => {
    shell.exec("UPDATE deliveries SET lease_owner = 'another'");
    response.writeHead(500).end();
  });
  await outbox.subscribe(receiver.url);
  await outbox.queue(1);
  await outbox.deliverer().drainOnce();
  expect(outbox.deliveries()[0]).toMatchObject({ attempts: 0, lease_owner: 'another' });
  const [listed] = await listDeliveries(outbox.store, { limit: 1 });
  expect(listed?.attempts.map(({ error }) => error)).toEqual(['HTTP_500']);
});

test('a redelivery that is asked for during an attempt is made', async () => {
  const outbox = await createOutbox();
  const receiver = await startReceiver(async (response) => {
    if (receiver.received.length === 1) {
      const [row] = outbox.deliveries();
      await outbox.store.write((tx) => redeliver(tx, String(row?.id), outbox.clock.now()));
      response.writeHead(500).end();
    } else response.writeHead(200).end();
  });
  await outbox.subscribe(receiver.url);
  await outbox.queue(1);
  outbox.shell.exec('UPDATE deliveries SET attempts = 9');
  const deliverer = outbox.deliverer();
  await deliverer.drainOnce();
  expect(outbox.deliveries()[0]).toMatchObject({ state: 'pending', attempts: 0 });
  expect(await deliverer.drainOnce()).toMatchObject({ tried: 1, succeeded: 1 });
});

test('a redelivery since a time takes what failed after it, also what still waits', async () => {
  const outbox = await createOutbox();
  let isBroken = true;
  const receiver = await startReceiver((response) =>
    response.writeHead(isBroken ? 500 : 200).end(),
  );
  await outbox.subscribe(receiver.url);
  await outbox.queue(2);
  outbox.shell.exec('UPDATE deliveries SET attempts = 9 WHERE rowid = 1');
  outbox.clock.move(4 * DAY);
  await outbox.deliverer().drainOnce();
  isBroken = false;
  const since = (time: number) =>
    outbox.store.write((tx) => redeliverFailed(tx, time, outbox.clock.now()));
  expect(await since(outbox.clock.now() + 1)).toBe(0);
  expect(await since(outbox.clock.now() - 1_000)).toBe(2);
  expect(await outbox.deliverer().drainOnce()).toMatchObject({ succeeded: 2 });
});

test('a redelivery does not pass the gate of its generation', async () => {
  const { outbox } = await createScene();
  const now = outbox.clock.now();
  await outbox.store.write((tx) =>
    queueEvents(tx, [plannedEvent('post.published', 1)], { now, heldUntil: now + 600_000 }),
  );
  const id = String(outbox.deliveries()[0]?.id);
  await outbox.store.write((tx) => redeliver(tx, id, now));
  expect((await outbox.deliverer().drainOnce()).tried).toBe(0);
});

// In PostgreSQL a lease runs out by its clock, whoever had it: test/matrix/postgres-deliveries.long.test.ts.
test.skipIf(isOnPostgres)(
  'a lease from another host name is freed by the server, not by a command',
  async () => {
    const { outbox, receiver } = await createScene();
    await outbox.queue(1);
    outbox.shell
      .prepare('UPDATE deliveries SET lease_owner = ?, lease_until = ?')
      .run('an-earlier-container/1/life/1', outbox.clock.now() + 30_000);
    const deliverer = outbox.deliverer();
    expect((await deliverer.drainOnce()).tried).toBe(0);
    await deliverer.start();
    await eventually(() => expect(receiver.received).toHaveLength(1));
  },
);

test('a hold from before the clock went back ends within its limit, and not at once', async () => {
  const { outbox } = await createScene();
  const heldUntil = outbox.clock.now() + GATE_MS_MAX;
  await outbox.store.write((tx) =>
    queueEvents(tx, [plannedEvent('post.published', 1)], {
      now: outbox.clock.now(),
      heldUntil,
    }),
  );
  const deliverer = outbox.deliverer();
  outbox.clock.move(-DAY);
  expect((await deliverer.drainOnce()).tried).toBe(0);
  outbox.clock.move(GATE_MS_MAX);
  expect((await deliverer.drainOnce()).tried).toBe(1);
});

test('a hold that began anew before the clock went back ends within its limit, too', async () => {
  const outbox = await createOutbox();
  const receiver = await startReceiver();
  await outbox.subscribe(receiver.url);
  const now = outbox.clock.now();
  await outbox.store.write((tx) =>
    queueEvents(tx, [plannedEvent('post.published', 1)], { now, heldUntil: now + 60_000 }),
  );
  // A day later the program starts again, and its clock is set right: the delivery has long been due.
  await outbox.store.write((tx) => renewHolds(tx, now + DAY + GATE_MS_MAX));
  const deliverer = outbox.deliverer();
  expect((await deliverer.drainOnce()).tried).toBe(0);
  outbox.clock.move(GATE_MS_MAX);
  expect((await deliverer.drainOnce()).tried).toBe(1);
});

test('what is being tried is not claimed again when the clock passes its lease', async () => {
  const outbox = await createOutbox();
  const held: ServerResponse[] = [];
  const receiver = await startReceiver((response) => held.push(response));
  await outbox.subscribe(receiver.url);
  await outbox.queue(1);
  const deliverer = outbox.deliverer({ pollMs: 20 });
  await deliverer.start();
  await eventually(() => expect(receiver.received).toHaveLength(1));
  outbox.clock.move(DAY);
  const later = await startReceiver();
  await outbox.subscribe(later.url, 'post.edited');
  await outbox.queue(1, 'post.edited');
  await eventually(() => expect(later.received).toHaveLength(1));
  expect(receiver.received).toHaveLength(1);
  for (const response of held) response.end();
});

test('clock jumps of a day lose nothing and make no storm', async () => {
  const { outbox, receiver } = await createScene(fail);
  await outbox.queue(5);
  const deliverer = outbox.deliverer();
  await deliverer.drainOnce();
  outbox.clock.move(-DAY);
  expect((await deliverer.drainOnce()).tried).toBe(0);
  outbox.clock.move(5_000);
  expect((await deliverer.drainOnce()).tried).toBe(5);
  outbox.clock.move(DAY);
  expect((await deliverer.drainOnce()).tried).toBe(5);
  expect((await deliverer.drainOnce()).tried).toBe(0);
  await outbox.queue(1);
  outbox.clock.move(-DAY);
  expect((await deliverer.drainOnce()).tried).toBe(1);
  expect(receiver.received).toHaveLength(16);
});
