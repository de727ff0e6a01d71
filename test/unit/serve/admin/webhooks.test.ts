import { expect, test } from 'vitest';
import {
  openRequest,
  showRequest,
} from '../../../../src/publication/store/webhooks/webhook-requests.ts';
import type { WebhookRow } from '../../../../src/publication/store/webhooks/webhooks.ts';
import { createKey, revokeKey } from '../../../../src/serve/admin/keys/keys.ts';
import {
  createWebhook,
  editWebhook,
  removeWebhook,
} from '../../../../src/serve/admin/keys/webhooks.ts';
import { parseInput } from '../../../../src/serve/contract/input/parse-input.ts';
import {
  webhookCreateInput,
  webhookEditInput,
} from '../../../../src/serve/contract/input/webhook-input.ts';
import { createHarness, type Harness } from './harness.ts';

const KEY = 'a'.repeat(24);
const HOOK = { event: 'post.published', target_url: 'https://receiver.example/hook' };

const create = async ({ context }: Harness, payload: object = HOOK, key = KEY) =>
  createWebhook(context, parseInput(webhookCreateInput, payload), key);

const edit = async ({ context }: Harness, id: string, payload: object, key = KEY) =>
  editWebhook(context, { id, input: parseInput(webhookEditInput, payload) }, key);

test('a new webhook shows its secret; an edit never does', async () => {
  const harness = await createHarness();
  const made = await create(harness);
  expect(made).toMatchObject({
    ...HOOK,
    name: null,
    api_version: 'v6.65',
    integration_id: KEY,
    last_triggered_at: null,
    created_at: '2026-03-01T12:00:00.000Z',
  });
  expect(made.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(made.standard_secret).toBe(made.secret);
  const edited = await edit(harness, made.id, { name: 'N', secret: 'other-than-before' });
  expect(edited).toMatchObject({ ...HOOK, name: 'N', secret: null });
  const row = harness.shell.prepare('SELECT secret_sealed FROM webhooks').get() as {
    secret_sealed: Buffer;
  };
  expect(harness.context.secretBox.open(row.secret_sealed)).toBe('other-than-before');
});

test('a text as secret signs Standard Webhooks with a secret made from it', async () => {
  const made = await create(await createHarness(), { ...HOOK, secret: 'sixteen letters!' });
  expect(made).toMatchObject({
    secret: 'sixteen letters!',
    standard_secret: 'whsec_aPsMVbDTfeCKbMuTri+kyp/NxtL983QXrzxVD245/Eo=',
  });
});

const DISPATCHES = 'https://api.github.com/repos/o/r/dispatches';
const DEPLOY_HOOK = 'https://api.vercel.com/v1/integrations/deploy/prj_1/abc';

const REFUSALS: readonly [object, string][] = [
  [{ event: 'post.published' }, 'target_url'],
  [{ target_url: HOOK.target_url }, 'event'],
  [{ ...HOOK, event: 'foo.bar' }, 'event'],
  [{ ...HOOK, event: 'Post.published' }, 'event'],
  [{ ...HOOK, target_url: '/hook' }, 'target_url'],
  [{ ...HOOK, target_url: 'ftp://a.example/' }, 'target_url'],
  [{ ...HOOK, target_url: 'https://' }, 'target_url'],
  [{ ...HOOK, target_url: `https://a.example/${'x'.repeat(2000)}` }, 'target_url'],
  [{ ...HOOK, target_url: 'http://10.0.0.1/' }, 'target_url'],
  [{ ...HOOK, secret: 'whsec_c2hvcnQ=' }, 'secret'],
  [{ ...HOOK, secret: `whsec_${Buffer.alloc(65).toString('base64')}` }, 'secret'],
  [{ ...HOOK, secret: 'x'.repeat(192) }, 'secret'],
  [{ ...HOOK, secret: 'x' }, 'secret'],
  [{ ...HOOK, secret: 'fifteen letters' }, 'secret'],
  [{ ...HOOK, secret: ' '.repeat(16) }, 'secret'],
  [{ ...HOOK, secret: '\u200b'.repeat(16) }, 'secret'],
  [{ ...HOOK, secret: '🔑'.repeat(15) }, 'secret'],
  ...[0, 9, 10, 13, 27, 32, 127, 0x85, 0xa0, 0x200b, 0x2028, 0x202e, 0xfeff].flatMap(
    (code): [object, string][] => {
      const unseen = String.fromCodePoint(code);
      return [
        `https://a.example/b${unseen}c`,
        `https://a.exa${unseen}mple/`,
        `${HOOK.target_url}${unseen}`,
        `${unseen}${HOOK.target_url}`,
      ].map((target_url) => [{ ...HOOK, target_url }, 'target_url']);
    },
  ),
  [{ ...HOOK, name: 'x'.repeat(192) }, 'name'],
  [{ ...HOOK, headers: { Host: 'x' } }, 'headers'],
  [{ ...HOOK, headers: { 'X-A': 7 } }, 'headers'],
  [{ ...HOOK, headers: ['X-A: b'] }, 'headers'],
  [{ ...HOOK, body: { a: '{{post.titel}}' } }, 'body'],
  [{ ...HOOK, body: '{"a": 1}' }, 'body'],
  [{ ...HOOK, body: [1] }, 'body'],
  [{ ...HOOK, preset: 'jenkins' }, 'preset'],
  [{ ...HOOK, token: 'abc' }, 'token'],
  [{ ...HOOK, preset: 'github', token: 'abc' }, 'target_url'],
  [{ ...HOOK, preset: 'github', target_url: DISPATCHES }, 'token'],
  [{ ...HOOK, preset: 'github', target_url: DISPATCHES, token: '{{event}}' }, 'token'],
  [{ ...HOOK, preset: 'github', target_url: DISPATCHES, token: 'a\r\nHost: b' }, 'token'],
  [{ ...HOOK, preset: 'vercel', target_url: DEPLOY_HOOK, token: 'abc' }, 'token'],
];

test.each(REFUSALS)('refused (%#)', async (payload, property) => {
  const harness = await createHarness();
  await expect(create(harness, payload)).rejects.toMatchObject({ code: 'VALIDATION', property });
  expect(harness.shell.prepare('SELECT count(*) FROM webhooks').pluck().get()).toBe(0);
});

test('an edit sets and removes headers by name, keeps the rest, and judges the template for its event', async () => {
  const harness = await createHarness();
  const wish = { ...HOOK, target_url: DISPATCHES, preset: 'github', token: 'first' };
  const { id } = await create(harness, wish);
  const read = () => {
    const row = harness.shell.prepare('SELECT * FROM webhooks').get() as WebhookRow;
    const { headers, body } = openRequest(harness.context.secretBox, row.request_sealed);
    return { headers, body, shown: showRequest(row) };
  };
  expect(read()).toMatchObject({
    headers: { Authorization: 'Bearer first', Accept: 'application/vnd.github+json' },
    body: { event_type: '{{event}}' },
    shown: { preset: 'github', has_body: true },
  });
  await edit(harness, id, { headers: { AUTHORIZATION: 'Bearer second', accept: null } });
  const { headers } = read();
  expect(headers).toEqual({ AUTHORIZATION: 'Bearer second', 'X-GitHub-Api-Version': '2022-11-28' });
  await edit(harness, id, { preset: 'github', token: 'third' });
  expect(read().headers).toMatchObject({ Authorization: 'Bearer third' });
  await edit(harness, id, { body: { a: '{{post.title}}' } });
  const denied = { code: 'VALIDATION', property: 'body' };
  await expect(edit(harness, id, { event: 'site.changed' })).rejects.toMatchObject(denied);
  await edit(harness, id, { name: 'N' });
  expect(read().body).toEqual({ a: '{{post.title}}' });
  const names = Object.keys(read().headers).map((name) => [name, null]);
  await edit(harness, id, { headers: Object.fromEntries(names), body: null });
  expect(read()).toEqual({ headers: {}, body: null, shown: null });
});

test('the same event and target, whatever the case, is refused', async () => {
  const harness = await createHarness();
  await create(harness);
  const duplicate = { ...HOOK, target_url: 'https://RECEIVER.example/hook' };
  await expect(create(harness, duplicate)).rejects.toMatchObject({
    message: 'Target URL has already been used for this event.',
  });
  await create(harness, { ...HOOK, event: 'site.changed' });
});

test('what a revoked key leaves behind, or nobody has, is changed by owner keys alone', async () => {
  const harness = await createHarness();
  const { context } = harness;
  const key = async (name: string) => (await createKey(context, { type: 'admin', name })).id;
  const [owner, one, other] = [await key('Owner'), await key('One'), await key('Other')];
  const { id } = await create(harness, HOOK, one);
  const denied = { code: 'NO_PERMISSION' };
  const kept = await edit(harness, id, { name: 'N', integration_id: other }, one);
  expect(kept).toMatchObject({ name: 'N', integration_id: one });
  await revokeKey(context, one);
  await expect(edit(harness, id, { name: 'N' }, other)).rejects.toMatchObject(denied);
  harness.shell.exec('UPDATE webhooks SET integration_id = NULL');
  await expect(removeWebhook(context, id, other)).rejects.toMatchObject(denied);
  await removeWebhook(context, id, owner);
});
