import { describe, expect, test } from 'vitest';
import { beginAnnouncing } from '../../../../src/publication/store/log/publishing.ts';
import { checkRows } from '../../../helpers/check-rows.ts';
import { isOnPostgres } from '../../../helpers/publication.ts';
import { START } from '../admin/harness.ts';
import { bodyOf, type Served, serve, signToken, type TokenParts } from './harness.ts';

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
  const refused: readonly [string, TokenParts | string][] = [
    ['no scheme', ''],
    ['no token', 'Ghost '],
    ['not a token', 'Ghost a.b.c'],
    [
      'unknown key signed with the stand-in',
      { header: { kid: 'f'.repeat(24) }, secret: '01'.repeat(32) },
    ],
    ['no key id', { header: { kid: undefined } }],
    ['key id that is no text', { header: { kid: { $ne: '' } } }],
    ['critical extension', { header: { crit: ['x'], x: 1 } }],
    ['not yet valid', { claims: { nbf: NOW + 60 } }],
    ['ends before it begins', { claims: { iat: NOW + 50, exp: NOW + 20 } }],
    ['without iat', { claims: { iat: undefined } }],
    ['iat that is text', { claims: { iat: String(NOW) } }],
    ['without exp', { claims: { exp: undefined } }],
    ['without aud', { claims: { aud: undefined } }],
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
        context: expect.stringContaining('the part of an admin key before the colon'),
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
    for (let round = 0; round < 4; round += 1) await get('/admin/posts/');
    passTime(-1_000_000_000);
    expect((await get('/admin/posts/')).status).toBe(401);
  });
});

describe('posts', () => {
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
    const served = await serve();
    const { admin } = served;
    const response = await admin('GET', '/ghost/api/admin/posts?limit=1');
    expect([response.status, response.headers.get('location')]).toEqual([
      301,
      '/ghost/api/admin/posts/?limit=1',
    ]);
    const { id } = await addPost(served);
    const gone = await admin('DELETE', `/admin/posts/${id}`);
    expect([gone.status, await gone.text()]).toEqual([204, '']);
    const made = await admin('POST', '/admin/pages', { pages: [{ title: 'About' }] });
    const [page] = ((await made.json()) as { pages: { id: string }[] }).pages;
    expect(made.headers.get('location')).toBe(`${served.origin}/admin/pages/${page?.id}/`);
  });

  test('a new record has its address below the one that was asked', async () => {
    const served = await serve({ flags: { basePath: '/blog' } });
    const post = served.insert('posts', { title: 'Copied' });
    for (const prefix of ['/blog', '/blog/ghost/api', '/blog/ghost/api/v4']) {
      const named = { name: prefix, title: prefix, email: `${prefix.length}@example.com` };
      const element = { ...named, currency: 'usd', monthly_price: 500, yearly_price: 5000 };
      for (const path of [
        'posts',
        `posts/${post}/copy`,
        'tags',
        'members',
        'newsletters',
        'tiers',
      ]) {
        const [root = ''] = path.split('/');
        const made = await served.admin('POST', `${prefix}/admin/${path}/`, { [root]: [element] });
        const [record] = (await bodyOf(made))[root] ?? [];
        const location = `${served.origin}${prefix}/admin/${root}/${record?.id}/`;
        expect(made.headers.get('location')).toBe(location);
      }
    }
  });
});

describe('errors', () => {
  const ID = 'a'.repeat(24);
  const OTHER = { id: 'b'.repeat(24), updated_at: null };
  const NO_DAY = { published_at: '2026-02-31T00:00:00Z' };
  const NO_ROUTE = { message: expect.stringContaining('docs/admin-interface.md'), context: null };
  const ROOTLESS = {
    context: 'posts must hold exactly one object, as in {"posts": [{...}]}.',
    property: 'posts',
  };
  const ABSENT = {
    type: 'NotFoundError',
    message: 'Resource not found error, cannot',
    context: 'Post not found.',
  };
  const UNTITLED = {
    type: 'ValidationError',
    message: 'Validation error, cannot save post.',
    context: 'title is required.',
    property: 'title',
  };
  const of = (...posts: object[]) => ({ posts });
  const cases: readonly [request: string, status: number, expected: Problem, body?: unknown][] = [
    [`GET /admin/posts/${ID}/`, 404, { ...ABSENT, message: `${ABSENT.message} read post.` }],
    ['GET /admin/posts/slug/none/', 404, { context: 'Post not found.' }],
    [`GET /admin/posts/slug/${'x'.repeat(2000)}/`, 404, {}],
    ['GET /admin/posts/xyz1/', 422, { property: 'id' }],
    ['GET /admin/posts/?limit=-1', 422, { property: 'limit' }],
    ['GET /admin/posts/?page=x', 422, { property: 'page' }],
    ['GET /admin/posts/?formats=pdf', 422, { property: 'formats' }],
    ['POST /admin/posts/?source=lexical', 422, { property: 'source' }, of({ title: 'x' })],
    ['POST /admin/posts/', 422, UNTITLED, of({})],
    ['POST /admin/posts/', 422, { property: 'title' }, of({ title: 5 })],
    ['POST /admin/posts/', 422, { property: 'featured' }, of({ title: 'a', featured: 'yes' })],
    ['POST /admin/posts/', 422, { property: 'published_at' }, of({ title: 'a', ...NO_DAY })],
    ['POST /admin/posts/', 422, { property: 'posts' }, of({ title: 'a' }, { title: 'b' })],
    ['POST /admin/posts/', 422, ROOTLESS, { post: [] }],
    ['POST /admin/posts/', 422, ROOTLESS, of()],
    ['POST /admin/posts/', 422, ROOTLESS, []],
    ['POST /admin/posts/', 422, ROOTLESS, null],
    ['POST /admin/tags/', 422, { property: 'tags' }, { tags: [] }],
    ['POST /admin/pages/', 400, { context: "No root key ('pages') provided." }, { pages: [{}] }],
    [`PUT /admin/pages/${ID}/`, 400, { context: 'Invalid id provided.' }, { pages: [OTHER] }],
    [`PUT /admin/posts/${ID}/`, 404, {}, of(OTHER)],
    ['POST /admin/posts/', 422, { property: 'tiers' }, of({ title: 'a', tiers: [{ id: ID }] })],
    [`PUT /admin/posts/${ID}/`, 422, { property: 'updated_at' }, of({ title: 'x' })],
    [`PUT /admin/posts/${ID}/`, 404, {}, of({ updated_at: null })],
    [`DELETE /admin/posts/${ID}/`, 404, { message: `${ABSENT.message} delete post.` }],
    ['DELETE /admin/webhooks/nothex/', 422, {}],
    ['GET /admin/webhooks/', 404, NO_ROUTE],
    [`GET /admin/webhooks/${ID}/`, 404, NO_ROUTE],
    ['PATCH /admin/posts/', 404, NO_ROUTE, {}],
    ...[
      'posts/export',
      'members/events',
      'members/stripe_connect',
      'members/stats/count',
      'members/hasActiveStripeSubscriptions',
      'members/bulk',
      'posts/bulk',
      'posts/analytics',
      'users/roles',
      'roles',
      'actions',
      'comments',
    ].map((path) => [`GET /admin/${path}/?limit=1`, 404, NO_ROUTE] as [string, number, Problem]),
    ['GET /admin/search-index/posts/', 404, NO_ROUTE],
    ['PUT /admin/tags/bulk/', 404, NO_ROUTE, {}],
    ...['facade', ID.slice(1), '65b2c0ffee', '65b2c0ffeo'].map(
      (id) => [`GET /admin/posts/${id}/`, 422, { property: 'id' }] as [string, number, Problem],
    ),
    [
      'GET /admin/posts/mistyped/',
      404,
      {
        message:
          'Prepress does not offer this call: /docs/ and docs/admin-interface.md name those that it does. "mistyped" is not an id (24 hexadecimal characters).',
      },
    ],
    ['PUT /admin/posts/x1/', 422, { context: expect.stringContaining('got "x1"') }, {}],
    ['DELETE /admin/posts/', 422, { context: expect.stringContaining('?filter=status:draft') }],
    ['GET /admin/nonsense/', 404, { type: 'NotFoundError', context: null }],
    ['POST /admin/keys/', 422, { property: 'type' }, { keys: [{ type: 'root', name: 'x' }] }],
  ];

  test('an error has its status, type and property', async () => {
    const { admin } = await serve();
    await checkRows(cases, async ([request, status, expected, body]) => {
      const [method = '', path = ''] = request.split(' ');
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
        ['constructor', '{"posts":[{"constructor":{"prototype":{}}}]}', 'application/json', 400],
        ['text', 'posts', 'text/plain', 415],
        ['a form', 'a=b', 'application/x-www-form-urlencoded', 415],
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

  test.skipIf(isOnPostgres)('a fault of ours shows nothing of its cause', async () => {
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

test.skipIf(isOnPostgres)(
  'the health names a clock that is behind, and answers whatever the database says',
  async () => {
    const { get, store, shell } = await serve();
    const health = async () => {
      const response = await get('/health');
      return [response.status, await response.json()];
    };
    await beginAnnouncing(store, START + 300_000);
    expect(await health()).toEqual([200, { status: 'ok' }]);
    shell.prepare('UPDATE published_position SET finished_at = ?').run(START + 300_001);
    const clock = expect.stringMatching(/^The clock says .* "prepress clock accept"/);
    expect(await health()).toEqual([200, { status: 'ok', clock }]);
    shell.exec('DROP TABLE published_position');
    expect(await health()).toEqual([200, { status: 'ok' }]);
  },
);
