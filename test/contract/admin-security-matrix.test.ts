// Every operation of the admin interface x every kind of credential: a right one passes, and every other
// one gets the same 401, whatever is wrong with it and whatever was asked.
import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { listKeyRows } from '../../src/publication/store/access/keys.ts';
import { createKey, revokeKey } from '../../src/serve/admin/keys/keys.ts';
import { ADMIN_OPERATIONS, exampleBody } from '../../src/serve/contract/operations/operations.ts';
import { START } from '../unit/serve/admin/harness.ts';
import { type Served, serve, signToken } from '../unit/serve/server/harness.ts';

/** Needs no key, and takes no wrong one. */
const OPEN = '/admin/site/';
const OPERATIONS = ADMIN_OPERATIONS.filter(({ keys, path }) => keys !== 'none' || path === OPEN);
const NOW_S = START / 1000;

type Credential = { readonly headers?: Record<string, string>; readonly query?: string };

const bearer = (token: string): Credential => ({ headers: { authorization: `Ghost ${token}` } });

const wrongCredentials = async (served: Served): Promise<Record<string, Credential>> => {
  const { adminKey, contentKey, context } = served;
  const rows = await listKeyRows(context.store);
  const contentId = rows.find(({ type }) => type === 'content')?.id ?? '';
  const revoked = await createKey(context, { type: 'admin', name: 'revoked' });
  await revokeKey(context, revoked.id);
  const [header, payload] = signToken(adminKey, {}).split('.');
  const none = Buffer.from(
    JSON.stringify({ alg: 'none', typ: 'JWT', kid: adminKey.split(':')[0] }),
  ).toString('base64url');
  const sha512 = createHmac('sha512', Buffer.from(adminKey.split(':')[1] ?? '', 'hex'));
  return {
    'no key': {},
    'a content key': { query: `key=${contentKey}` },
    'the secret of a content key': bearer(signToken(`${contentId}:${contentKey}`, {})),
    'a token in the query': { query: `token=${signToken(adminKey, {})}` },
    'another scheme': { headers: { authorization: `Basic ${signToken(adminKey, {})}` } },
    'a wrong secret': bearer(signToken(adminKey, { secret: 'ab'.repeat(32) })),
    'an unknown key': bearer(signToken(`${'f'.repeat(24)}:${'ab'.repeat(32)}`, {})),
    expired: bearer(signToken(adminKey, { claims: { iat: NOW_S - 400, exp: NOW_S - 100 } })),
    'too long a life': bearer(signToken(adminKey, { claims: { exp: NOW_S + 301 } })),
    'a future iat': bearer(signToken(adminKey, { claims: { iat: NOW_S + 120, exp: NOW_S + 300 } })),
    'a wrong audience': bearer(signToken(adminKey, { claims: { aud: '/content/' } })),
    'alg none': bearer(`${none}.${payload}.`),
    'alg none, signed': bearer(signToken(adminKey, { header: { alg: 'none' } })),
    'another algorithm': bearer(
      `${header}.${payload}.${sha512.update(`${header}.${payload}`).digest('base64url')}`,
    ),
    revoked: bearer(signToken(revoked.key, {})),
  };
};

const ask = (served: Served, at: number, { headers = {}, query = '' }: Credential) => {
  const { method, path, body } = OPERATIONS[at] ?? { method: 'get', path: '/' };
  const url = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    name === 'id' ? 'f'.repeat(24) : 'none',
  );
  const hasBody = body !== undefined;
  return served.get(query === '' ? url : `${url}?${query}`, {
    method: method.toUpperCase(),
    headers: { ...headers, ...(hasBody && { 'content-type': 'application/json' }) },
    ...(hasBody && { body: JSON.stringify(exampleBody(body)) }),
  });
};

test('every wrong credential gets the same 401 on every operation', async () => {
  const served = await serve({ flags: { authFailuresMax: 1_000_000 } });
  const answers = new Set<string>();
  for (const [kind, credential] of Object.entries(await wrongCredentials(served))) {
    for (const [at, { path }] of OPERATIONS.entries()) {
      if (path === OPEN && credential.headers === undefined) continue;
      const response = await ask(served, at, credential);
      const text = (await response.text()).replace(/"id":"[0-9a-f-]{36}"/, '"id":""');
      expect([kind, path, response.status]).toEqual([kind, path, 401]);
      const shown = [...response.headers]
        .filter(([name]) => !['date', 'x-request-id'].includes(name))
        .map(([name, value]) => `${name}: ${value}`);
      answers.add(JSON.stringify([text, shown]));
    }
  }
  expect(OPERATIONS.length).toBeGreaterThan(50);
  expect([...answers]).toHaveLength(1);
  for (const table of ['posts', 'members', 'tags', 'newsletters', 'webhooks']) {
    expect(served.shell.prepare(`SELECT count(*) FROM ${table}`).pluck().get()).toBe(0);
  }
});

test.each(['/admin/', '/v3/admin/', '/canary/admin/'])('the right ones pass: %s', async (aud) => {
  const served = await serve();
  for (const at of OPERATIONS.keys()) {
    const response = await ask(served, at, bearer(signToken(served.adminKey, { claims: { aud } })));
    const { path } = OPERATIONS[at] ?? {};
    expect([path, [401, 403, 429].includes(response.status)]).toEqual([path, false]);
    const isOurFault = response.status >= 500;
    expect([path, isOurFault]).toEqual([path, false]);
  }
});
