// While a source is followed, it alone changes content: every operation that would is answered 409 and stores nothing.
import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  beginFollowing,
  endFollowing,
} from '../../../../src/publication/store/import/following.ts';
import { unsubscribeUrl } from '../../../../src/serve/admin/members/unsubscribe.ts';
import {
  exampleBody,
  listOperations,
  OPERATIONS,
} from '../../../../src/serve/contract/operations/operations.ts';
import { problemOf, type Served, serve } from './harness.ts';

const WRITES = listOperations(OPERATIONS).filter(({ method }) => method !== 'get');
const CONTENT = WRITES.filter(({ changes }) => changes !== 'ours');

const follow = ({ store }: Served): Promise<void> =>
  store.write((tx) => beginFollowing(tx, { source: 'mysql://ghost@db/ghost', now: 0 }));

const PROBLEM = {
  type: 'ConflictError',
  message: 'The publication follows mysql://ghost@db/ghost, and only that changes its content.',
  context: 'Make the change in the source, or stop following with "prepress follow --detach".',
};

const dump = ({ shell }: Served): unknown =>
  ['posts', 'tags', 'members', 'newsletters', 'settings', 'members_newsletters'].map((table) =>
    shell.prepare(`SELECT * FROM ${table}`).all(),
  );

test('operations that change content are refused', async () => {
  const served = await serve();
  const id = served.insert('newsletters', {
    uuid: 'u',
    name: 'Weekly',
    slug: 'weekly',
    created_at: '2026-01-01',
  });
  const before = dump(served);
  await follow(served);
  const answers = await Promise.all(
    CONTENT.map(async ({ method, path, body }) => {
      const payload = body && exampleBody(body);
      const response = await served.admin(
        method.toUpperCase(),
        path.replace('{id}', id),
        method === 'delete' ? undefined : payload,
      );
      const { errors } = (await response.json()) as { errors: unknown[] };
      return [`${method} ${path}`, response.status, errors[0]];
    }),
  );
  const refused = expect.objectContaining(PROBLEM);
  expect(answers).toEqual(CONTENT.map(({ method, path }) => [`${method} ${path}`, 409, refused]));
  expect(CONTENT.length).toBeGreaterThan(10);
  expect(dump(served)).toEqual(before);
  await served.store.write((tx) => endFollowing(tx, 1));
  const saved = await served.admin('POST', '/admin/tags/', { tags: [{ name: 'New' }] });
  expect(saved.status).toBe(201);
});

test('a save that is under way when following begins is refused, too', async () => {
  const served = await serve();
  const offer = {
    code: 'known',
    interval: 'year',
    discount_type: 'percent',
    discount_amount: 5,
    duration: 'once',
  };
  const named = { name: 'Known', slug: 'known', created_at: '2026-01-01' };
  const ids: Readonly<Record<string, string>> = {
    posts: served.insert('posts', { type: 'post', status: 'published' }),
    pages: served.insert('posts', { type: 'page', status: 'published' }),
    tags: served.insert('tags', { slug: 'known' }),
    members: served.insert('members', { name: 'Known' }),
    newsletters: served.insert('newsletters', { ...named, uuid: 'u' }),
    labels: served.insert('labels', named),
    tiers: served.insert('tiers', { ...named, type: 'paid' }),
    offers: served.insert('offers', { ...offer, name: 'Known', created_at: '2026-01-01' }),
  };
  const before = dump(served);
  // Files are no rows.
  const saves = CONTENT.filter(({ form }) => form === undefined);
  const { write } = served.store;
  const answers: unknown[] = [];
  for (const { method, resource, path, body } of saves) {
    Object.assign(served.store, {
      write: async (...save: Parameters<typeof write>) => {
        await follow({ ...served, store: { ...served.store, write } });
        return write(...save);
      },
    });
    const chosen = resource === 'members' ? 'all=true' : 'filter=status:published';
    const url = `${path.replace('{id}', ids[resource] ?? '')}?${chosen}`;
    const response = await served.admin(method.toUpperCase(), url, body && exampleBody(body));
    answers.push([`${method} ${path}`, (await problemOf(response)).message]);
    Object.assign(served.store, { write });
    await write((tx) => endFollowing(tx, 1));
  }
  expect(answers).toEqual(
    // Work on many members says, too, that none was done.
    saves.map(({ method, path }) => [
      `${method} ${path}`,
      expect.stringContaining(PROBLEM.message),
    ]),
  );
  expect(dump(served)).toEqual(before);
});

test('a sender address stays ours', async () => {
  const served = await serve();
  const newsletter = { uuid: 'u', name: 'Weekly', slug: 'weekly', sender_email: 'a@example.com' };
  const id = served.insert('newsletters', { ...newsletter, created_at: '2026-01-01' });
  await follow(served);
  const put = (change: object): Promise<Response> =>
    served.admin('PUT', `/admin/newsletters/${id}/`, { newsletters: [change] });
  expect((await put({ name: 'Weekly', sender_email: 'b@example.com' })).status).toBe(200);
  expect((await put({ name: 'Daily', sender_email: 'c@example.com' })).status).toBe(409);
  const mails = served.shell.prepare('SELECT count(*) FROM verification_mails').pluck().get();
  expect(mails).toBe(1);
  expect((await put({ sender_email: null })).status).toBe(200);
});

test('a member unsubscribes at the source', async () => {
  const served = await serve();
  const uuid = '6b1e2f6c-0000-4000-8000-000000000001';
  served.insert('members', { uuid });
  await follow(served);
  const base = { secretBox: served.context.secretBox, publicUrl: () => served.origin };
  for (const method of ['GET', 'POST']) {
    const response = await fetch(unsubscribeUrl(base, uuid), { method });
    const page = await response.text();
    expect([method, response.status]).toEqual([method, 409]);
    expect(page).toContain('unsubscribe with the link at the end of a newsletter');
    expect(page).not.toContain('<button');
  }
});

test('with a secret, a build hook takes only what Ghost signed', async () => {
  const served = await serve({ flags: { followSecret: 'canary-secret' } });
  const path = `/hooks/build/${served.hookToken}`;
  const body = JSON.stringify({ post: { current: { id: 'x' }, previous: {} } });
  const sign = (text: string, secret: string): string => {
    const hmac = createHmac('sha256', secret).update(`${text}1780000000000`).digest('hex');
    return `sha256=${hmac}, t=1780000000000`;
  };
  const post = async (headers: Record<string, string>, sent = body): Promise<number> =>
    (await served.get(path, { method: 'POST', headers, body: sent })).status;
  expect(await post({})).toBe(401);
  expect(await post({ 'x-ghost-signature': sign(body, 'other') })).toBe(401);
  expect(await post({ 'x-ghost-signature': sign(body, 'canary-secret') }, `${body} `)).toBe(401);
  expect(await post({ 'x-ghost-signature': 'sha256=00, t=1' })).toBe(401);
  expect(served.asked).toEqual([]);
  expect(await post({ 'x-ghost-signature': sign(body, 'canary-secret') })).toBe(202);
  const long = 'x'.repeat(2_000_000);
  expect(await post({ 'x-ghost-signature': sign(long, 'canary-secret') }, long)).toBe(202);
  expect(served.asked).toEqual(['hook hook', 'hook hook']);
});
