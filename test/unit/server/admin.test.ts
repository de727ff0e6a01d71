import GhostAdminAPI from '@tryghost/admin-api';
import { describe, expect, test } from 'vitest';
import { createKey, revokeKey } from '../../../src/admin/keys.ts';
import { createLogger } from '../../../src/server/logger.ts';
import { checkRows } from '../../helpers/check-rows.ts';
import { START } from '../admin/harness.ts';
import { type Served, serve, signToken, type TokenParts } from './harness.ts';

type Problem = Record<string, unknown>;
type PostsBody = { posts: (Problem & { id: string; updated_at: string })[]; meta?: unknown };

const problemOf = async (response: Response): Promise<Problem> => {
  const { errors } = (await response.json()) as { errors: Problem[] };
  const [problem = {}] = errors;
  expect(Object.keys(problem)).toEqual([
    'message',
    'context',
    'type',
    'details',
    'property',
    'help',
    'code',
    'id',
    'ghostErrorCode',
  ]);
  return problem;
};

const postsOf = async (response: Response): Promise<PostsBody> =>
  (await response.json()) as PostsBody;

const addPost = async ({ admin }: Served, fields: object = {}) => {
  const response = await admin('POST', '/admin/posts/?source=html', {
    posts: [{ title: 'First', html: '<p>a</p>', ...fields }],
  });
  expect(response.status).toBe(201);
  const [post] = (await postsOf(response)).posts;
  if (post === undefined) throw new Error('no post');
  return post;
};

describe('who asks', () => {
  const NOW = START / 1000;
  const OTHER = 'e'.repeat(64);
  const refused: readonly [string, TokenParts | string][] = [
    ['no scheme', ''],
    ['another scheme', 'Basic abc'],
    ['no token', 'Ghost '],
    ['not a token', 'Ghost a.b.c'],
    ['other secret', { secret: OTHER }],
    ['unknown key', { header: { kid: 'f'.repeat(24) } }],
    [
      'unknown key signed with the stand-in',
      { header: { kid: 'f'.repeat(24) }, secret: '01'.repeat(32) },
    ],
    ['no key id', { header: { kid: undefined } }],
    ['key id that is no text', { header: { kid: { $ne: '' } } }],
    ['algorithm none', { header: { alg: 'none' } }],
    ['another algorithm', { header: { alg: 'HS512' } }],
    ['critical extension', { header: { crit: ['x'], x: 1 } }],
    ['expired', { claims: { iat: NOW - 301, exp: NOW - 1 } }],
    ['from the future', { claims: { iat: NOW + 61, exp: NOW + 100 } }],
    ['not yet valid', { claims: { nbf: NOW + 60 } }],
    ['lives too long', { claims: { exp: NOW + 301 } }],
    ['ends before it begins', { claims: { iat: NOW + 50, exp: NOW + 20 } }],
    ['without iat', { claims: { iat: undefined } }],
    ['iat that is text', { claims: { iat: String(NOW) } }],
    ['without exp', { claims: { exp: undefined } }],
    ['without aud', { claims: { aud: undefined } }],
    ['another aud', { claims: { aud: '/content/' } }],
    ['aud without slashes', { claims: { aud: 'admin' } }],
    ['several aud, none of them ours', { claims: { aud: ['/content/', 'admin'] } }],
    ['an aud that is no text', { claims: { aud: [['/admin/']] } }],
    ['no aud among several', { claims: { aud: [] } }],
    ['too long', { claims: { pad: 'x'.repeat(4096) } }],
  ];

  test('whatever is wrong: the one 401', async () => {
    const { get, adminKey } = await serve({ flags: { authFailuresMax: 1_000 } });
    await checkRows(refused, async ([_, wrong]) => {
      const authorization =
        typeof wrong === 'string' ? wrong : `Ghost ${signToken(adminKey, wrong)}`;
      const response = await get('/admin/posts/', { headers: { authorization } });
      expect(response.status).toBe(401);
      expect(await problemOf(response)).toMatchObject({
        type: 'UnauthorizedError',
        message: 'Authorization failed',
        context: null,
        code: null,
      });
    });
  });

  test('tokens of every accepted form are let in', async () => {
    const { get, adminKey } = await serve();
    await checkRows(
      [
        ['Ghost', {}],
        ['ghost', {}],
        ['Bearer', {}],
        ['Ghost', { claims: { aud: '/v4/admin/' } }],
        ['Bearer', { claims: { aud: ['/content/', '/admin/'] } }],
        ['Ghost', { claims: { aud: '/canary/admin/' } }],
        ['Ghost', { claims: { iat: NOW + 59, exp: NOW + 300 } }],
        ['Ghost', { claims: { iat: NOW - 299, exp: NOW + 1 } }],
      ],
      async ([scheme, parts]) => {
        const authorization = `${scheme} ${signToken(adminKey, parts)}`;
        expect((await get('/admin/posts/', { headers: { authorization } })).status).toBe(200);
      },
    );
  });

  test('keys of other types and revoked keys sign nothing', async () => {
    const { get, context, shell } = await serve();
    const hook = await createKey(context, { type: 'hook', name: 'x' });
    const gone = await createKey(context, { type: 'admin', name: 'x' });
    await revokeKey(context, gone.id);
    const long = await createKey(context, { type: 'content', name: 'x' });
    const secret = 'd'.repeat(64);
    shell
      .prepare('UPDATE api_keys SET secret_sealed = ? WHERE id = ?')
      .run(context.secretBox.seal(secret), long.id);
    for (const key of [`${hook.id}:${hook.key}`, `${long.id}:${secret}`, gone.key]) {
      const authorization = `Ghost ${signToken(key, {})}`;
      expect((await get('/admin/posts/', { headers: { authorization } })).status).toBe(401);
    }
  });

  test('a token in the address is no token', async () => {
    const { get, adminKey } = await serve();
    const token = signToken(adminKey, {});
    expect((await get(`/admin/posts/?token=${token}&key=${adminKey}`)).status).toBe(401);
  });

  test('too many failures are held up, a good key never, and the window ends', async () => {
    const { get, admin, passTime } = await serve({ flags: { authFailuresMax: 3 } });
    const statuses: number[] = [];
    for (let round = 0; round < 5; round += 1) statuses.push((await get('/admin/posts/')).status);
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
    const held = await get('/admin/posts/');
    expect(Number(held.headers.get('retry-after'))).toBe(600);
    expect(await problemOf(held)).toMatchObject({ type: 'TooManyRequestsError' });
    expect((await get('/hooks/build/x', { method: 'POST' })).status).toBe(429);
    expect((await admin('GET', '/admin/posts/')).status).toBe(200);
    passTime(600_000);
    expect((await get('/admin/posts/')).status).toBe(401);
  });
});

describe('posts', () => {
  test('are added, published, read, listed, deleted', async () => {
    const served = await serve();
    const { admin, origin, asked } = served;
    const post = await addPost(served);
    expect(post).toMatchObject({ slug: 'first', status: 'draft', html: '<p>a</p>' });
    const put = await admin('PUT', `/admin/posts/${post.id}/`, {
      posts: [{ id: post.id, status: 'published', updated_at: post.updated_at }],
    });
    expect((await postsOf(put)).posts[0]).toMatchObject({
      status: 'published',
      published_at: '2026-03-01T12:00:00.000Z',
      url: 'https://news.example/first/',
    });
    expect(asked).toEqual(['wake', 'wake']);
    const read = await admin('GET', `/admin/posts/slug/first/?formats=plaintext`);
    const [shown] = (await postsOf(read)).posts;
    expect(shown).toMatchObject({ plaintext: 'a' });
    expect(shown).not.toHaveProperty('html');
    const list = await postsOf(await admin('GET', '/ghost/api/v4/admin/posts/?limit=1'));
    expect(list).toMatchObject({ posts: [{ id: post.id }], meta: { pagination: { total: 1 } } });
    const gone = await admin('DELETE', `/admin/posts/${post.id}`);
    expect([gone.status, await gone.text()]).toEqual([204, '']);
    expect((await admin('GET', `/admin/posts/${post.id}/`)).status).toBe(404);
    const again = await admin('POST', '/admin/pages', { pages: [{ title: 'About' }] });
    const [page] = ((await again.json()) as { pages: { id: string }[] }).pages;
    expect(again.headers.get('location')).toBe(`${origin}/admin/pages/${page?.id}/`);
  });

  test('answers of the admin interface are kept by nobody', async () => {
    const { admin } = await serve();
    const { headers } = await admin('GET', '/ghost/api/v3/admin/posts/');
    expect(headers.get('cache-control')).toContain('no-store');
    expect(headers.get('content-version')).toBe('v6.65');
    expect(headers.get('deprecation')).toBe('version="v3"');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toBe("default-src 'none'");
    expect(headers.get('access-control-allow-origin')).toBeNull();
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('reads without the slash are redirected, writes are not', async () => {
    const { admin } = await serve();
    const response = await admin('GET', '/ghost/api/admin/posts?limit=1');
    expect([response.status, response.headers.get('location')]).toEqual([
      301,
      '/ghost/api/admin/posts/?limit=1',
    ]);
  });
});

describe('errors', () => {
  const ID = 'a'.repeat(24);
  const cases: readonly [string, string, unknown, number, Problem][] = [
    [
      'GET',
      `/admin/posts/${ID}/`,
      undefined,
      404,
      {
        type: 'NotFoundError',
        message: 'Resource not found error, cannot read post.',
        context: 'Post not found.',
      },
    ],
    ['GET', '/admin/posts/slug/none/', undefined, 404, { context: 'Post not found.' }],
    ['GET', '/admin/posts/xyz/', undefined, 422, { property: 'id' }],
    ['GET', '/admin/posts/?limit=-1', undefined, 422, { property: 'limit' }],
    ['GET', '/admin/posts/?page=x', undefined, 422, { property: 'page' }],
    ['GET', '/admin/posts/?formats=pdf', undefined, 422, { property: 'formats' }],
    [
      'POST',
      '/admin/posts/?source=lexical',
      { posts: [{ title: 'x' }] },
      422,
      { property: 'source' },
    ],
    [
      'POST',
      '/admin/posts/',
      { posts: [{}] },
      422,
      {
        type: 'ValidationError',
        message: 'Validation error, cannot save post.',
        context: 'title is required.',
        property: 'title',
      },
    ],
    ['POST', '/admin/posts/', { posts: [{ title: 5 }] }, 422, { property: 'title' }],
    [
      'POST',
      '/admin/posts/',
      { posts: [{ title: 'a', featured: 'yes' }] },
      422,
      { property: 'featured' },
    ],
    [
      'POST',
      '/admin/posts/',
      { posts: [{ title: 'a' }, { title: 'b' }] },
      422,
      { property: 'posts' },
    ],
    [
      'POST',
      '/admin/posts/',
      { post: [] },
      400,
      {
        type: 'BadRequestError',
        context: "No root key ('posts') provided.",
      },
    ],
    ['POST', '/admin/posts/', { posts: [] }, 400, {}],
    ['POST', '/admin/posts/', [], 400, {}],
    ['POST', '/admin/posts/', null, 400, {}],
    [
      'PUT',
      `/admin/posts/${ID}/`,
      { posts: [{ id: 'b'.repeat(24), updated_at: null }] },
      400,
      {
        context: 'Invalid id provided.',
      },
    ],
    ['PUT', `/admin/posts/${ID}/`, { posts: [{ title: 'x' }] }, 422, { property: 'updated_at' }],
    ['PUT', `/admin/posts/${ID}/`, { posts: [{ updated_at: null }] }, 404, {}],
    [
      'DELETE',
      `/admin/posts/${ID}/`,
      undefined,
      404,
      {
        message: 'Resource not found error, cannot delete post.',
      },
    ],
    ['DELETE', '/admin/webhooks/nothex/', undefined, 422, {}],
    ['GET', '/admin/webhooks/', undefined, 404, { message: 'Resource not found' }],
    ['GET', `/admin/webhooks/${ID}/`, undefined, 404, { message: 'Resource not found' }],
    ['PATCH', '/admin/posts/', {}, 404, { message: 'Resource not found' }],
    ['GET', '/admin/nonsense/', undefined, 404, { type: 'NotFoundError', context: null }],
    ['GET', `/admin/posts/slug/${'x'.repeat(2000)}/`, undefined, 404, {}],
    ['POST', '/admin/keys/', { keys: [{ type: 'root', name: 'x' }] }, 422, { property: 'type' }],
  ];

  test('an error has its status, type and property', async () => {
    const { admin } = await serve();
    await checkRows(cases, async ([method, path, body, status, expected]) => {
      const response = await admin(method, path, body);
      expect(response.status).toBe(status);
      expect(await problemOf(response)).toMatchObject(expected);
    });
  });

  test('a save on an older state', async () => {
    const served = await serve();
    const post = await addPost(served);
    const put = (title: string): Promise<Response> =>
      served.admin('PUT', `/admin/posts/${post.id}/`, {
        posts: [{ title, updated_at: post.updated_at }],
      });
    expect((await put('Mine')).status).toBe(200);
    const late = await put('Yours');
    expect(late.status).toBe(409);
    expect(await problemOf(late)).toMatchObject({
      type: 'UpdateCollisionError',
      code: 'UPDATE_COLLISION',
      message: 'Saving failed! Someone else is editing this post.',
    });
  });

  test('a body that is not read', async () => {
    const { get, adminKey } = await serve();
    await checkRows(
      [
        ['half an object', '{"posts":', 'application/json', 400],
        ['nothing', '', 'application/json', 400],
        ['__proto__', '{"__proto__":{"a":1}}', 'application/json', 400],
        ['constructor', '{"posts":[{"constructor":{"prototype":{}}}]}', 'application/json', 400],
        ['text', 'posts', 'text/plain', 415],
        ['a form', 'a=b', 'application/x-www-form-urlencoded', 415],
        [
          'more than 10 MB',
          `{"posts":[{"title":"${'x'.repeat(10 * 1024 * 1024)}"}]}`,
          'application/json',
          413,
        ],
      ],
      async ([_name, body, type, status]) => {
        const authorization = `Ghost ${signToken(adminKey, {})}`;
        const headers = { authorization, 'content-type': type };
        const response = await get('/admin/posts/', { method: 'POST', headers, body });
        expect(response.status).toBe(status);
        await problemOf(response);
      },
    );
  });

  test('a secret that cannot be opened shows nothing of where it lies', async () => {
    const { admin, shell, folder } = await serve();
    shell.exec("UPDATE api_keys SET secret_sealed = zeroblob(40) WHERE type = 'admin'");
    const response = await admin('GET', '/admin/posts/');
    expect(response.status).toBe(500);
    expect(JSON.stringify(await problemOf(response))).not.toContain(folder);
  });

  test('a fault of ours shows nothing of its cause', async () => {
    const { admin, shell } = await serve();
    shell.exec('ALTER TABLE posts RENAME TO lost');
    const response = await admin('GET', '/admin/posts/');
    expect(response.status).toBe(500);
    expect(await problemOf(response)).toMatchObject({
      message: 'Internal server error, cannot list posts.',
      context: null,
      code: 'UNEXPECTED_ERROR',
    });
  });
});

test('a build hook needs its token only, and answers the build', async () => {
  const { get, hookToken, contentKey, asked } = await serve();
  const bodies = [undefined, 'a=b', '{broken'];
  for (const body of bodies) {
    const response = await get(`/hooks/build/${hookToken}`, {
      method: 'POST',
      ...(body && { body }),
    });
    expect([response.status, await response.json()]).toEqual([
      202,
      { build: { id: 'b'.repeat(24) } },
    ]);
  }
  expect(asked).toEqual(['hook hook', 'hook hook', 'hook hook']);
  for (const token of ['none', contentKey]) {
    expect((await get(`/hooks/build/${token}/`, { method: 'POST' })).status).toBe(401);
  }
  expect((await get(`/hooks/build/${hookToken}`)).status).toBe(404);
});

test('the state names e-mail-only posts that are due', async () => {
  const { admin, insert } = await serve();
  const due = { status: 'scheduled', slug: 'letter', published_at: '2026-01-01T10:00:00.000Z' };
  insert('posts_meta', { post_id: insert('posts', due), email_only: 1 });
  expect(await (await admin('GET', '/admin/state/')).json()).toMatchObject({
    state: {
      lastChange: null,
      heldPosts: [expect.stringMatching(/^The post "letter" stays scheduled after 2026-01-01/)],
    },
  });
});

test('keys are made, listed without secrets, and revoked at once', async () => {
  const { admin, get } = await serve();
  const made = await admin('POST', '/admin/keys/', { keys: [{ type: 'admin', name: 'New' }] });
  const [key] = ((await made.json()) as { keys: { id: string; key: string }[] }).keys;
  const authorization = `Ghost ${signToken(key?.key ?? '', {})}`;
  const withNew = async (): Promise<number> =>
    (await get('/admin/state/', { headers: { authorization } })).status;
  expect(await withNew()).toBe(200);
  const list = await (await admin('GET', '/admin/keys/')).text();
  expect(list).not.toContain(key?.key.split(':')[1]);
  expect((await admin('DELETE', `/admin/keys/${key?.id}/`)).status).toBe(204);
  expect(await withNew()).toBe(401);
});

test('logs hold no key, token, query or body', async () => {
  const lines: string[] = [];
  const logger = createLogger('debug', { write: (line: string) => void lines.push(line) });
  const served = await serve({ logger });
  const { get, admin, hookToken, contentKey, adminKey } = served;
  await addPost(served, { title: 'canary-title', html: 'canary-html' });
  await get(`/content/posts/?key=${contentKey}`);
  await get(`/hooks/build/${hookToken}`, { method: 'POST' });
  await get(`/hooks/build/canary-token`, { method: 'POST' });
  await admin('PUT', '/admin/posts/canary-id/', { posts: [{ title: 'canary-title' }] });
  served.shell.exec('ALTER TABLE posts RENAME TO lost');
  await admin('POST', '/admin/posts/?source=html', { posts: [{ title: 'canary-title' }] });
  const log = lines.join('');
  expect(lines.length).toBeGreaterThanOrEqual(6);
  const secrets = [contentKey, adminKey, adminKey.split(':')[1] ?? '', hookToken];
  for (const secret of [...secrets, 'canary-title', 'canary-html', 'canary-token', 'eyJ']) {
    expect(log.includes(secret), secret).toBe(false);
  }
});

test('the stock client adds, edits, reads, lists and deletes', async () => {
  const served = await serve();
  served.passTime(Date.now() - START);
  const api = new GhostAdminAPI({ url: served.origin, key: served.adminKey, version: 'v6.0' });
  const post = await api.posts.add(
    { title: 'By client', html: '<p>a</p>', tags: ['News'] },
    { source: 'html' },
  );
  const edited = await api.posts.edit({
    id: post.id,
    updated_at: post.updated_at,
    status: 'published',
  });
  expect(edited.status).toBe('published');
  expect(await api.posts.read({ slug: 'by-client' }, { formats: ['html'] })).toMatchObject({
    html: '<p>a</p>',
    tags: [{ name: 'News' }],
  });
  const all = await api.posts.browse({ limit: 'all' });
  expect(all).toHaveLength(1);
  expect(await api.posts.edit({ ...all[0] })).toMatchObject({ updated_at: edited.updated_at });
  await api.posts.delete({ id: post.id });
  await expect(api.posts.read({ id: post.id })).rejects.toMatchObject({ type: 'NotFoundError' });
  const page = await api.pages.add({ title: 'About' });
  expect(
    await api.pages.edit({ id: page.id, updated_at: page.updated_at, title: 'Us' }),
  ).toMatchObject({ title: 'Us', slug: 'about' });
  const webhook = await api.webhooks.add({
    event: 'post.published',
    target_url: 'https://receiver.example/',
  });
  expect(await api.webhooks.edit({ id: webhook.id, name: 'N' })).toMatchObject({ secret: null });
  await api.webhooks.delete({ id: webhook.id });
});
