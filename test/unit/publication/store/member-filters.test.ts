// Every column of a member, and what is linked to one, filters lists of members; counts and pages agree.
import { beforeAll, expect, test } from 'vitest';
import { PrepressError } from '../../../../src/base/errors.ts';
import { countRows, listRows } from '../../../../src/publication/store/list-source.ts';
import { MEMBER_FILTERS } from '../../../../src/publication/store/members/member-filters.ts';
import { MEMBER_LIST } from '../../../../src/publication/store/members/members.ts';
import { RECORD_COLUMNS } from '../../../../src/publication/tables/record-columns.ts';
import { openPublication, type Publication } from '../../../helpers/publication.ts';
import { readFilter } from '../../../helpers/read-filter.ts';
import { suiteFolder } from '../../../helpers/suite-folder.ts';

const AT = '2026-02-01T10:00:00.000Z';
const [POST, OTHER_POST] = ['a'.repeat(24), 'b'.repeat(24)];
let publication: Publication;

/** Five members; `ada` has everything, `bob` some of it. */
const seed = ({ insert }: Publication): void => {
  const ada = insert('members', {
    email: 'ada@example.com',
    name: 'Ada',
    note: 'met in Lima',
    status: 'paid',
    email_count: 20,
    email_opened_count: 15,
    email_open_rate: 75,
    geolocation: '{"country":"Peru"}',
    last_seen_at: '2026-02-20 10:00:00',
    updated_at: '2026-02-21T10:00:00.000Z',
    email_disabled: 1,
    enable_comment_notifications: 0,
  });
  const bob = insert('members', {
    email: 'bob@example.com',
    status: 'comped',
    email_count: 3,
    expertise: 'Straße [Жизнь] Über*',
  });
  for (let at = 0; at < 3; at += 1) insert('members', {});
  const named = (table: string, slug: string, row = {}): string =>
    insert(table, { name: slug.toUpperCase(), slug, created_at: AT, ...row });
  const [vip, gold] = [named('labels', 'vip'), named('tiers', 'gold')];
  const letter = (slug: string, status: string): string =>
    named('newsletters', slug, { uuid: slug, status });
  const [weekly, old] = [letter('weekly', 'active'), letter('old', 'archived')];
  for (const member_id of [ada, bob]) insert('members_labels', { member_id, label_id: vip });
  insert('members_labels', { member_id: bob, label_id: named('labels', 'new') });
  insert('members_tiers', { member_id: ada, tier_id: gold });
  insert('members_newsletters', { member_id: ada, newsletter_id: weekly });
  insert('members_newsletters', { member_id: bob, newsletter_id: old });
  const offer_id = insert('offers', {
    id: 'f'.repeat(24),
    name: 'Half',
    code: 'half',
    interval: 'year',
    discount_type: 'percent',
    discount_amount: 50,
    duration: 'once',
    created_at: AT,
  });
  const subscribe = (member_id: string, row: object): string => {
    const customer_id = `cus_${member_id}`;
    insert('customers', { member_id, customer_id, created_at: AT });
    return insert('subscriptions', {
      customer_id,
      subscription_id: `sub_${member_id}`,
      current_period_end: '2026-04-01T00:00:00.000Z',
      start_date: '2026-01-01 00:00:00',
      plan_id: 'p',
      plan_nickname: 'Monthly',
      plan_interval: 'month',
      plan_amount: 500,
      plan_currency: 'usd',
      created_at: AT,
      ...row,
    });
  };
  const subscription_id = subscribe(ada, { status: 'active', offer_id });
  subscribe(bob, { status: 'canceled', cancellation_reason: 'too dear', plan_interval: 'year' });
  insert('offer_redemptions', { offer_id, member_id: ada, subscription_id, created_at: AT });
  const cameFrom = { member_id: ada, attribution_id: POST, attribution_type: 'post' };
  insert('members_created_events', { ...cameFrom, source: 'member', created_at: AT });
  insert('members_subscription_created_events', { ...cameFrom, subscription_id, created_at: AT });
  for (const [post_id, members] of [
    [POST, [ada, bob]],
    [OTHER_POST, [bob]],
  ] as const) {
    const email_id = insert('emails', { post_id, uuid: post_id, submitted_at: AT, created_at: AT });
    for (const member_id of members) {
      const opened_at = member_id === ada ? AT : null;
      const recipient = { batch_id: 'b', member_uuid: 'u', member_email: 'e' };
      insert('email_recipients', { email_id, member_id, opened_at, ...recipient });
    }
  }
};

beforeAll(async () => {
  const folder = suiteFolder();
  const opened = await openPublication(folder.path);
  seed(opened);
  publication = opened;
  return async () => {
    await opened.close();
    folder.remove();
  };
});

const queryOf = (filter: string) => {
  const parsed = readFilter(filter, Date.parse('2026-03-01T00:00:00Z'));
  return { filter: parsed, search: null, order: [] };
};

const found = async (filter: string): Promise<number> => {
  const { store } = publication;
  const total = await countRows(store, MEMBER_LIST, queryOf(filter));
  for (const pretended of [total, 100_000]) {
    const range = { limit: 10, offset: 0, total: pretended };
    const rows = await listRows(store, MEMBER_LIST, { ...queryOf(filter), ...range });
    expect([filter, rows.length]).toEqual([filter, total]);
  }
  return total;
};

const FOUND: Readonly<Record<string, number>> = {
  "note:~'lima'": 1,
  "expertise:~^'STRAßE [жИЗНЬ'": 1,
  "expertise:~$'[жизнь] ÜBER*'": 1,
  "expertise:~'жизн ü'": 0,
  'note:null': 4,
  'name:Ada': 1,
  // Whoever has no name is neither like one nor unlike one.
  'name:-Bob': 1,
  'name:-[Bob,Eve]': 1,
  "name:-~'ob'": 1,
  "name:-~^'A'": 0,
  "name:-~$'x',status:comped": 2,
  "last_seen_at:-'2020'": 1,
  "email:~$'@example.com'": 5,
  'email_count:>3': 1,
  'email_count:>=3': 2,
  'email_opened_count:0': 4,
  'email_open_rate:>50': 1,
  'email_open_rate:null': 4,
  'last_seen_at:>now-30d': 1,
  'last_seen_at:null': 4,
  "updated_at:>'2026-02-21'": 1,
  'email_disabled:true': 1,
  'email_disabled:0': 4,
  'enable_comment_notifications:false': 1,
  'enable_updates_and_announcements:null': 5,
  "geolocation:~'Peru'": 1,
  'commenting:null': 5,
  'expertise:null': 4,
  'last_commented_at:null': 5,
  'labels.slug:vip': 2,
  'label.name:VIP': 2,
  'labels.slug:-vip': 3,
  'labels:null': 3,
  'label:-[vip,old]': 3,
  'label:VIP': 2,
  'label:-Vip': 3,
  'newsletters:Weekly': 1,
  'status:Paid+label:VIP': 1,
  // They have a label without the text.
  "label:-~'vi'": 1,
  "labels.name:-~^'NEW'": 2,
  "(label:-~$'p'),email_disabled:1": 2,
  "tier:-~'gold'": 0,
  'tiers.slug:gold': 1,
  'product:gold': 1,
  'products:[gold]': 1,
  'tiers:null': 4,
  'newsletters.slug:weekly': 1,
  'newsletters.slug:[weekly,old]': 2,
  'newsletters.status:active': 1,
  'newsletters.status:-active': 4,
  'newsletters.status:archived': 1,
  'subscribed:true': 1,
  'subscribed:false': 4,
  'subscriptions.status:active': 1,
  'subscriptions.status:[active,canceled]': 2,
  'subscriptions.status:-active': 4,
  'subscriptions.plan_interval:year': 1,
  'subscriptions.plan_amount:500': 2,
  'subscriptions.cancel_at_period_end:false': 2,
  'subscriptions.cancellation_reason:null': 1,
  'subscriptions.cancellation_reason:-null': 4,
  "subscriptions.cancellation_reason:-~'x'": 1,
  "subscriptions.start_date:<'2026-01-02'": 2,
  "subscriptions.current_period_end:>'2026-04-02'": 0,
  'subscriptions.offer_id:ffffffffffffffffffffffff': 1,
  'offer_redemptions:ffffffffffffffffffffffff': 1,
  'offer_redemptions.offer_id:-ffffffffffffffffffffffff': 4,
  'offer_redemptions:null': 4,
  'offer_redemptions:-null': 1,
  'signup.attribution_url:null': 5,
  [`signup:'${POST}'`]: 1,
  'signup.attribution_type:post': 1,
  [`conversion:'${POST}'`]: 1,
  [`emails.post_id:'${POST}'`]: 2,
  [`emails:'${OTHER_POST}'`]: 1,
  [`opened_emails.post_id:'${POST}'`]: 1,
  [`opened_emails.post_id:'${OTHER_POST}'`]: 0,
  [`emails.post_id:'${POST}'+opened_emails.post_id:-'${POST}'`]: 1,
  'status:paid,(label:vip+tiers:null)': 2,
};

test.each(Object.entries(FOUND))('%s finds %d', async (filter, total) => {
  expect(await found(filter)).toBe(total);
});

test('ids of what is linked are found, each by its own', async () => {
  const idOf = (table: string, slug: string): unknown =>
    publication.shell.prepare(`SELECT id FROM ${table} WHERE slug = ?`).pluck().get(slug);
  expect(await found(`newsletters.id:'${idOf('newsletters', 'weekly')}'`)).toBe(1);
  expect(await found(`labels.id:'${idOf('labels', 'vip')}'`)).toBe(2);
  expect(await found(`tier_id:'${idOf('tiers', 'gold')}'`)).toBe(1);
  expect(await found(`tiers.id:'${idOf('labels', 'vip')}'`)).toBe(0);
});

test('each column of a member is there, and each field can be compared', async () => {
  for (const column of Object.keys(RECORD_COLUMNS.members)) {
    expect(Object.keys(MEMBER_FILTERS)).toContain(column);
  }
  for (const [name, { kind }] of Object.entries(MEMBER_FILTERS)) {
    const value = kind === 'time' ? '2020' : kind === 'text' ? 'x' : '1';
    expect(await found(`${name}:'${value}'`)).toBeGreaterThanOrEqual(0);
    expect(await found(`${name}:null`)).toBeGreaterThanOrEqual(0);
  }
});

test.each([
  'password',
  'token',
  'secret',
  'gift_link_token',
  'clicked_links.post_id',
  'feedback.post_id',
  'subscriptions.processor_price_id.x',
  'labels.constructor',
  '__proto__',
])('nothing is filtered by %s, and the answer names it', async (name) => {
  const asked = countRows(publication.store, MEMBER_LIST, queryOf(`${name}:x`));
  await expect(asked).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    property: 'filter',
    message: expect.stringContaining(`filter has no field "${name}".`),
  });
  await expect(asked).rejects.toBeInstanceOf(PrepressError);
});

test.each([
  ['created_at:soon', 'filter takes only times such as 2026-01-31 for "created_at", got "soon".'],
  ['email_disabled:maybe', 'filter takes only true or false for "email_disabled", got "maybe".'],
])('%s is refused with what the field takes', async (filter, message) => {
  const asked = countRows(publication.store, MEMBER_LIST, queryOf(filter));
  await expect(asked).rejects.toMatchObject({ code: 'BAD_REQUEST', property: 'filter', message });
});
