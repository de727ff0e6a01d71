// Any request of the admin interface, however hostile: never a fault of ours, always an answer that fits
// its schema, and a database that stays whole. PREPRESS_TEST_REQUESTS=20000 for the long form.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseStoredTime } from '../../src/base/time.ts';
import { errorDocumentSchema } from '../../src/content/contract/error.ts';
import { ADMIN_OPERATIONS } from '../../src/serve/contract/operations/operations.ts';
import { answerSchema } from '../helpers/answer-schema.ts';
import { type HostileRequest, hostileRequest } from '../helpers/hostile-request.ts';
import { SEED } from '../helpers/random.ts';
import { type Served, serve, signToken } from '../unit/serve/server/harness.ts';

const REQUESTS = Number(process.env.PREPRESS_TEST_REQUESTS ?? 800);

/** All but the hook, whose token is no key, and the mailed links, which answer pages. */
const OPERATIONS = ADMIN_OPERATIONS.filter(({ path }) => path.startsWith('/admin/'));

const AT = '2026-02-01T10:00:00.000Z';

const seed = ({ insert }: Served): void => {
  const tier_id = insert('tiers', { name: 'Gold', slug: 'gold', created_at: AT });
  const label_id = insert('labels', { name: 'VIP', slug: 'vip', created_at: AT });
  const tag_id = insert('tags', { slug: 'news' });
  for (let at = 0; at < 5; at += 1) {
    const member_id = insert('members', { status: at === 0 ? 'comped' : 'free', name: 'A' });
    insert('members_labels', { member_id, label_id });
    if (at === 0) insert('members_tiers', { member_id, tier_id });
    const post_id = insert('posts', {
      html: '<p>a</p>',
      type: at % 2 === 0 ? 'post' : 'page',
      status: 'published',
      published_at: AT,
    });
    insert('posts_tags', { post_id, tag_id });
    const named = { name: `N${at}`, slug: `n${at}`, created_at: AT };
    insert('newsletters', { ...named, uuid: crypto.randomUUID() });
  }
};

const TABLES: Readonly<Record<string, string>> = { pages: 'posts', keys: 'api_keys' };

/** The keys in use stay: a run that revokes its own would only see 401 from then on. */
const CONDITIONS: Readonly<Record<string, string>> = {
  api_keys: "WHERE type = 'content' AND name <> 'content'",
  users: "WHERE slug <> 'owner'",
};

const keyOf = ({ shell }: Served, path: string, key: number | string): string => {
  if (typeof key === 'string') return key;
  const resource = path.split('/')[2] ?? '';
  const table = TABLES[resource] ?? resource;
  if (
    !/^(?:posts|members|tags|newsletters|labels|tiers|offers|users|webhooks|deliveries|api_keys)$/.test(
      table,
    )
  ) {
    return 'f'.repeat(24);
  }
  const column = path.includes('{slug}') ? 'slug' : path.includes('{email}') ? 'email' : 'id';
  const count = shell
    .prepare(`SELECT count(*) FROM ${table} ${CONDITIONS[table] ?? ''}`)
    .pluck()
    .get();
  const row = shell
    .prepare(`SELECT ${column} FROM ${table} ${CONDITIONS[table] ?? ''} LIMIT 1 OFFSET ?`)
    .pluck()
    .get(Number(count) === 0 ? 0 : key % Number(count));
  return typeof row === 'string' ? row : 'f'.repeat(24);
};

const encode = (text: string): string =>
  encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));

const send = async (served: Served, request: HostileRequest): Promise<Response> => {
  const { operation, keys, query, body, contentType } = request;
  const path = operation.path.replace(/\{\w+\}/g, () =>
    encode(keyOf(served, operation.path, keys[0] ?? 0)),
  );
  const search = query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
  const canHaveBody = operation.method !== 'get' && body !== null;
  return served.get(`${path}${search === '' ? '' : `?${search}`}`, {
    method: operation.method.toUpperCase(),
    headers: {
      authorization: `Ghost ${signToken(served.adminKey, {})}`,
      ...(canHaveBody && { 'content-type': contentType }),
    },
    ...(canHaveBody && { body }),
  });
};

/** Why the answer is wrong, or null. */
const faultOf = async (response: Response, request: HostileRequest): Promise<string | null> => {
  const text = await response.text();
  if (response.status >= 500) return `${response.status} ${text}`;
  if (response.status === 204 || response.status === 301) return null;
  const isSuccess = response.status < 300;
  const hasFields = request.query.some(([name]) => name === 'fields');
  if (isSuccess && response.status !== request.operation.answer.status) return `${response.status}`;
  const schema = isSuccess ? answerSchema(request.operation) : errorDocumentSchema;
  if (isSuccess && (hasFields || schema === null)) return null;
  const issues = schema?.safeParse(JSON.parse(text)).error?.issues ?? [];
  return issues.length === 0 ? null : `${response.status} ${JSON.stringify(issues[0])}`;
};

test(`${REQUESTS} requests, seed ${SEED}`, { timeout: 6 * 3_600_000 }, async () => {
  const served = await serve({ flags: { authFailuresMax: 1_000_000 } });
  seed(served);
  const statuses = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(hostileRequest(OPERATIONS), async (request) => {
      const response = await send(served, request);
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      expect(await faultOf(response, request)).toBe(null);
    }),
    { numRuns: REQUESTS, seed: SEED },
  );
  for (const status of [200, 201, 204, 400, 404, 422]) {
    expect([status, statuses.get(status) ?? 0]).not.toEqual([status, 0]);
  }
  expect(statuses.get(401)).toBe(undefined);
  checkDatabase(served);
  const state = await served.admin('GET', '/admin/state/');
  expect([state.status, Object.hasOwn(Object.prototype, 'isAdmin')]).toEqual([200, false]);
});

const checkDatabase = ({ shell }: Served): void => {
  expect(shell.pragma('integrity_check', { simple: true })).toBe('ok');
  expect(shell.pragma('foreign_key_check')).toEqual([]);
  const count = (sql: string): unknown =>
    shell.prepare(`SELECT count(*) FROM ${sql}`).pluck().get();
  expect(
    count('members m WHERE (SELECT count(*) FROM members_tiers WHERE member_id = m.id) > 1'),
  ).toBe(0);
  expect(
    count(
      "members m WHERE (status = 'comped') <> EXISTS (SELECT 1 FROM members_tiers WHERE member_id = m.id)",
    ),
  ).toBe(0);
  expect(count('members WHERE length(note) > 2000 OR length(name) > 191')).toBe(0);
  expect(count('(SELECT lower(email) FROM members GROUP BY 1 HAVING count(*) > 1)')).toBe(0);
  expect(count('newsletters WHERE sender_email IS NOT NULL')).toBe(0);
  expect(count("posts WHERE status = 'published' AND published_at IS NULL")).toBe(0);
  expect(count("webhooks WHERE typeof(secret_sealed) <> 'blob'")).toBe(0);
  for (const table of ['members', 'posts', 'tags', 'newsletters', 'labels']) {
    const times = shell.prepare(`SELECT created_at, updated_at FROM ${table}`).all() as Record<
      string,
      string | null
    >[];
    const unreadable = times
      .flatMap(Object.values)
      .filter((time) => time !== null && parseStoredTime(time) === null);
    expect(unreadable).toEqual([]);
  }
};
