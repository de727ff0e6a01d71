// The desk's page and files as they are served: what may run there, who may frame it, how large it is, and what the
// server says to it alone.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { beginFollowing } from '../../../../src/publication/store/import/following.ts';
import { acquireBulkLock } from '../../../../src/publication/store/locks/bulk-lock.ts';
import { createKey } from '../../../../src/serve/admin/keys/keys.ts';
import { planBulkDelete, selectMembers } from '../../../../src/serve/admin/members/bulk-members.ts';
import { INSTALL_COMMAND } from '../../../../src/serve/editor/packages.ts';
import { findDeskFolder } from '../../../../src/serve/server/pages/desk-page.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { serve } from './harness.ts';

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

const folder = (): string => findDeskFolder() ?? '';

test('the page loads nothing from elsewhere, and nobody may frame it', async () => {
  const { get } = await serve();
  const page = await get('/desk/');
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(page.status).toBe(200);
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy.replace("style-src-attr 'unsafe-inline'; ", '')).not.toMatch(/unsafe/);
  expect(page.headers.get('x-frame-options')).toBe('DENY');
  const html = await page.text();
  expect(html).not.toMatch(/https?:\/\/|<script>|style=/);
  for (const [, file = ''] of html.matchAll(/(?:src|href)="([^":]+)"/g)) {
    const response = await get(`/desk/${file}`);
    expect([file, response.status]).toEqual([file, 200]);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  }
  expect((await get('/desk')).headers.get('location')).toBe('/desk/');
  for (const file of ['desk.tsx', '..%2fprepress.js', 'none.js', '.']) {
    expect([file, (await get(`/desk/${file}`)).status === 200]).toEqual([file, file === '.']);
  }
});

test('its files are sent compressed to clients that accept it, and as they are to others', async () => {
  const { get } = await serve();
  const name = readdirSync(folder()).find((one) => /^mount-editor-.*\.js$/.test(one)) ?? '';
  const whole = readFileSync(join(folder(), name));
  for (const [accept, encoding] of [
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['identity', null],
  ] as const) {
    const answer = await get(`/desk/${name}`, { headers: { 'accept-encoding': accept } });
    expect(Buffer.from(await answer.arrayBuffer()).equals(whole)).toBe(true);
    const headers = ['content-encoding', 'content-type', 'vary', 'cache-control'];
    expect(headers.map((header) => answer.headers.get(header))).toEqual([
      encoding,
      'application/javascript; charset=utf-8',
      expect.stringContaining('accept-encoding'),
      'public, max-age=31536000, immutable',
    ]);
  }
});

test('/admin/ leads a browser to the desk, and is not found for a program', async () => {
  const { get } = await serve({ flags: { basePath: '/b' } });
  const led = await get('/b/admin/', { headers: BROWSER });
  expect([led.status, led.headers.get('location')]).toEqual([302, '/b/desk/']);
  for (const headers of [{}, { accept: 'application/json' }, { accept: '*/*' }]) {
    const refused = await get('/b/admin/', { headers });
    expect(refused.status).toBe(404);
    expect(await refused.json()).toMatchObject({ errors: [{ type: 'NotFoundError' }] });
  }
});

test('the desk keeps its budgets: 120 kB without the editor, 1 MB in all, gzipped', () => {
  const files = readdirSync(folder()).filter((name) => /\.(?:js|css)$/.test(name));
  const bytesOf = (name: string): number => gzipSync(readFileSync(join(folder(), name))).length;
  const first = new Set(['desk.js', 'desk.css']);
  // What desk.js imports at once is loaded with it; a part that is imported later is not.
  for (const name of first) {
    const text = readFileSync(join(folder(), name), 'utf8');
    for (const [, part = ''] of text.matchAll(/(?:from|import)"\.\/([^"]+)"/g)) first.add(part);
  }
  const sum = (names: Iterable<string>): number =>
    [...names].reduce((total, name) => total + bytesOf(name), 0);
  expect(first.size).toBeGreaterThan(1);
  expect(sum(first)).toBeLessThan(120_000);
  expect(sum(files)).toBeLessThan(1_000_000);
});

beforeAll(() => {
  if (findDeskFolder() === null) throw new Error('Run "npm run bundle" first.');
});

test('an owner sees all webhooks in the desk, another key its own, and nobody sees a secret', async () => {
  const { admin, adminAs, context } = await serve();
  const wish = { event: 'post.published', target_url: 'https://receiver.example/hook' };
  const own = { headers: { 'X-Token': 'own-header-value' }, body: { a: '{{post.title}}' } };
  const made = await admin('POST', '/admin/webhooks/', { webhooks: [{ ...wish, ...own }] });
  const { webhooks } = (await made.json()) as { webhooks: { id: string; secret: string }[] };
  const answer = await (await admin('GET', '/admin/desk/')).text();
  const request = { preset: null, headers: ['X-Token'], has_body: true };
  const { desk } = JSON.parse(answer) as { desk: Record<string, unknown> };
  expect(desk).toMatchObject({
    is_owner: true,
    webhooks: [{ id: webhooks[0]?.id, ...wish, secret: null, is_enabled: true, request }],
    pending_senders: [],
    deliveries: { pending: 0, done: 0, failed: 0 },
    follows: null,
    is_sample: false,
    mail: 'file',
    editor_install: INSTALL_COMMAND,
  });
  for (const secret of [webhooks[0]?.secret, 'own-header-value', '{{post.title}}'])
    expect(answer).not.toContain(secret);
  const { key } = await createKey(context, { type: 'admin', name: 'another' });
  await context.store.write((tx) => beginFollowing(tx, { source: '/srv/ghost.db', now: 0 }));
  const others = await (await adminAs(key)('GET', '/admin/desk/')).json();
  expect(others).toMatchObject({ desk: { is_owner: false, webhooks: [], follows: 'file' } });
  const owners = await (await admin('GET', '/admin/desk/')).json();
  expect(owners).toMatchObject({ desk: { follows: '/srv/ghost.db' } });
});

test('the desk says how far work on many members is', async () => {
  const { admin, context, insert } = await serve();
  const { store } = context;
  insert('members', { email: 'left@example.com' });
  const lock = await acquireBulkLock(store);
  await planBulkDelete({ store, nowMs: Date.now() }, selectMembers({ all: 'true' } as never, 1));
  const shown = async (): Promise<unknown> =>
    ((await (await admin('GET', '/admin/desk/')).json()) as { desk: object }).desk;
  expect(await shown()).toMatchObject({ bulk_work: ['0 of 1 member was deleted so far.'] });
  lock.release();
  await eventually(async () => expect(await shown()).toMatchObject({ bulk_work: [] }));
});
