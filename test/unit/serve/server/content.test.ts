import { linkSync, mkdirSync, renameSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { revokeKey } from '../../../../src/serve/admin/keys/keys.ts';
import { type Served, serve } from './harness.ts';

const ID = 'a'.repeat(24);

const POSTS = JSON.stringify({ posts: [{ id: ID }] });

const withTree = async (flags: Record<string, unknown> = {}): Promise<Served> => {
  const served = await serve({ flags });
  const base = String(flags.basePath ?? '').slice(1);
  const put = (file: string, body: string): void => served.put(join(base, 'content', file), body);
  put('posts/index.json', POSTS);
  put('404.json', '{"errors":[{"id":null}]}');
  put('images/a.png', 'png');
  return served;
};

describe('the content key', () => {
  test('its failures have the statuses that clients know', async () => {
    const { get, adminKey, contentKey, hookToken } = await withTree();
    const failureOf = async (query: string): Promise<unknown[]> => {
      const response = await get(`/content/posts/${query}`);
      const { errors } = (await response.json()) as { errors: Record<string, unknown>[] };
      expect(Object.keys(errors[0] ?? {})).toHaveLength(9);
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      return [response.status, errors[0]?.type, errors[0]?.message, errors[0]?.code];
    };
    const unknown = [
      401,
      'UnauthorizedError',
      'Unknown Content API Key',
      'UNKNOWN_CONTENT_API_KEY',
    ];
    expect(await failureOf('')).toEqual([403, 'NoPermissionError', 'Authorization failed', null]);
    expect(await failureOf(`?key=${'0'.repeat(26)}`)).toEqual(unknown);
    expect(await failureOf(`?key=${hookToken}`)).toEqual(unknown);
    expect(await failureOf(`?key=${adminKey.split(':')[1]}`)).toEqual([
      401,
      'UnauthorizedError',
      'Invalid API Key type',
      'INVALID_API_KEY_TYPE',
    ]);
    expect(await failureOf(`?key=${contentKey}&key=${contentKey}`)).toEqual([
      400,
      'BadRequestError',
      'Invalid Request',
      'INVALID_REQUEST',
    ]);
  });

  test('a revoked key is refused at once', async () => {
    const { get, context, contentKey, shell } = await withTree();
    expect((await get(`/content/posts/?key=${contentKey}`)).status).toBe(200);
    const id = shell.prepare("SELECT id FROM api_keys WHERE type = 'content'").pluck().get();
    await revokeKey(context, String(id));
    expect((await get(`/content/posts/?key=${contentKey}`)).status).toBe(401);
  });
});

test('a client that has the bytes gets 304, until they change', async () => {
  const served = await withTree();
  const path = `/content/posts/?key=${served.contentKey}`;
  const etag = (await served.get(path)).headers.get('etag') ?? '';
  const again = (tag: string): Promise<Response> =>
    served.get(path, { headers: { 'if-none-match': tag } });
  for (const tag of [etag, `"x", W/${etag}`, '*']) {
    const response = await again(tag);
    expect([response.status, await response.text()]).toEqual([304, '']);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('etag')).toBe(etag);
  }
  const file = join(served.output, 'content/posts/index.json');
  writeFileSync(`${file}.new`, '{"posts":[]}');
  renameSync(`${file}.new`, file);
  const changed = await again(etag);
  expect(changed.status).toBe(200);
  expect(changed.headers.get('etag')).not.toBe(etag);
  utimesSync(file, new Date(), new Date());
  expect((await served.get(path)).headers.get('etag')).toBe(changed.headers.get('etag'));
});

test('the tree lies under the base path', async () => {
  const served = await withTree({ basePath: '/blog' });
  for (const prefix of ['/blog', '/ghost/api', '/blog/ghost/api/v4']) {
    const answer = await served.get(`${prefix}/content/posts/?key=${served.contentKey}`);
    expect(await answer.text(), prefix).toBe(POSTS);
  }
  expect((await served.get(`/content/posts/?key=${served.contentKey}`)).status).toBe(404);
});

test('no path leads out of the tree', async () => {
  const served = await withTree();
  const outside = join(served.folder, 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'secret.txt'), 'secret');
  writeFileSync(join(served.output, 'content/.hidden'), 'secret');
  symlinkSync(outside, join(served.output, 'content/images/link'));
  symlinkSync(join(outside, 'secret.txt'), join(served.output, 'content/images/link.txt'));
  linkSync(join(outside, 'secret.txt'), join(served.output, 'content/images/fine.txt'));
  const hostile = [
    'content/%2e%2e/%2e%2e/outside/secret.txt',
    'content/images/%2e%2e%2f%2e%2e%2f%2e%2e%2foutside/secret.txt',
    'content/images/..%5c..%5c..%5coutside%5csecret.txt',
    'content/images/%252e%252e/x',
    'content/images/link/secret.txt',
    'content/images/link.txt',
    'content/.hidden',
    'content/images//a.png',
    'content/images/a.png%00',
    'content/images/a.png/',
    'content/images/',
    'content/images',
    '.hidden',
    '..%2foutside/secret.txt',
  ];
  for (const path of hostile) {
    const response = await served.get(`/${path}`);
    expect(response.status, path).toBe(404);
    expect(await response.text()).not.toContain('secret');
  }
  expect((await served.get('/content/images/fine.txt')).status).toBe(200);
});

test('a file too large for the cache is streamed and tagged', async () => {
  const served = await withTree();
  const long = JSON.stringify({ posts: [{ id: ID, html: 'x'.repeat(2_700_000) }] });
  served.put('content/posts/index.json', long);
  const path = `/content/posts/?key=${served.contentKey}`;
  const response = await served.get(path);
  expect(await response.text()).toBe(long);
  const etag = response.headers.get('etag') ?? '';
  expect((await served.get(path, { headers: { 'if-none-match': etag } })).status).toBe(304);
  expect((await served.get(path, { method: 'HEAD' })).headers.get('etag')).toBe(etag);
});

test('pages for people get the key into their links while they are served', async () => {
  const { get, put, contentKey } = await serve();
  put(
    'index.html',
    '<a href="/content/posts/">p</a> <a href="/content/tags/?include=count.posts">t</a>',
  );
  put('about/index.html', '<a href="https://elsewhere.example/content/posts/">e</a>');
  put('404.html', '<p>Nothing here</p>');
  put('site.css', 'p{}');
  const home = await get('/');
  expect(home.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(await home.text()).toBe(
    `<a href="/content/posts/?key=${contentKey}">p</a> <a href="/content/tags/?include=count.posts&amp;key=${contentKey}">t</a>`,
  );
  expect((await get('/about')).headers.get('location')).toBe('/about/');
  expect(await (await get('/about/')).text()).not.toContain(contentKey);
  expect((await get('/site.css')).headers.get('content-type')).toContain('text/css');
  const missing = await get('/none/');
  expect([missing.status, await missing.text()]).toEqual([404, '<p>Nothing here</p>']);
});
