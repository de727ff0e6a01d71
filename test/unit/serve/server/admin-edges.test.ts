// The admin interface where clients are careless and writers differ: times in every stored form, case in
// every script, mails that fail, requests that are odd.
import { rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { checkRows } from '../../../helpers/check-rows.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { answersIn, openRaw } from '../../../helpers/raw-client.ts';
import { AT, bodyOf, type Json, problemOf, type Served, serve } from './harness.ts';

const listed = async (served: Served, path: string, key: string): Promise<unknown[]> => {
  const root = path.split('/')[2] ?? '';
  const records = (await bodyOf(await served.admin('GET', path)))[root.split('?')[0] ?? ''] ?? [];
  return records.map((record) => record[key]);
};

test('times of every stored form are ordered as times', async () => {
  const served = await serve();
  /** The newest last. */
  const times = ['2026-01-02T01:00:00.000Z', '2026-01-02 09:00:00', 1767355200000];
  for (const [at, time] of times.entries()) {
    served.insert('members', { name: `${at}`, created_at: time });
    served.insert('posts', { title: `${at}`, status: 'published', published_at: time });
  }
  for (const [list, key, time] of [
    ['/admin/members/', 'name', 'created_at'],
    ['/admin/posts/', 'title', 'published_at'],
  ] as const) {
    expect(await listed(served, list, key)).toEqual(['2', '1', '0']);
    expect(await listed(served, `${list}?order=${time}%20asc`, key)).toEqual(['0', '1', '2']);
  }
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
  expect(await save('PUT', path, { name: 'Loud' })).toMatchObject({ visibility: 'internal' });
});

test('a visibility that is a filter is shown as tiers, and stays until some are chosen', async () => {
  const served = await serve();
  const id = served.insert('posts', { slug: 'gold', status: 'published', visibility: 'label:vip' });
  const path = `/admin/posts/${id}/`;
  const read = await bodyOf(await served.admin('GET', path));
  expect(read.posts?.[0]).toMatchObject({ visibility: 'tiers', tiers: [] });
  const stored = () =>
    served.shell.prepare('SELECT visibility FROM posts WHERE id = ?').pluck().get(id);
  const save = (post: object) =>
    served.admin('PUT', path, {
      posts: [{ visibility: 'tiers', tiers: [], ...post, updated_at: null }],
    });
  expect((await save({ title: 'New' })).status).toBe(200);
  expect(stored()).toBe('label:vip');
  const tier = served.insert('tiers', { name: 'Gold', slug: 'gold', created_at: '2024-01-01' });
  expect((await save({ tiers: [{ id: tier }] })).status).toBe(200);
  expect(stored()).toBe('tiers');
});

test('posts are found by the columns of posts_meta and of linked records', async () => {
  const served = await serve();
  const post_id = served.insert('posts', { title: 'found', slug: 'found', uuid: 'known' });
  served.insert('posts', { title: 'other' });
  served.insert('posts_meta', { post_id, meta_title: 'x' });
  const tag_id = served.insert('tags', { name: '#in', slug: 'hash-in', visibility: 'internal' });
  served.insert('posts_tags', { post_id, tag_id });
  const own = [`id:'${post_id}'`, 'slug:found', 'uuid:known', 'meta_title:x'];
  for (const filter of [...own, 'tags.visibility:internal', 'tags.name:#in']) {
    const path = `/admin/posts/?filter=${encodeURIComponent(filter)}`;
    expect(await listed(served, path, 'title'), filter).toEqual(['found']);
  }
  expect(await listed(served, '/admin/posts/?filter=newsletter_id:null', 'title')).toHaveLength(2);
});

test('a filter of 300 ids is answered, and one that is too long says so', async () => {
  const served = await serve();
  const id = served.insert('posts', { title: 'found' });
  const path = '/admin/posts/?filter=';
  const ids = `${'0'.repeat(24)},`.repeat(300);
  expect(await listed(served, `${path}id:[${ids}${id}]`, 'title')).toEqual(['found']);
  const faults = [
    [`id:${'x'.repeat(7_998)}`, 'filter has 8001 characters of at most 8000'],
    [`tag:[${'a%2B'.repeat(400)}a]`, 'filter has 401 conditions of at most 400'],
  ];
  for (const [filter, fault] of faults) {
    const response = await served.admin('GET', `${path}${filter}`);
    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringContaining(fault ?? ''),
    ]);
  }
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

  test('opt_in_existing subscribes who has an active newsletter and gets mail', async () => {
    const served = await serve();
    const made = { slug: 'n', uuid: crypto.randomUUID(), created_at: AT };
    const newsletter_id = served.insert('newsletters', { name: 'N', ...made });
    const former = { slug: 'f', uuid: crypto.randomUUID(), created_at: AT, status: 'archived' };
    const archived = served.insert('newsletters', { name: 'F', ...former });
    for (const [at, email_disabled] of [0, 0, 1].entries()) {
      const member_id = served.insert('members', { email_disabled });
      const own = at === 1 ? archived : newsletter_id;
      served.insert('members_newsletters', { member_id, newsletter_id: own });
    }
    const countOf = (table: string) =>
      served.shell.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
    const refused = await save(served, 'POST', '?opt_in_existing=all', { name: 'M' });
    expect(await problemOf(refused)).toMatchObject({
      property: 'opt_in_existing',
      context: expect.stringContaining('must be true or false, got "all"'),
    });
    expect(countOf('newsletters')).toBe(2);
    const yeses = ['true', 'True', '1', 'YES'];
    for (const [at, yes] of yeses.entries()) {
      const answer = await save(served, 'POST', `?opt_in_existing=${yes}`, { name: `M${at}` });
      expect(await answer.json(), yes).toMatchObject({ meta: { opted_in_member_count: 1 } });
    }
    for (const no of ['false', 'No', '0', '']) {
      const answer = await save(served, 'POST', `?opt_in_existing=${no}`, { name: `N${no}` });
      expect(await answer.json(), no).not.toHaveProperty('meta');
    }
    expect(countOf('members_newsletters')).toBe(3 + yeses.length);
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

test.each(['wal', 'shm'])('a save after -%s was removed says what happened', async (end) => {
  const served = await serve();
  rmSync(`${served.path}-${end}`);
  const response = await served.admin('POST', '/admin/tags/', { tags: [{ name: 'New' }] });
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await problemOf(response)).toMatchObject({
    context: expect.stringMatching(/replaced or removed.*Nothing was saved/),
  });
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

const LONG = 'a'.repeat(20_000);

test('what cannot be read as a request is answered in nine keys', async () => {
  const { origin } = await serve();
  await checkRows(
    [
      ['GET /health HTTP/1.1\r\n\r\n', 400],
      ['GET /health HTTP/1.1\r\nhost: x\r\nHost: y\r\n\r\n', 400],
      ['GET /health HTTP/1.1\r\nhost: x\r\nexpect: foo\r\n\r\n', 417],
      ['CONNECT x:1 HTTP/1.1\r\nhost: x\r\n\r\n', 400],
      ['NONSENSE\r\n\r\n', 400],
      [`GET /health HTTP/1.1\r\nhost: x\r\nx-a: ${LONG}\r\n\r\n`, 431],
      [`GET /${LONG} HTTP/1.1\r\nhost: x\r\n\r\n`, 431],
    ],
    async ([request, status]) => {
      const { socket, said } = await openRaw(origin);
      socket.write(request);
      await eventually(() => expect(said()).toMatch(/\]\}$/));
      const [answer] = answersIn(said());
      expect(answer?.status).toBe(status);
      const { errors } = JSON.parse(answer?.body ?? '') as { errors: Json[] };
      expect(Object.keys(errors[0] ?? {})).toHaveLength(9);
    },
  );
});
