import { expect, test } from 'vitest';
import { checkRows } from '../../../helpers/check-rows.ts';
import { START } from '../admin/harness.ts';
import { AT, countOf, faultOf, type Json, problemOf, type Served, serve } from './harness.ts';

const membersOf = async (response: Response): Promise<Json[]> =>
  ((await response.json()) as { members: Json[] }).members;

const one = async (response: Response): Promise<Json> => (await membersOf(response))[0] ?? {};

const newsletter = (served: Served, row: Json = {}): string =>
  served.insert('newsletters', {
    uuid: crypto.randomUUID(),
    name: `N ${Math.random()}`,
    slug: `n-${Math.random()}`,
    created_at: AT,
    ...row,
  });

const tier = (served: Served, row: Json = {}): string =>
  served.insert('tiers', { name: 'Gold', slug: `t-${Math.random()}`, created_at: AT, ...row });

const add = (served: Served, member: Json): Promise<Response> =>
  served.admin('POST', '/admin/members/', { members: [member] });

test('a member is made with labels on the fly and the default newsletters', async () => {
  const served = await serve();
  const wanted = newsletter(served);
  newsletter(served, { subscribe_on_signup: 0 });
  newsletter(served, { status: 'archived' });
  newsletter(served, { visibility: 'paid' });
  served.insert('labels', { name: 'VIP', slug: 'vip', created_at: AT });
  const response = await add(served, {
    email: ' Ada@Example.com ',
    name: null,
    note: 'n',
    labels: [' vip', { name: 'New one' }, { name: ' ' }, 'new ONE'],
    id: 'f'.repeat(24),
    uuid: 'mine',
    status: 'paid',
    created_at: AT,
    email_count: 9,
  });
  expect(response.status).toBe(201);
  const member = await one(response);
  expect(response.headers.get('location')).toBe(`${served.origin}/admin/members/${member.id}/`);
  expect(member).toMatchObject({
    email: 'Ada@Example.com',
    name: null,
    note: 'n',
    status: 'free',
    subscribed: true,
    comped: false,
    email_count: 0,
    created_at: new Date(START).toISOString(),
    labels: [{ name: 'VIP' }, { name: 'New one', slug: 'new-one' }],
    tiers: [],
  });
  expect(member.id).not.toBe('f'.repeat(24));
  const path = `/admin/members/${member.id}/?include=newsletters`;
  const read = await one(await served.admin('GET', path));
  expect(read).toMatchObject({
    newsletters: [{ id: wanted, status: 'active' }],
    attribution: { referrer_source: 'Integration: admin', referrer_medium: 'Admin API' },
  });
  expect(served.asked).toEqual(['wake']);
});

test('what is refused is refused as a whole', async () => {
  const served = await serve();
  served.insert('members', { email: 'ada@example.com' });
  await checkRows(
    [
      [{}, 'email'],
      [{ email: 'nobody' }, 'email'],
      [{ email: 'a@b' }, 'email'],
      [{ email: 'a@b.example\r\nBcc: c@d.example' }, 'email'],
      [{ email: 'ADA@example.COM' }, 'email'],
      [{ email: 'b@example.com', note: 'x'.repeat(2001) }, 'note'],
      [{ email: 'b@example.com', name: ',x' }, 'name'],
      [{ email: 'b@example.com', name: 'x'.repeat(192) }, 'name'],
      [{ email: 'b@example.com', newsletters: [{ id: 'f'.repeat(24) }] }, 'newsletters'],
      [{ email: 'b@example.com', tiers: [{ id: 'f'.repeat(24) }] }, 'tiers'],
      [{ email: 'b@example.com', tiers: [{ id: '1' }, { id: '2' }] }, 'tiers'],
      [{ email: 'b@example.com', comped: true }, 'comped'],
      [{ email: 'b@example.com', stripe_customer_id: 'cus_1' }, 'stripe_customer_id'],
      [{ email: 'b@example.com', labels: ['x'.repeat(192)] }, 'labels'],
    ],
    async ([member, property]) => {
      const response = await add(served, { labels: ['Kept out'], ...member });
      expect(response.status).toBe(422);
      const problem = await problemOf(response);
      expect(problem).toMatchObject({ type: 'ValidationError', property });
      expect(problem.message).toBe('Validation error, cannot save member.');
      expect(countOf(served, 'members')).toBe(1);
      expect(countOf(served, 'labels')).toBe(0);
    },
  );
});

test('a note holds 2000 characters, however they are written', async () => {
  const served = await serve();
  const note = '\u{1F600}'.repeat(2000);
  expect(await one(await add(served, { email: 'a@example.com', note }))).toMatchObject({ note });
  const response = await add(served, { email: 'b@example.com', note: `${note}x` });
  expect(response.status).toBe(422);
});

test('an edit changes what it names, and nothing else', async () => {
  const served = await serve();
  const [kept, archived] = [newsletter(served), newsletter(served, { status: 'archived' })];
  const id = served.insert('members', { name: 'A', note: 'n', updated_at: AT });
  served.insert('members_newsletters', { member_id: id, newsletter_id: archived });
  const edit = async (member: Json): Promise<Json> =>
    one(
      await served.admin('PUT', `/admin/members/${id}/?include=newsletters`, {
        members: [member],
      }),
    );
  expect(await edit({ name: 'A', note: 'n' })).toMatchObject({ updated_at: AT });
  expect(await edit({ note: '', labels: ['x'] })).toMatchObject({
    note: null,
    name: 'A',
    labels: [{ name: 'x' }],
    subscribed: false,
    newsletters: [],
  });
  // As it was read, without newsletters.
  await edit({ subscribed: false });
  expect(await edit({ newsletters: [{ id: kept }] })).toMatchObject({
    subscribed: true,
    labels: [{ name: 'x' }],
    newsletters: [{ id: kept }],
  });
  expect(countOf(served, 'members_newsletters')).toBe(2);
  expect(await edit({ subscribed: false, labels: [] })).toMatchObject({
    subscribed: false,
    labels: [],
  });
  // None of an archived one either, which may be active again.
  expect(countOf(served, 'members_newsletters')).toBe(0);
  expect(await edit({ subscribed: true })).toMatchObject({ newsletters: [{ id: kept }] });
  await edit({ newsletters: [] });
  expect(await edit({ newsletters: [kept] })).toMatchObject({ newsletters: [{ id: kept }] });
  expect(await edit({ id, email: `${id.toUpperCase()}@example.com` })).toMatchObject({
    email: `${id.toUpperCase()}@example.com`,
  });
  const other = served.insert('members', {});
  const taken = await served.admin('PUT', `/admin/members/${other}/`, {
    members: [{ email: `${id}@EXAMPLE.com` }],
  });
  expect(await faultOf(taken)).toEqual([422, 'email']);
});

test.each([
  ['Ada.Lovelace@Example.com', 'aDA.lOVELACE@eXAMPLE.COM'],
  ['ÄnneÖ_%@straße.example', 'äNNEö_%@STRAßE.example'],
  ['ЖжЖ@пример.рф', 'жЖж@ПРИмер.РФ'],
  ['\u212aate@example.com', 'kate@example.com'],
])('%s is the address of one member, in any case', async (email, same) => {
  const served = await serve();
  const create = (address: string): Promise<Response> =>
    served.admin('POST', '/admin/members/', { members: [{ email: address }] });
  expect((await create(email)).status).toBe(201);
  const again = await create(same);
  expect(await faultOf(again)).toEqual([422, 'email']);
  expect((await create(`x${email}`)).status).toBe(201);
  expect(countOf(served, 'members')).toBe(2);
});

test('a tier makes a member comped, its end is kept, and without it the member is free', async () => {
  const served = await serve();
  const [gold, old] = [tier(served), tier(served, { active: 0 })];
  const expiry_at = '2027-01-01T00:00:00.000Z';
  const member = await one(
    await add(served, { email: 'a@example.com', tiers: [{ id: gold, expiry_at }] }),
  );
  expect(member).toMatchObject({
    status: 'comped',
    comped: true,
    tiers: [{ id: gold, expiry_at }],
  });
  expect(member.subscriptions).toMatchObject([
    {
      id: '',
      customer: { id: '', email: 'a@example.com' },
      default_payment_card_last4: '****',
      current_period_end: expiry_at,
      next_payment: { original_amount: 0, amount: 0, discount: null },
      price: { tier: { id: '', name: 'Gold', tier_id: gold } },
    },
  ]);
  const edit = (tiers: Json[]): Promise<Response> =>
    served.admin('PUT', `/admin/members/${member.id}/`, { members: [{ tiers }] });
  expect((await edit([{ id: old }])).status).toBe(422);
  expect(await one(await edit([{ id: gold }]))).toMatchObject({
    updated_at: member.updated_at,
    tiers: [{ expiry_at }],
  });
  expect(await one(await edit([]))).toMatchObject({ status: 'free', subscriptions: [] });
  const events = served.shell
    .prepare('SELECT from_status, to_status FROM members_status_events ORDER BY rowid')
    .all();
  expect(events).toEqual([
    { from_status: null, to_status: 'comped' },
    { from_status: 'comped', to_status: 'free' },
  ]);
});

test('the tier of a paying member stays', async () => {
  const served = await serve();
  const gold = tier(served);
  const id = served.insert('members', { status: 'paid' });
  served.insert('customers', { member_id: id, customer_id: 'cus_1', created_at: AT });
  served.insert('subscriptions', {
    customer_id: 'cus_1',
    subscription_id: 'sub_1',
    status: 'active',
    current_period_end: AT,
    start_date: AT,
    plan_id: 'p',
    plan_nickname: 'Monthly',
    plan_interval: 'month',
    plan_amount: 500,
    plan_currency: 'usd',
    created_at: AT,
  });
  const response = await served.admin('PUT', `/admin/members/${id}/`, {
    members: [{ tiers: [{ id: gold }] }],
  });
  expect(await faultOf(response)).toEqual([422, 'tiers']);
});

test('suppression, open rate and commenting are computed', async () => {
  const served = await serve();
  const id = served.insert('members', {
    email: 'a@example.com',
    email_open_rate: 10,
    commenting: JSON.stringify({ disabled: true, disabledReason: 'spam', disabledUntil: AT }),
    geolocation: JSON.stringify({ country: 'Peru', country_code: 'PE', region: 'Lima' }),
  });
  served.insert('suppressions', { email: 'A@example.com', reason: 'bounce', created_at: AT });
  const read = async (): Promise<Json> => one(await served.admin('GET', `/admin/members/${id}/`));
  const send = (track_opens: number, opened: boolean): void => {
    const email_id = served.insert('emails', {
      post_id: Math.random().toString(16),
      uuid: crypto.randomUUID(),
      track_opens,
      submitted_at: AT,
      created_at: AT,
    });
    served.insert('email_recipients', {
      email_id,
      member_id: id,
      batch_id: 'b',
      member_uuid: 'u',
      member_email: 'a@example.com',
      opened_at: opened ? AT : null,
    });
  };
  expect(await read()).toMatchObject({
    email_open_rate: 10,
    email_suppression: { suppressed: true, info: 'fail' },
    can_comment: true,
    commenting: { disabled: true, disabled_reason: 'spam', disabled_until: AT },
    geolocation: '{"country":"Peru","city":null,"region":"Lima"}',
  });
  for (const opened of [true, true, false, false, false]) send(1, opened);
  send(0, false);
  expect(await read()).toMatchObject({ email_open_rate: 40 });
});

test('lists: newest first, pages, order, search, filter and includes', async () => {
  const served = await serve();
  const label_id = served.insert('labels', { name: 'VIP', slug: 'vip', created_at: AT });
  const newsletter_id = newsletter(served, { slug: 'weekly' });
  const tier_id = tier(served, { slug: 'gold' });
  const ids = Array.from({ length: 18 }, (_, at) =>
    served.insert('members', {
      email: `m${at}@example.com`,
      name: at % 2 === 0 ? `Even 100%_${at}` : null,
      status: at < 3 ? 'comped' : 'free',
      created_at: `2026-01-${String(at + 1).padStart(2, '0')}${at % 2 ? ' 00:00:00' : 'T00:00:00.000Z'}`,
    }),
  );
  for (const member_id of ids.slice(0, 4)) {
    served.insert('members_labels', { member_id, label_id });
    served.insert('members_newsletters', { member_id, newsletter_id });
    served.insert('members_tiers', { member_id, tier_id });
  }
  const list = async (query: string): Promise<Json[]> =>
    membersOf(await served.admin('GET', `/admin/members/?${query}`));
  const total = async (filter: string): Promise<unknown> => {
    const response = await served.admin(
      'GET',
      `/admin/members/?limit=1&filter=${encodeURIComponent(filter)}`,
    );
    const body = (await response.json()) as { meta?: { pagination: { total: number } } };
    return response.status === 200 ? body.meta?.pagination.total : response.status;
  };
  const first = await list('');
  expect(first).toHaveLength(15);
  expect(first[0]).toMatchObject({ email: 'm17@example.com' });
  expect(await list('limit=all')).toHaveLength(18);
  expect((await list('limit=10&page=2')).map(({ email }) => email)[0]).toBe('m7@example.com');
  expect((await list('order=email%20asc&limit=2')).map(({ email }) => email)).toEqual([
    'm0@example.com',
    'm10@example.com',
  ]);
  expect(await list('order=password%20asc')).toEqual(first);
  expect(await list('search=100%25_4')).toMatchObject([{ email: 'm4@example.com' }]);
  expect(await list('search=M11@EX')).toHaveLength(1);
  expect((await list('include=tiers,newsletters,nonsense&limit=1&page=18'))[0]).toMatchObject({
    tiers: [{ slug: 'gold' }],
    newsletters: [{ id: newsletter_id }],
  });
  const totals: Record<string, number> = {
    'tiers:gold+status:free': 1,
    'created_at:>=2026-01-17': 2,
    "created_at:>'2026-01-17 00:00:00'": 1,
    'created_at:<now-40d': 18,
    'status:comped,(label:vip+status:free)': 4,
  };
  for (const [filter, count] of Object.entries(totals)) {
    expect([filter, await total(filter)]).toEqual([filter, count]);
  }
  const refused = ['status:', 'secret:x', 'created_at:>soon', '(((', '\u0000'];
  for (const filter of [...refused, `${'('.repeat(900)}status:free${')'.repeat(900)}x`]) {
    expect([filter, await total(filter)]).toEqual([filter, 400]);
  }
});

test('a deleted member is gone with what was linked to it', async () => {
  const served = await serve();
  const member = await one(await add(served, { email: 'a@example.com', labels: ['x'] }));
  expect((await served.admin('DELETE', `/admin/members/${member.id}/`)).status).toBe(204);
  for (const method of ['GET', 'DELETE']) {
    expect((await served.admin(method, `/admin/members/${member.id}/`)).status).toBe(404);
  }
  expect(countOf(served, 'members_labels')).toBe(0);
});

test('the unsubscribe address shows a page, and a POST unsubscribes', async () => {
  const served = await serve();
  newsletter(served);
  const member = await one(await add(served, { email: 'a@example.com' }));
  const url = new URL(String(member.unsubscribe_url));
  expect(url.origin).toBe(served.origin);
  const path = `${url.pathname}${url.search}`;
  const isSubscribed = async (): Promise<unknown> =>
    (await one(await served.admin('GET', `/admin/members/${member.id}/`))).subscribed;
  for (const method of ['GET', 'HEAD']) {
    const page = await served.get(path, { method });
    expect(page.status).toBe(200);
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
  }
  expect(await isSubscribed()).toBe(true);
  for (const wrong of [path.replace(/.$/, (end) => (end === '0' ? '1' : '0')), url.pathname]) {
    for (const method of ['GET', 'POST']) {
      expect((await served.get(wrong, { method })).status).toBe(400);
    }
  }
  expect(await isSubscribed()).toBe(true);
  const posted = await served.get(path, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  });
  expect(posted.status).toBe(200);
  expect(await isSubscribed()).toBe(false);
  expect((await served.get(path, { method: 'POST' })).status).toBe(200);
  // Somebody with that address may be a member again, whom this link does not unsubscribe.
  await served.admin('DELETE', `/admin/members/${member.id}/`);
  for (const method of ['GET', 'POST']) {
    expect((await served.get(path, { method })).status).toBe(410);
  }
});
