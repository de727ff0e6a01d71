// The companion server redirects as hosts do by their rules.
import { expect, test } from 'vitest';
import { saveRedirects } from '../../../../src/publication/store/content/redirects.ts';
import { REDIRECT_LINES, REDIRECTED } from '../../../helpers/redirects.ts';
import { serve } from './harness.ts';

/** What the server spells its own way, or answers itself. */
const OWN_SPELLING = /%0d%0a|%3F|^\/ghost|^\/content|\/\//;

test.each(['', '/blog'])('paths lead where the publication says, below "%s"', async (basePath) => {
  const { get, context, put } = await serve({ flags: { basePath } });
  await context.store.write((tx) => saveRedirects(tx, REDIRECT_LINES, 0));
  put('old/index.html', 'a page of that name');
  const answers: unknown[] = [];
  const asked = REDIRECTED.filter(([path]) => !OWN_SPELLING.test(path));
  for (const [path] of asked) {
    const { status, headers } = await get(`${basePath}${path}`, { redirect: 'manual' });
    const location = headers.get('location');
    answers.push([path, status === 404 ? null : `${status} ${location}`]);
  }
  expect(answers).toEqual(asked.map(([path, to]) => [path, to?.replace('BASE', basePath) ?? null]));
  const cacheOf = async (path: string): Promise<string | null> =>
    (await get(`${basePath}${path}`, { redirect: 'manual' })).headers.get('cache-control');
  expect([await cacheOf('/old/'), await cacheOf('/part/')]).toEqual([
    'public, max-age=0',
    'public, max-age=31536000',
  ]);
  const kept = ['/content/posts/all/', '/content/images/all', '/ghost/all/'];
  for (const path of ['/blog//evil.example', '//evil.example/amp/', ...kept]) {
    const { status, headers } = await get(`${basePath}${path}`, { redirect: 'manual' });
    expect([path, status < 400, headers.get('location')]).toEqual([path, false, null]);
  }
  await context.store.write((tx) => saveRedirects(tx, [], 0));
  expect((await get(`${basePath}/part/`)).status).toBe(404);
});
