import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  createKey,
  ensureDefaultKeys,
  findShownKey,
  type KeyType,
  listKeys,
  revokeKey,
} from '../../../../src/serve/admin/keys/keys.ts';
import { createHarness } from './harness.ts';

test('keys have the forms that clients expect', async () => {
  const { context } = await createHarness();
  const content = await createKey(context, { type: 'content', name: 'Site' });
  const admin = await createKey(context, { type: 'admin', name: 'Desk' });
  expect(content.key).toMatch(/^[0-9a-f]{26}$/);
  expect(admin.key).toMatch(new RegExp(`^${admin.id}:[0-9a-f]{64}$`));
  expect(await findShownKey(context, 'admin')).toBe(admin.key);
});

test('secrets are neither listed nor legible on disk, and the key file is private', async () => {
  const { context, folder, path } = await createHarness();
  const { key } = await createKey(context, { type: 'content', name: 'Site' });
  expect(JSON.stringify(await listKeys(context))).not.toContain(key);
  for (const file of [path, `${path}-wal`]) {
    expect(readFileSync(file).includes(Buffer.from(key))).toBe(false);
  }
  expect(statSync(join(folder, 'secret.key')).mode & 0o777).toBe(0o600);
});

test('each type gets a default key once, also after it was revoked', async () => {
  const { context } = await createHarness();
  // As programs do that start at once.
  const [first, second] = [ensureDefaultKeys(context), ensureDefaultKeys(context)];
  const made = [...(await first), ...(await second)];
  expect(made.map(({ type }) => type)).toEqual(['content', 'admin', 'hook']);
  await revokeKey(context, made[0]?.id ?? '');
  expect(await ensureDefaultKeys(context)).toEqual([]);
  expect(await findShownKey(context, 'content')).toBeNull();
});

test('a key is revoked once', async () => {
  const { context, passTime } = await createHarness();
  const { id } = await createKey(context, { type: 'hook', name: 'CI' });
  passTime(1000);
  await revokeKey(context, id);
  await expect(revokeKey(context, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await listKeys(context)).toMatchObject([{ revoked_at: '2026-03-01T12:00:01.000Z' }]);
});

test('the first admin key is the owner, and others only when asked', async () => {
  const { context } = await createHarness();
  const isOwner = async (type: KeyType, wish: object = {}) =>
    (await createKey(context, { type, name: type, ...wish })).is_owner;
  expect(await isOwner('content')).toBe(false);
  expect(await isOwner('content', { isOwner: true })).toBe(false);
  expect(await isOwner('admin')).toBe(true);
  expect(await isOwner('admin')).toBe(false);
  expect(await isOwner('admin', { isOwner: true })).toBe(true);
  for (const { id } of await listKeys(context)) await revokeKey(context, id);
  expect(await isOwner('admin')).toBe(false);
});

test('the key that is shown stays when others are made, and is an owner key', async () => {
  const { context, passTime } = await createHarness();
  const own = await createKey(context, { type: 'content', name: 'Site' });
  passTime(1000);
  const other = await createKey(context, { type: 'content', name: 'Partner' });
  expect(await findShownKey(context, 'content')).toBe(own.key);
  await revokeKey(context, own.id);
  expect(await findShownKey(context, 'content')).toBe(other.key);
  const owner = await createKey(context, { type: 'admin', name: 'Owner' });
  await createKey(context, { type: 'admin', name: 'Integration' });
  expect(await findShownKey(context, 'admin')).toBe(owner.key);
});

test.each(['', '  ', 'x'.repeat(192), 'a\u001b[2Jb', 'a\nb'])(
  'a key needs a name: %j',
  async (name) => {
    const { context } = await createHarness();
    await expect(createKey(context, { type: 'admin', name })).rejects.toMatchObject({
      property: 'name',
    });
  },
);
