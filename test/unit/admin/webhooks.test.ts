import { expect, test } from 'vitest';
import { createKey, revokeKey } from '../../../src/admin/keys.ts';
import { createWebhook, editWebhook, removeWebhook } from '../../../src/admin/webhooks.ts';
import { parseInput } from '../../../src/contract/admin/parse-input.ts';
import { webhookCreateInput, webhookEditInput } from '../../../src/contract/admin/webhook-input.ts';
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
  const edited = await edit(harness, made.id, { name: 'N', secret: 'other' });
  expect(edited).toMatchObject({ ...HOOK, name: 'N', secret: null });
  const row = harness.shell.prepare('SELECT secret_sealed FROM webhooks').get() as {
    secret_sealed: Buffer;
  };
  expect(harness.context.secretBox.open(row.secret_sealed)).toBe('other');
});

test('a text as secret signs Standard Webhooks with a secret made from it', async () => {
  const made = await create(await createHarness(), { ...HOOK, secret: 'plain' });
  expect(made).toMatchObject({
    secret: 'plain',
    standard_secret: 'whsec_oRbJ7UbWIHc0pDMX0w/Yj1KshjTDfZBLv05B2GX5BHU=',
  });
});

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
  [{ ...HOOK, name: 'x'.repeat(192) }, 'name'],
];

test.each(REFUSALS)('refused (%#)', async (payload, property) => {
  const harness = await createHarness();
  await expect(create(harness, payload)).rejects.toMatchObject({ code: 'VALIDATION', property });
  expect(harness.shell.prepare('SELECT count(*) FROM webhooks').pluck().get()).toBe(0);
});

test('the same event and target, whatever the case, is refused', async () => {
  const harness = await createHarness();
  await create(harness);
  const twin = { ...HOOK, target_url: 'https://RECEIVER.example/hook' };
  await expect(create(harness, twin)).rejects.toMatchObject({
    message: 'Target URL has already been used for this event.',
  });
  await create(harness, { ...HOOK, event: 'site.changed' });
});

test('a webhook belongs to its key as long as that key is in force', async () => {
  const harness = await createHarness();
  const { id: owner } = await createKey(harness.context, { type: 'admin', name: 'Owner' });
  const { id } = await create(harness, HOOK, owner);
  await expect(edit(harness, id, { name: 'N' })).rejects.toMatchObject({ code: 'NO_PERMISSION' });
  await revokeKey(harness.context, owner);
  await edit(harness, id, { name: 'N' });
  await removeWebhook(harness.context, id, KEY);
  await expect(removeWebhook(harness.context, id, KEY)).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
});
