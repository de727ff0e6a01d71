// While no build was ever placed, nothing is answered that a client may take for the truth.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serve } from './harness.ts';

const DONE = { records: 1_200, total: 10_000 };

test.each([
  ['under way', () => DONE, 'The first build is under way', '1,200 of 10,000 records are done.'],
  ['just begun', () => ({ records: 0, total: 0 }), 'The first build is under way', null],
  ['failed', () => null, 'No build has succeeded yet', 'The log of the server says why.'],
])('without a tree, a first build %s', async (_, firstBuild, state, count) => {
  const { get, contentKey, put } = await serve({ firstBuild });
  const paths = [`posts/?key=${contentKey}`, `posts/slug/x/index.json?key=${contentKey}`];
  for (const path of [...paths, `settings/?key=${contentKey}`, 'nonsense/', '404.json', '']) {
    for (const prefix of ['/content', '/ghost/api/content']) {
      const answer = await get(`${prefix}/${path}`);
      expect([answer.status, answer.headers.get('retry-after')], path).toEqual([503, '5']);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      const { errors } = (await answer.json()) as { errors: Record<string, unknown>[] };
      expect(Object.keys(errors[0] ?? {})).toHaveLength(9);
      expect(errors[0]?.message).toBe(`${state}. Please try again.`);
      expect(errors[0]?.context).toBe(count);
    }
  }
  expect((await get(`/content/posts/?key=${contentKey}`, { method: 'HEAD' })).status).toBe(503);
  // Who asks is looked at first, and addresses do not depend on files.
  expect((await get('/content/posts/')).status).toBe(403);
  expect((await get(`/content/posts?key=${contentKey}`)).status).toBe(301);
  expect((await get('/content/posts/', { method: 'OPTIONS' })).status).toBe(204);
  expect((await get('/health')).status).toBe(200);
  const page = await get('/');
  expect([page.status, page.headers.get('retry-after')]).toEqual([503, '5']);
  const html = await page.text();
  expect(html).toContain(`<h1>${state}</h1>`);
  expect(html).toContain('<meta http-equiv="refresh" content="2">');
  expect(html).not.toContain('<script');
  if (count !== null) expect(html).toContain(count);
  expect((await get('/about/')).status).toBe(404);
  put('index.html', 'home');
  expect(await (await get('/')).text()).toBe('home');
});

test('what stands is served, whatever is being built', async () => {
  const { get, contentKey, put, output } = await serve({ firstBuild: () => DONE });
  const statusOf = async (path: string): Promise<number> =>
    (await get(`/content/${path}?key=${contentKey}`)).status;
  put('content/posts/index.json', '{"posts":[]}');
  put('content/images/a.png', 'png');
  expect([await statusOf('posts/'), await statusOf('images/a.png')]).toEqual([200, 200]);
  expect(await statusOf('tags/')).toBe(503);
  put('content/manifest.json', '{}');
  expect(await statusOf('tags/')).toBe(404);
  put('content/404.json', '{"errors":[]}');
  expect(await statusOf('tags/')).toBe(404);
  // The tree stands, its pages are still rendered.
  expect((await get('/')).status).toBe(503);
  rmSync(join(output, 'content'), { recursive: true });
  expect(await statusOf('tags/')).toBe(503);
});

test('the page stands at the base path', async () => {
  const { get } = await serve({ flags: { basePath: '/blog' }, firstBuild: () => DONE });
  for (const path of ['/blog/', '/blog']) expect((await get(path)).status).toBe(503);
  expect((await get('/')).status).toBe(404);
});
