// The server counts the queries that it answered, lists them, and declares them when it is asked to.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { askedQueriesAt } from '../../../src/store/asked-queries.ts';
import { openManifest } from '../../../src/store/manifest.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { serve } from './harness.ts';

test('queries are counted, listed and adopted, but no default list and nothing of a person', async () => {
  const path = join(temporaryFolder(), 'build.db');
  openManifest(path).close();
  const adoptQueries = async () => ({ queries: [], left: [] });
  const { app, admin, get } = await serve({ askedQueries: askedQueriesAt(path), adoptQueries });
  const asked = ['limit=3', 'limit=3', '', "filter=title:~'someone@example.com'"];
  for (const query of asked) app.queriesSeen.note('posts', query);
  const last_asked_at = '2026-03-01T12:00:00.000Z';
  expect(await (await admin('GET', '/admin/queries/')).json()).toEqual({
    queries: [{ resource: 'posts', query: 'limit=3', count: 2, last_asked_at }],
  });
  expect((await get('/admin/queries/adopt/', { method: 'POST' })).status).toBe(401);
  const adopted = await admin('POST', '/admin/queries/adopt/');
  expect(await adopted.json()).toEqual({ queries: [], meta: { left: [] } });
});
