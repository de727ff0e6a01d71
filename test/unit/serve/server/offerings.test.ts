// Labels, tiers and offers over HTTP: made, edited, archived; sent back as they were read, nothing changes; what is
// refused names its property and stores nothing.
import { expect, test } from 'vitest';
import { checkRows } from '../../../helpers/check-rows.ts';
import { AT, bodyOf, countOf, type Json, type Served, serve } from './harness.ts';

type Resource = 'labels' | 'tiers' | 'offers';

const send = (served: Served, method: string, path: string, element: Json): Promise<Response> =>
  served.admin(method, `/admin/${path}`, { [path.split('/')[0] ?? '']: [element] });

/** Makes a record; answers it. */
const add = async (served: Served, resource: Resource, element: Json): Promise<Json> => {
  const response = await send(served, 'POST', `${resource}/`, element);
  expect(response.status).toBe(resource === 'offers' ? 200 : 201);
  const [record = {}] = (await bodyOf(response))[resource] ?? [];
  const location = `${served.origin}/admin/${resource}/${record.id}/`;
  expect(response.headers.get('location')).toBe(location);
  return record;
};

const edit = async (served: Served, path: string, element: Json): Promise<Json> => {
  const response = await send(served, 'PUT', path, element);
  const body = await bodyOf(response);
  expect([response.status, body.errors?.[0]?.context]).toEqual([200, undefined]);
  return body[path.split('/')[0] ?? '']?.[0] ?? {};
};

/** Status and property of a refusal. */
const refused = async (response: Response): Promise<unknown[]> => {
  const [problem] = (await bodyOf(response)).errors ?? [];
  expect(String(problem?.context)).toMatch(/^[A-Z a-z_]/);
  return [response.status, problem?.property];
};

const GOLD = { name: 'Gold', currency: 'usd', monthly_price: 500, yearly_price: 5000 };

test('a label is made, renamed and deleted; its members stay', async () => {
  const served = await serve();
  const label = await add(served, 'labels', { name: ' VIP ', id: 'f'.repeat(24) });
  expect(label).toMatchObject({ name: 'VIP', slug: 'vip' });
  expect(label.id).not.toBe('f'.repeat(24));
  const path = `labels/${label.id}/`;
  served.passTime(1000);
  expect(await edit(served, path, { ...label })).toEqual(label);
  const renamed = await edit(served, path, { name: 'Friends' });
  expect(renamed).toMatchObject({ name: 'Friends', slug: 'vip' });
  expect(renamed.updated_at).not.toBe(label.updated_at);
  expect(await edit(served, path, { slug: 'Dear friends' })).toMatchObject({
    slug: 'dear-friends',
  });
  const member = served.insert('members', {});
  served.insert('members_labels', { member_id: member, label_id: label.id });
  await add(served, 'labels', { name: 'Other', slug: 'dear-friends' });
  for (const [method, name, at] of [
    ['POST', 'fRIENDS', 'labels/'],
    ['PUT', 'OTHER', path],
    ['PUT', '', path],
    ['POST', ',x', 'labels/'],
    ['POST', 'x'.repeat(192), 'labels/'],
  ] as const) {
    expect(await refused(await send(served, method, at, { name }))).toEqual([422, 'name']);
  }
  expect(await edit(served, path, { name: 'FRIENDS' })).toMatchObject({ name: 'FRIENDS' });
  expect((await served.admin('DELETE', `/admin/${path}`)).status).toBe(204);
  for (const method of ['GET', 'DELETE']) {
    expect((await served.admin(method, `/admin/${path}`)).status).toBe(404);
  }
  expect((await send(served, 'PUT', path, { name: 'New' })).status).toBe(404);
  const read = await served.admin('GET', `/admin/members/${member}/`);
  expect((await bodyOf(read)).members).toMatchObject([{ labels: [] }]);
});

test('a tier is made, edited and archived, with its benefits in their order', async () => {
  const served = await serve();
  const benefits = ['Tea', { name: ' Cake ' }, 'Tea'];
  const tier = await add(served, 'tiers', { ...GOLD, benefits, trial_days: 7 });
  expect(tier).toMatchObject({
    slug: 'gold',
    type: 'paid',
    active: true,
    visibility: 'public',
    currency: 'USD',
    monthly_price: 500,
    yearly_price: 5000,
    trial_days: 7,
    benefits: ['Tea', 'Cake'],
  });
  const path = `tiers/${tier.id}/`;
  served.passTime(1000);
  expect(await edit(served, path, { ...tier })).toEqual(tier);
  const changes = { monthly_price: 700, welcome_page_url: '/hello/', visibility: 'none' };
  expect(await edit(served, path, changes)).toMatchObject({ ...changes, yearly_price: 5000 });
  expect(await edit(served, path, { benefits: ['Cake', 'Wine'] })).toMatchObject({
    benefits: ['Cake', 'Wine'],
  });
  expect(await edit(served, path, { benefits: [], active: false })).toMatchObject({
    benefits: [],
    active: false,
  });
  expect(countOf(served, 'benefits')).toBe(3);
  expect(await add(served, 'tiers', GOLD)).toMatchObject({ slug: 'gold-2' });
  const monthly = { name: 'Monthly', currency: 'usd', monthly_price: 700 };
  expect(await add(served, 'tiers', monthly)).toMatchObject({
    monthly_price: 700,
    yearly_price: 5000,
  });
  const filtered = await served.admin('GET', '/admin/tiers/?filter=active:true');
  expect((await bodyOf(filtered)).tiers).toHaveLength(2);
});

test('a tier that is refused', async () => {
  const served = await serve();
  await checkRows<readonly [Json, string]>(
    [
      [{ ...GOLD, name: ' ' }, 'name'],
      [{ name: 'No price' }, 'currency'],
      [{ ...GOLD, currency: 'dollars' }, 'currency'],
      [{ ...GOLD, currency: null }, 'currency'],
      [{ ...GOLD, monthly_price: 4.5 }, 'monthly_price'],
      [{ ...GOLD, monthly_price: -1 }, 'monthly_price'],
      [{ ...GOLD, yearly_price: '5000' }, 'yearly_price'],
      [{ ...GOLD, type: 'free' }, 'type'],
      [{ ...GOLD, visibility: 'members' }, 'visibility'],
      [{ ...GOLD, welcome_page_url: 'x'.repeat(2001) }, 'welcome_page_url'],
      [{ ...GOLD, benefits: ['x'.repeat(192)] }, 'benefits'],
      [{ ...GOLD, trial_days: -1 }, 'trial_days'],
    ],
    async ([tier, property]) => {
      const response = await send(served, 'POST', 'tiers/', { benefits: ['Tea'], ...tier });
      expect(await refused(response)).toEqual([422, property]);
      expect([countOf(served, 'tiers'), countOf(served, 'benefits')]).toEqual([0, 0]);
    },
  );
});

test('the free tier has no price', async () => {
  const served = await serve();
  const id = served.insert('tiers', { name: 'Free', slug: 'free', type: 'free', created_at: AT });
  const path = `tiers/${id}/`;
  for (const [property, value] of Object.entries({
    monthly_price: 1,
    currency: 'USD',
    trial_days: 3,
    type: 'paid',
  })) {
    const response = await send(served, 'PUT', path, { name: 'Kept out', [property]: value });
    expect(await refused(response)).toEqual([422, property]);
  }
  const [free = {}] = (await bodyOf(await served.admin('GET', `/admin/${path}`))).tiers ?? [];
  expect(free).toMatchObject({ name: 'Free', active: true });
  const changes = { name: 'Reader', active: false, welcome_page_url: 'welcome' };
  expect(await edit(served, path, { ...free, ...changes })).toMatchObject(changes);
});

test('a tier that another program stored is no change when it is sent back', async () => {
  const served = await serve();
  const row = { name: 'Old', slug: 'old', currency: 'usd', monthly_price: 5, created_at: AT };
  const path = `tiers/${served.insert('tiers', row)}/`;
  const [old = {}] = (await bodyOf(await served.admin('GET', `/admin/${path}`))).tiers ?? [];
  expect(await edit(served, path, { ...old })).toEqual(old);
  expect(await edit(served, path, { ...old, description: 'd' })).toMatchObject({
    description: 'd',
    yearly_price: null,
  });
});

const offerOn = (tier: unknown): Json => ({
  name: 'Half a year',
  code: 'Half Price!',
  type: 'percent',
  amount: 50,
  cadence: 'year',
  duration: 'once',
  tier: { id: tier },
});

test('an offer is made, renamed and archived; its terms stay', async () => {
  const served = await serve();
  const tier = await add(served, 'tiers', GOLD);
  const offer = await add(served, 'offers', { ...offerOn(tier.id), display_title: 'Half' });
  expect(offer).toMatchObject({
    name: 'Half a year',
    code: 'half-price',
    type: 'percent',
    amount: 50,
    cadence: 'year',
    duration: 'once',
    duration_in_months: null,
    currency_restriction: false,
    currency: null,
    status: 'active',
    redemption_type: 'signup',
    redemption_count: 0,
    display_title: 'Half',
    display_description: '',
    tier: { id: tier.id, name: 'Gold' },
  });
  const path = `offers/${offer.id}/`;
  expect(await edit(served, path, { ...offer })).toEqual(offer);
  const changes = { name: 'Half', code: 'half', display_title: '', status: 'archived' };
  expect(await edit(served, path, changes)).toMatchObject(changes);
  const other = { ...offerOn(tier.id), name: 'Other', code: 'other' };
  expect(await add(served, 'offers', other)).toMatchObject({ code: 'other' });
  const terms = { type: 'trial', amount: 40, cadence: 'month', duration: 'x', tier: null };
  expect(await edit(served, path, { ...terms, currency: 'EUR' })).toEqual({ ...offer, ...changes });
  for (const [property, value] of Object.entries({
    name: 'Other',
    code: 'OTHER',
    status: 'gone',
  })) {
    const response = await send(served, 'PUT', path, { display_title: 'Out', [property]: value });
    expect(await refused(response)).toEqual([422, property]);
  }
  const read = await served.admin('GET', `/admin/${path}`);
  expect((await bodyOf(read)).offers).toMatchObject([{ display_title: '', status: 'archived' }]);
  for (const code of ['half', 'HALF']) {
    const response = await send(served, 'POST', 'offers/', { ...other, name: 'New', code });
    expect(await refused(response)).toEqual([422, 'code']);
  }
});

test('an offer that is refused', async () => {
  const served = await serve();
  const tier = served.insert('tiers', { name: 'Gold', slug: 'gold', created_at: AT });
  await checkRows<readonly [Json, string]>(
    [
      [{ name: 'x'.repeat(41) }, 'name'],
      [{ code: ' ' }, 'code'],
      [{ amount: 101 }, 'amount'],
      [{ amount: -1 }, 'amount'],
      [{ amount: 2.5 }, 'amount'],
      [{ type: 'fixed' }, 'currency'],
      [{ type: 'trial' }, 'duration'],
      [{ duration: 'trial' }, 'duration'],
      [{ duration: 'repeating', duration_in_months: 3 }, 'duration'],
      [{ duration: 'repeating', cadence: 'month' }, 'duration_in_months'],
      [{ cadence: 'week' }, 'cadence'],
      [{ tier: null }, 'tier'],
      [{ tier: { id: 'f'.repeat(24) } }, 'tier'],
      [{ redemption_type: 'retention', type: 'trial', duration: 'trial' }, 'type'],
    ],
    async ([changes, property]) => {
      const response = await send(served, 'POST', 'offers/', { ...offerOn(tier), ...changes });
      expect(await refused(response)).toEqual([422, property]);
      expect(countOf(served, 'offers')).toBe(0);
    },
  );
});

test('a refusal names the tier, newsletter or label that does not exist', async () => {
  const served = await serve();
  const id = 'f'.repeat(24);
  const member = { email: 'a@example.com' };
  const requests: [string, string, Json, string][] = [
    ['POST', 'offers/', { offers: [{ ...offerOn(id) }] }, id],
    ['POST', 'members/', { members: [{ ...member, tiers: [{ id }] }] }, id],
    ['POST', 'members/', { members: [{ ...member, newsletters: [{ id }] }] }, id],
    ['PUT', 'members/bulk/?all=true', { bulk: { action: 'unsubscribe', newsletter: id } }, id],
    [
      'PUT',
      'members/bulk/?all=true',
      { bulk: { action: 'removeLabel', meta: { label: { name: 'VIP' } } } },
      '{"name":"VIP"}',
    ],
  ];
  const said: unknown[] = [];
  for (const [method, path, body] of requests) {
    const { errors } = await bodyOf(await served.admin(method, `/admin/${path}`, body));
    said.push(String(errors?.[0]?.context).split(' that does not exist: ')[1]);
  }
  expect(said).toEqual(requests.map(([, , , named]) => `${named}.`));
});

test('offers of a fixed amount, of months, of days and to retain', async () => {
  const served = await serve();
  const tier = served.insert('tiers', { name: 'Gold', slug: 'gold', created_at: AT });
  const kinds: Json[] = [
    { type: 'fixed', amount: 300, currency: 'eur' },
    { cadence: 'month', duration: 'repeating', duration_in_months: 3 },
    { type: 'trial', duration: 'trial', amount: 14 },
    { redemption_type: 'retention', tier: null },
    { amount: 0 },
  ];
  for (const [at, kind] of kinds.entries()) {
    const named = { name: `Offer ${at}`, code: `offer-${at}` };
    const made = await add(served, 'offers', { ...offerOn(tier), ...named, ...kind });
    const { currency, tier: own, ...rest }: Json = { currency: null, ...kind };
    expect(made).toMatchObject({ ...rest, currency: currency === 'eur' ? 'EUR' : null });
    expect(made.tier === null).toBe(own === null);
    expect(await edit(served, `offers/${made.id}/`, { ...made })).toEqual(made);
  }
});
