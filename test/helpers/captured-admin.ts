// The captured answers of a real installation's admin interface against ours over the same rows, in every field that the
// interface names. Where decisions.md or interface.md say otherwise than Ghost, the rule below says so.
import { readCapture } from './captured-site.ts';

type Ask = (method: string, path: string) => Promise<Response>;

type Json = Record<string, unknown>;

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

const dropKeys = (value: unknown, isDropped: (key: string) => boolean): unknown => {
  if (Array.isArray(value)) return value.map((one) => dropKeys(one, isDropped));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !isDropped(key))
      .map(([key, one]) => [key, dropKeys(one, isDropped)]),
  );
};

const readOurs = async (ask: Ask, path: string): Promise<Json> => {
  const response = await ask('GET', path);
  if (response.status !== 200) throw new Error(`${path}: ${response.status}`);
  return (await response.json()) as Json;
};

const singleMembers = async (ask: Ask): Promise<string[]> => {
  const found: string[] = [];
  for (const name of ['free', 'comped', 'gift', 'paid']) {
    const [theirs] = list(readCapture(`admin-member-read-${name}.json`), 'members');
    const ours = await readOurs(ask, `/admin/members/${theirs?.id}/?include=newsletters`);
    found.push(...compare(theirs, list(ours, 'members')[0], name));
  }
  return found;
};

const membersOf =
  (name: string, query: string) =>
  async (ask: Ask): Promise<string[]> =>
    compare(readCapture(name), await readOurs(ask, `/admin/members/${query}`), 'list');

const listDifferences = async (ask: Ask, key: string): Promise<string[]> => {
  const name = `admin-${key}.json`;
  const later = LATER[name] ?? [];
  const theirs = list(readCapture(name), key);
  if (theirs.length === 0) return [`${key}: nothing was captured`];
  const own = list(await readOurs(ask, `/admin/${key}/`), key);
  const byId = new Map(own.map((record) => [record.id, record]));
  return theirs
    .flatMap((record, at) => {
      const plain = dropKeys(record, (one) => NOT_OURS.has(one) || later.includes(one));
      return compare(plain, byId.get(record.id as string), `${key}[${at}]`);
    })
    .filter((one) => !LATER_PATH.test(one));
};

/** By what was captured: where ours differs. */
export const CAPTURED_ADMIN: Readonly<Record<string, (ask: Ask) => Promise<string[]>>> = {
  'single members': singleMembers,
  'members with newsletters': membersOf('admin-members-browse.json', '?include=newsletters'),
  'members with all': membersOf(
    'admin-members-browse-all-includes.json',
    '?include=newsletters,labels,tiers,email_recipients',
  ),
  newsletters: (ask) => listDifferences(ask, 'newsletters'),
  labels: (ask) => listDifferences(ask, 'labels'),
  offers: (ask) => listDifferences(ask, 'offers'),
  tiers: (ask) => listDifferences(ask, 'tiers'),
  posts: (ask) => listDifferences(ask, 'posts'),
};
