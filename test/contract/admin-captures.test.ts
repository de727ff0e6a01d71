// The captured answers of a real installation against ours over the same rows, in every field that the
// interface names. Where decisions.md or interface.md say otherwise than Ghost, the rule below says so.
import { expect, test } from 'vitest';
import { copyCapturedDatabase, isCapturedDatabaseThere } from '../helpers/captured-database.ts';
import { CAPTURED_SITE_URL, readCapture } from '../helpers/captured-site.ts';
import { serve } from '../unit/server/harness.ts';

type Json = Record<string, unknown>;

const skipReason = isCapturedDatabaseThere
  ? ''
  : ' (skipped: the captured site is not beside the project)';
const captured = test.skipIf(!isCapturedDatabaseThere);

const serveCaptured = async () => {
  const served = await serve({ siteUrl: CAPTURED_SITE_URL });
  copyCapturedDatabase(served.shell);
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
