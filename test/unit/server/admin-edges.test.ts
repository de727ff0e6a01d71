// The admin interface where clients are careless and writers differ: times in every stored form, case in
// every script, mails that fail, requests that are odd.
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { startMailServer } from '../../helpers/mail-server.ts';
import { type Served, serve, signToken } from './harness.ts';

type Json = Record<string, unknown>;

const AT = '2026-02-01T10:00:00.000Z';

const bodyOf = async (response: Response): Promise<Record<string, Json[]>> =>
  (await response.json()) as Record<string, Json[]>;

const listed = async (served: Served, path: string, key: string): Promise<unknown[]> => {
  const root = path.split('/')[2] ?? '';
  const records = (await bodyOf(await served.admin('GET', path)))[root.split('?')[0] ?? ''] ?? [];
  return records.map((record) => record[key]);
};

const problemOf = async (response: Response): Promise<Json> =>
  (await bodyOf(response)).errors?.[0] ?? {};

describe('times of every stored form are ordered as times', () => {
  /** The newest last. */
  const TIMES = ['2026-01-02T01:00:00.000Z', '2026-01-02 09:00:00', 1767355200000];

  test('members', async () => {
    const served = await serve();
    for (const [at, created_at] of TIMES.entries())
      served.insert('members', { name: `m${at}`, created_at });
    expect(await listed(served, '/admin/members/', 'name')).toEqual(['m2', 'm1', 'm0']);
    const order = '/admin/members/?order=created_at%20asc';
    expect(await listed(served, order, 'name')).toEqual(['m0', 'm1', 'm2']);
  });

  test('posts', async () => {
    const served = await serve();
    for (const [at, published_at] of TIMES.entries()) {
      served.insert('posts', { title: `p${at}`, status: 'published', published_at });
    }
    expect(await listed(served, '/admin/posts/', 'title')).toEqual(['p2', 'p1', 'p0']);
    const order = '/admin/posts/?order=published_at%20asc';
    expect(await listed(served, order, 'title')).toEqual(['p0', 'p1', 'p2']);
  });
});

test('an edit leaves an internal tag internal, and # makes any tag internal', async () => {
  const served = await serve();
  const save = async (method: string, path: string, tag: Json): Promise<Json> =>
    (await bodyOf(await served.admin(method, path, { tags: [tag] }))).tags?.[0] ?? {};
  const hush = await save('POST', '/admin/tags/', { name: 'Hush', visibility: 'internal' });
  const path = `/admin/tags/${hush.id}/`;
  expect(await save('PUT', path, { name: 'Hush', description: 'd' })).toMatchObject({
    visibility: 'internal',
  });
  expect(await save('PUT', path, { visibility: 'public' })).toMatchObject({ visibility: 'public' });
  expect(await save('PUT', path, { name: '#hush' })).toMatchObject({ visibility: 'internal' });
  expect(await save('PUT', path, { visibility: 'public' })).toMatchObject({
    visibility: 'internal',
  });
  expect(await save('PUT', path, { name: 'Loud' })).toMatchObject({ visibility: 'public' });
});

test('posts are found by the columns of posts_meta and of linked records', async () => {
  const served = await serve();
  const post_id = served.insert('posts', { title: 'found', status: 'draft' });
  served.insert('posts', { title: 'other', status: 'draft' });
  served.insert('posts_meta', { post_id, meta_title: 'x' });
  const tag_id = served.insert('tags', { name: '#in', slug: 'hash-in', visibility: 'internal' });
  served.insert('posts_tags', { post_id, tag_id });
  for (const filter of ['meta_title:x', 'tags.visibility:internal', 'tags.name:#in']) {
    const path = `/admin/posts/?filter=${encodeURIComponent(filter)}`;
    expect(await listed(served, path, 'title'), filter).toEqual(['found']);
  }
  expect(await listed(served, '/admin/posts/?filter=newsletter_id:null', 'title')).toHaveLength(2);
});

describe('members', () => {
  test('labels are one in any case of any script', async () => {
    const served = await serve();
    const labels = ['ÉTÉ', 'été', 'Été ', 'vip', 'VIP'];
    const made = await served.admin('POST', '/admin/members/', {
      members: [{ email: 'a@example.com', labels }],
    });
    expect((await bodyOf(made)).members).toMatchObject([
      { labels: [{ name: 'ÉTÉ' }, { name: 'vip' }] },
    ]);
  });

  test('an address of compatible characters is the composed one', async () => {
    const served = await serve();
    const create = (email: string): Promise<Response> =>
      served.admin('POST', '/admin/members/', { members: [{ email }] });
    expect((await create('\u212aate@example.com')).status).toBe(201);
    expect((await create('kate@example.com')).status).toBe(422);
  });

  test('products are tiers by their older name', async () => {
    const served = await serve();
    const id = served.insert('tiers', { name: 'Gold', slug: 'gold', created_at: AT });
    const made = await served.admin('POST', '/admin/members/', {
      members: [{ email: 'a@example.com', products: [{ id }] }],
    });
    expect((await bodyOf(made)).members).toMatchObject([{ status: 'comped', tiers: [{ id }] }]);
  });

  test('a gift is priced from the newest that was redeemed', async () => {
    const served = await serve();
    const tier_id = served.insert('tiers', { name: 'Gold', slug: 'gold', created_at: AT });
    const id = served.insert('members', { status: 'gift' });
    served.insert('members_tiers', { member_id: id, tier_id });
    const gift = { redeemer_member_id: id, tier_id, duration: 1, currency: 'usd' };
    const gifts: [string, number, string][] = [
      ['consumed', 111, '2026-02-03 10:00:00'],
      ['redeemed', 5000, '2026-02-02 10:00:00'],
      ['redeemed', 4000, '2026-02-01T10:00:00.000Z'],
    ];
    for (const [status, amount, redeemed_at] of gifts) {
      served.insert('gifts', { ...gift, status, amount, redeemed_at, cadence: 'year' });
    }
    const answer = await bodyOf(await served.admin('GET', `/admin/members/${id}/`));
    expect(answer.members).toMatchObject([{ subscriptions: [{ plan: { amount: 5000 } }] }]);
  });
});

describe('newsletters', () => {
  const save = (served: Served, method: string, path: string, newsletter: Json) =>
    served.admin(method, `/admin/newsletters/${path}`, { newsletters: [newsletter] });

  test('a mail that is refused counts for nothing, ends no older link and stores no newsletter', async () => {
    const { url } = await startMailServer({ isRefusing: true });
    const served = await serve({ flags: { smtp: url } });
    const { shell } = served;
    const id = served.insert('newsletters', {
      name: 'N',
      slug: 'n',
      uuid: crypto.randomUUID(),
      created_at: AT,
    });
    const open = () =>
      shell
        .prepare('SELECT count(*) FROM verification_tokens WHERE revoked_at IS NULL')
        .pluck()
        .get();
    shell
      .prepare(
        `INSERT INTO verification_tokens (token_sha256, newsletter_id, property, value, created_at, expires_at)
         VALUES ('x', ?, 'sender_email', 'old@example.com', 0, 9e15)`,
      )
      .run(id);
    for (let tried = 0; tried < 7; tried += 1) {
      const refused = await save(served, 'PUT', `${id}/`, { sender_email: 's@example.com' });
      expect([refused.status, (await problemOf(refused)).type]).toEqual([503, 'EmailError']);
    }
    expect(open()).toBe(1);
    const created = await save(served, 'POST', '', { name: 'M', sender_email: 's@example.com' });
    expect(created.status).toBe(503);
    expect(shell.prepare('SELECT name FROM newsletters').pluck().all()).toEqual(['N']);
  });

  test('opt_in_existing subscribes who has a newsletter and gets mail', async () => {
    const served = await serve();
    const made = { slug: 'n', uuid: crypto.randomUUID(), created_at: AT };
    const newsletter_id = served.insert('newsletters', { name: 'N', ...made });
    for (const [at, email_disabled] of [0, 0, 1].entries()) {
      const member_id = served.insert('members', { email_disabled });
      if (at !== 1) served.insert('members_newsletters', { member_id, newsletter_id });
    }
    const answer = await save(served, 'POST', '?opt_in_existing=true', { name: 'M' });
    expect(await answer.json()).toMatchObject({ meta: { opted_in_member_count: 1 } });
    expect(served.shell.prepare('SELECT count(*) FROM members_newsletters').pluck().get()).toBe(3);
  });
});

describe('bodies', () => {
  const post = async (served: Served, body: string | Buffer): Promise<[number, Json]> => {
    const response = await served.get('/admin/members/', {
      method: 'POST',
      headers: {
        authorization: `Ghost ${signToken(served.adminKey, {})}`,
        'content-type': 'application/json',
      },
      body,
    });
    return [response.status, await problemOf(response)];
  };

  test('that cannot be read are refused as Ghost does', async () => {
    const served = await serve();
    const [status, problem] = await post(served, '{"members": [');
    expect([status, problem]).toMatchObject([
      400,
      { type: 'InternalServerError', code: 'UNEXPECTED_ERROR' },
    ]);
    const latin = Buffer.from('{"members":[{"email":"a@b.test","name":"\xe9"}]}', 'latin1');
    expect((await post(served, latin))[0]).toBe(400);
    const large = `{"members":[{"note":"${'x'.repeat(1_100_000)}"}]}`;
    expect(await post(served, large)).toMatchObject([413, { code: 'UNEXPECTED_ERROR' }]);
    expect(await post(served, '{"members":[{}]}')).toMatchObject([
      400,
      { context: "No root key ('members') provided." },
    ]);
    expect(served.shell.prepare('SELECT count(*) FROM members').pluck().get()).toBe(0);
  });

  test('a day that no calendar has is refused', async () => {
    const served = await serve();
    const answer = await served.admin('POST', '/admin/posts/', {
      posts: [{ title: 'T', published_at: '2026-02-31T00:00:00Z' }],
    });
    expect([answer.status, (await problemOf(answer)).property]).toEqual([422, 'published_at']);
  });
});

test('the list of settings can be written back as it was read', async () => {
  const served = await serve();
  const write = (settings: unknown) => served.admin('PUT', '/admin/settings/', { settings });
  expect((await write([{ key: 'title', value: '' }])).status).toBe(200);
  const { settings } = await bodyOf(await served.admin('GET', '/admin/settings/'));
  expect((await write(settings)).status).toBe(200);
  const unknown = await write([{ key: 'colour', value: 'x' }]);
  expect(JSON.stringify(await problemOf(unknown))).toContain('colour');
});

test('an unknown address of the admin interface has the headers of the known ones', async () => {
  const { get } = await serve();
  const names = ['content-security-policy', 'x-frame-options', 'content-version'];
  for (const path of ['/admin/nope/', '/admin/posts/x/y/z/', '/admin/members/']) {
    const { headers, status } = await get(path);
    expect([401, 404]).toContain(status);
    for (const name of names) expect(headers.get(name), `${path} ${name}`).not.toBeNull();
  }
});

test.each([
  ['GET /health HTTP/1.1\r\n\r\n', 400],
  ['GET /health HTTP/1.1\r\nhost: x\r\nexpect: foo\r\n\r\n', 417],
  ['CONNECT x:1 HTTP/1.1\r\nhost: x\r\n\r\n', 400],
])('%j is answered in nine keys', async (request, status) => {
  const { origin } = await serve();
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  socket.on('error', () => undefined);
  let said = '';
  const answered = new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.endsWith(']}')) resolve();
    });
    socket.on('close', () => resolve());
  });
  socket.write(request);
  await answered;
  socket.destroy();
  expect(said).toContain(`HTTP/1.1 ${status} `);
  const { errors } = JSON.parse(said.slice(said.indexOf('\r\n\r\n'))) as { errors: Json[] };
  expect(Object.keys(errors[0] ?? {})).toHaveLength(9);
});
