import { expect, test } from 'vitest';
import type { Store } from '../../../../src/publication/store/store.ts';
import { createKey, listKeys } from '../../../../src/serve/admin/keys/keys.ts';
import { createKeyLastUsed } from '../../../../src/serve/server/key-last-used.ts';
import { createHarness } from '../admin/harness.ts';
import { serve } from './harness.ts';

const seenTimes = async ({ context }: Awaited<ReturnType<typeof createHarness>>) =>
  Object.fromEntries(
    (await listKeys(context)).map(({ type, last_seen_at }) => [type, last_seen_at]),
  );

test('the last use of each kind of key is shown, and no failure counts', async () => {
  const served = await serve();
  const { get, admin, app, passTime, contentKey, hookToken } = served;
  const changes = () => served.shell.prepare('SELECT count(*) FROM changes').pluck().get();
  const before = changes();
  expect(await seenTimes(served)).toEqual({ content: null, admin: null, hook: null });
  await get('/admin/posts/', { headers: { authorization: 'Ghost x' } });
  await get(`/content/posts/?key=${contentKey.slice(1)}`);
  await get('/hooks/build/none', { method: 'POST' });
  await get(`/content/posts/?key=${contentKey}`);
  passTime(1_000);
  await admin('GET', '/admin/posts/');
  passTime(1_000);
  await get(`/hooks/build/${hookToken}`, { method: 'POST' });
  await app.close();
  expect(await seenTimes(served)).toEqual({
    content: '2026-03-01T12:00:00.000Z',
    admin: '2026-03-01T12:00:01.000Z',
    hook: '2026-03-01T12:00:02.000Z',
  });
  expect(changes()).toBe(before);
});

test('a key is written once a minute, whatever it is used for', async () => {
  const { context, passTime } = await createHarness();
  const { id } = await createKey(context, { type: 'admin', name: 'Busy' });
  let writes = 0;
  const write: Store['write'] = (run) => {
    writes += 1;
    return context.store.write(run);
  };
  const sightings = createKeyLastUsed({ ...context, store: { ...context.store, write } });
  for (let use = 0; use < 130; use += 1) {
    sightings.note(id);
    await sightings.close();
    passTime(1_000);
  }
  expect(writes).toBe(3);
  expect(await listKeys(context)).toMatchObject([{ last_seen_at: '2026-03-01T12:02:00.000Z' }]);
});

test('a database that takes no writes fails no request', async () => {
  const { context, shell } = await createHarness();
  const { id } = await createKey(context, { type: 'admin', name: 'Key' });
  const sightings = createKeyLastUsed(context);
  shell.exec('ALTER TABLE api_keys RENAME TO lost');
  sightings.note(id);
  await sightings.close();
});
