import { Webhook } from 'standardwebhooks';
import { expect, test, vi } from 'vitest';
import { listDeliveries } from '../../../../src/publication/store/webhooks/attempts.ts';
import { queueEvents } from '../../../../src/publication/store/webhooks/outbox.ts';
import {
  type OwnRequest,
  sealRequest,
} from '../../../../src/publication/store/webhooks/webhook-requests.ts';
import { queueTest } from '../../../../src/publish/webhooks/sending/webhook-actions.ts';
import { createOutbox, type Outbox, plannedEvent, SECRET } from '../../../helpers/outbox.ts';
import { type Answer, ok, startReceiver } from '../../../helpers/receiver.ts';

const TOKEN = 'Bearer own-header-s3cret';

const createScene = async (request: OwnRequest, answer: Answer = ok) => {
  const outbox = await createOutbox();
  const receiver = await startReceiver(answer);
  const stored = sealRequest(outbox.box, request, null);
  const { id } = await outbox.subscribe(receiver.url, 'post.edited', { request: stored });
  return { outbox, receiver, id };
};

const queuePost = ({ store, clock }: Outbox, post: object): Promise<number> => {
  const payload = JSON.stringify({ event: 'post.edited', post, generation: 7 });
  const event = { ...plannedEvent('post.edited', 1), payload };
  return store.write((tx) => queueEvents(tx, [event], { now: clock.now() }));
};

test('own headers are sent beside ours, and the signatures are over the body that is sent', async () => {
  const body = {
    is: '{{event}} {{generation}}: {{post.title}}',
    featured: '{{post.featured}}',
    site: '{{site.title}} {{site.url}}',
    what: ['{{title}}', '{{url}}'],
    id: '{{id}}',
  };
  const { outbox, receiver } = await createScene({ headers: { Authorization: TOKEN }, body });
  outbox.clock.move(Date.now() - outbox.clock.now());
  const current = { id: 'a', title: 'A "b"', featured: true, url: 'https://site.example/a/' };
  await queuePost(outbox, { current, previous: {} });
  await outbox.deliverer().drainOnce();
  const [sent] = receiver.received;
  if (sent === undefined) throw new Error('nothing was received');
  expect(sent.headers).toMatchObject({
    authorization: TOKEN,
    'content-type': 'application/json',
    'user-agent': 'Prepress (webhooks)',
  });
  expect(new Webhook(SECRET).verify(sent.body, sent.headers)).toEqual({
    is: 'post.edited 7: A "b"',
    featured: true,
    site: 'The site https://site.example',
    what: ['A "b"', 'https://site.example/a/'],
    id: sent.headers['webhook-id'],
  });
});

test('a template says of what was removed what it was, and of a test what the site is', async () => {
  const { outbox, receiver, id } = await createScene({
    headers: {},
    body: { a: '{{post.title}}', b: '{{title}}', c: '{{url}}' },
  });
  await queuePost(outbox, { current: {}, previous: { title: 'Gone' } });
  await outbox.store.write((tx) => queueTest(tx, id, outbox.clock.now()));
  await outbox.deliverer().drainOnce();
  expect(receiver.received.map(({ body }) => JSON.parse(body)).toSorted()).toEqual([
    { a: 'Gone', b: 'Gone', c: 'https://site.example' },
    { a: null, b: 'The site', c: 'https://site.example' },
  ]);
});

test('headers and template lie sealed in the database, and an answer that repeats them is not kept', async () => {
  const echo: Answer = (response, { headers }) =>
    response.writeHead(500).end(`no: ${headers.authorization} ${headers['x-plain'] ?? ''}`);
  const body = { token: 'own-body-s3cret', a: '{{title}}' };
  const { outbox, receiver } = await createScene({ headers: { Authorization: TOKEN }, body }, echo);
  await queuePost(outbox, { current: { id: 'a' }, previous: {} });
  await outbox.deliverer().drainOnce();
  receiver.answer = (response) => response.writeHead(422).end('event_type is too long');
  outbox.clock.move(5_000);
  await outbox.deliverer().drainOnce();
  receiver.answer = (response, received) => response.writeHead(422).end(received.body);
  outbox.clock.move(300_000);
  await outbox.deliverer().drainOnce();
  const [{ attempts } = { attempts: [] }] = await listDeliveries(outbox.store, { limit: 1 });
  expect(attempts.map(({ status, response }) => [status, response])).toEqual([
    [500, null],
    [422, 'event_type is too long'],
    [422, null],
  ]);
  const stored = outbox.shell.prepare('SELECT * FROM webhooks').get() as Record<string, unknown>;
  const text = Object.values(stored).map((value) => `${value}`);
  expect(text.filter((value) => value.includes('s3cret'))).toEqual([]);
  expect(stored.request_shown).toBe('{"preset":null,"headers":["Authorization"],"has_body":true}');
});

test('a body that a template makes too long is not sent, and not tried again', async () => {
  const body = { a: Array.from({ length: 3 }, () => '{{post.html}}') };
  const { outbox, receiver } = await createScene({ headers: {}, body });
  await queuePost(outbox, { current: { id: 'a', html: 'x'.repeat(100_000) }, previous: {} });
  const failed = vi.fn();
  await outbox.deliverer({ onFailed: failed }).drainOnce();
  expect(receiver.received).toEqual([]);
  expect(failed.mock.calls).toMatchObject([[{ error: 'BODY_TOO_LONG', attempts: 1 }]]);
});

test('a refused delivery says address, setting and next try, and nothing of the path', async () => {
  const outbox = await createOutbox();
  const { id } = await outbox.subscribe('http://10.1.2.3:8080/hook?token=s3cret');
  await outbox.queue(1);
  const refused = vi.fn();
  await outbox.deliverer({ webhookAllow: ['127.0.0.0/8'], onRefused: refused }).drainOnce();
  const reason =
    'The target 10.1.2.3 is in a private or reserved network. To permit it, add "10.1.2.3" to "webhookAllow" in prepress.config.json.';
  expect(refused.mock.calls).toEqual([
    [
      {
        deliveryId: outbox.deliveries()[0]?.id,
        webhookId: id,
        event: 'post.published',
        address: 'http://10.1.2.3:8080',
        reason,
        nextTryAt: new Date(outbox.clock.now() + 5_000).toISOString(),
      },
    ],
  ]);
  const [listed] = await listDeliveries(outbox.store, { failed: true, limit: 1 });
  expect(listed).toMatchObject({ isEnabled: true, dueAt: outbox.clock.now() + 5_000 });
  expect(listed?.attempts).toMatchObject([{ error: 'TARGET_REFUSED', reason }]);
});
