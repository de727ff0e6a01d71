// The captured answers of a real installation against ours over the same rows, in every field that the
// interface names. Where decisions.md or interface.md say otherwise than Ghost, the rule below says so.
import { expect, test } from 'vitest';
import { importSource } from '../../src/importers/import-source.ts';
import { openGhostSqlite } from '../../src/sources/ghost-sqlite/source.ts';
import {
  CAPTURED_DATABASE,
  CAPTURED_SITE_URL,
  isCapturedSiteThere,
  readCapture,
  skipReason,
} from '../helpers/captured-site.ts';
import { serve } from '../unit/server/harness.ts';

type Json = Record<string, unknown>;

const captured = test.skipIf(!isCapturedSiteThere);

const serveCaptured = async () => {
  const served = await serve({ siteUrl: CAPTURED_SITE_URL });
  // Its own owner has the slug of the captured one.
  served.shell.exec('DELETE FROM users');
  await importSource(served.context.store, openGhostSqlite(CAPTURED_DATABASE));
  return served;
};

const list = (body: unknown, key: string): Json[] => (body as Record<string, Json[]>)[key] ?? [];

const iso = (value: unknown): unknown =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(value)
    ? new Date(`${value.replace(' ', 'T')}Z`).toISOString()
    : typeof value === 'number' && value > 1e12
      ? new Date(value).toISOString()
      : value;

/** What the decisions show otherwise: a field's captured value in our form. */
const DECIDED: Readonly<Record<string, (value: unknown) => unknown>> = {
  excerpt: (value) => value ?? '',
  currency: (value) => (typeof value === 'string' ? value.toUpperCase() : value),
  expiry_at: iso,
  info: (value) => (value === null ? null : (value as Json).reason),
  geolocation: (value) => {
    if (value === null) return null;
    const { country, region } = JSON.parse(String(value)) as Json;
    return JSON.stringify({ country, city: null, region });
  },
};

/** Keys of the capture that ours must not have, or that hold another secret. */
const ELSEWHERE = new Set([
  'unsubscribe_url',
  'current_subscription',
  'enable_comment_notifications',
  'enable_updates_and_announcements',
]);
const TIER_EXTRAS = ['active', 'monthly_price_id', 'yearly_price_id'];

/** Every field of the capture has its value in ours. */
const compare = (captured: unknown, ours: unknown, path: string): string[] => {
  if (Array.isArray(captured)) {
    const [theirs, own] = [captured, Array.isArray(ours) ? ours : []];
    const length =
      theirs.length === own.length ? [] : [`${path}: ${theirs.length} against ${own.length}`];
    return [...length, ...theirs.flatMap((one, at) => compare(one, own[at], `${path}[${at}]`))];
  }
  if (typeof captured !== 'object' || captured === null) {
    return JSON.stringify(captured) === JSON.stringify(ours)
      ? []
      : [`${path}: ${JSON.stringify(captured)} against ${JSON.stringify(ours)}`];
  }
  return Object.entries(captured).flatMap(([key, value]) => {
    if (ELSEWHERE.has(key)) return [];
    if (/tiers?(?:\[\d+\])?$/.test(path) && TIER_EXTRAS.includes(key)) return [];
    const decided = Object.hasOwn(DECIDED, key) ? DECIDED[key]?.(value) : value;
    return compare(decided, (ours as Json | null | undefined)?.[key], `${path}.${key}`);
  });
};

captured(`single members are those of the capture${skipReason}`, async () => {
  const { admin } = await serveCaptured();
  for (const name of ['free', 'comped', 'gift', 'paid']) {
    const [theirs] = list(readCapture(`admin-member-read-${name}.json`), 'members');
    const response = await admin('GET', `/admin/members/${theirs?.id}/?include=newsletters`);
    expect(response.status).toBe(200);
    const [ours] = list(await response.json(), 'members');
    expect(compare(theirs, ours, name)).toEqual([]);
  }
});

captured.each([
  ['admin-members-browse.json', '/admin/members/?include=newsletters'],
  [
    'admin-members-browse-all-includes.json',
    '/admin/members/?include=newsletters,labels,tiers,email_recipients',
  ],
])(`lists of members are those of the capture: %s${skipReason}`, async (name, path) => {
  const { admin } = await serveCaptured();
  const theirs = readCapture(name);
  const ours = (await (await admin('GET', path)).json()) as Json;
  expect(compare(theirs, ours, 'list')).toEqual([]);
});

/** Values that changed in the captured database after this answer was captured. */
const LATER: Readonly<Record<string, readonly string[]>> = {
  'admin-tiers.json': ['updated_at'],
  'admin-offers.json': ['redemption_count', 'last_redeemed'],
};

/** A tier of a post, which had not been sold yet. */
const LATER_PATH = /\.tiers\[\d+\]\.updated_at:/;

/** Ghost's own bookkeeping, which the interface does not name. */
const NOT_OURS = new Set([
  'accessibility',
  'tour',
  'comment_notifications',
  'free_member_signup_notification',
  'paid_subscription_started_notification',
  'paid_subscription_canceled_notification',
  'mention_notifications',
  'recommendation_notifications',
  'milestone_notifications',
  'donation_notifications',
  'gift_subscription_notifications',
  'roles',
  'count',
  'email',
  'newsletter',
  'email_segment',
]);

captured.each([
  ['admin-newsletters.json', '/admin/newsletters/', 'newsletters'],
  ['admin-labels.json', '/admin/labels/', 'labels'],
  ['admin-offers.json', '/admin/offers/', 'offers'],
  ['admin-tiers.json', '/admin/tiers/', 'tiers'],
  ['admin-posts.json', '/admin/posts/', 'posts'],
])(`%s is the capture, in every field of the interface${skipReason}`, async (name, path, key) => {
  const { admin } = await serveCaptured();
  const ours = (await (await admin('GET', path)).json()) as Json;
  const later = LATER[name] ?? [];
  const theirs = list(readCapture(name), key);
  const own = list(ours, key);
  const byId = new Map(own.map((record) => [record.id, record]));
  expect(theirs.length).toBeGreaterThan(0);
  const found = theirs.flatMap((record, at) => {
    const plain = dropKeys(record, (one) => NOT_OURS.has(one) || later.includes(one));
    return compare(plain, byId.get(record.id), `${key}[${at}]`);
  });
  expect(found.filter((one) => !LATER_PATH.test(one))).toEqual([]);
});

const dropKeys = (value: unknown, isDropped: (key: string) => boolean): unknown => {
  if (Array.isArray(value)) return value.map((one) => dropKeys(one, isDropped));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !isDropped(key))
      .map(([key, one]) => [key, dropKeys(one, isDropped)]),
  );
};
