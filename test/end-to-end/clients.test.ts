// Readers against the server as it is started for the first time: the stock client from npm, unmodified,
// and plain requests of each of the 13 endpoints in every variant and spelling.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import GhostContentAPI from '@tryghost/content-api';
import { beforeAll, describe, expect, test } from 'vitest';
import { findDocumentSchema, notFoundDocumentSchema } from '../helpers/document-schema.ts';
import { CONTENT, type Serving, startServing } from '../helpers/serve.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';

const POST = 'pilot-0410';
const PAGE = 'visit';
const TAG = 'harbours';
const AUTHOR = 'ines-valadares';

let serving: Serving;
let api: GhostContentAPI;

beforeAll(async () => {
  const folder = suiteFolder();
  serving = await startServing(folder.path, { args: ['--sample'] });
  api = clientOf(serving);
  return async () => {
    await serving.end('SIGKILL');
    folder.remove();
  };
});

const clientOf = ({ url, contentKey }: Serving): GhostContentAPI =>
  new GhostContentAPI({ url, key: contentKey, version: 'v6.0' });

type Pagination = { readonly meta: { readonly pagination: Readonly<Record<string, unknown>> } };
const paginationOf = (list: object): unknown => (list as Pagination).meta.pagination;
const slugsOf = (list: readonly object[]): unknown[] =>
  list.map((record) => (record as { slug: unknown }).slug);
const lacking = (key: string) => expect.not.objectContaining({ [key]: expect.anything() });

describe('the stock client', () => {
  test('browses and reads posts', async () => {
    const posts = await api.posts.browse();
    expect(posts).toHaveLength(15);
    expect(posts[0]).toMatchObject({ slug: 'from-the-editor-equinox' });
    expect(posts[0]).toEqual(lacking('authors'));
    const times = posts.map(({ published_at }) => Date.parse(String(published_at)));
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    const post = await api.posts.read({ slug: POST }, { include: ['authors', 'tags'] });
    expect(post).toMatchObject({
      slug: POST,
      access: false,
      primary_author: { slug: AUTHOR },
      primary_tag: { slug: 'people' },
    });
    expect(slugsOf(post.authors as object[])).toEqual([AUTHOR, 'sachiko-lind']);
    expect(slugsOf(post.tags as object[])).toEqual(['people', 'night', TAG]);
    const byId = await api.posts.read({ id: post.id });
    expect(byId).toMatchObject({ id: post.id, slug: POST });
    expect(byId).toEqual(lacking('tags'));
  });

  test('reads the settings', async () => {
    expect(await api.settings.browse()).toMatchObject({
      title: expect.any(String),
      timezone: expect.any(String),
      navigation: expect.any(Array),
      url: expect.stringMatching(/^http/),
    });
  });

  test('pages through a list', async () => {
    const all = await api.posts.browse({ limit: 'all' });
    const seen: unknown[] = [];
    for (let page = 1; page <= 4; page += 1) {
      const part = await api.posts.browse({ limit: 4, page, include: 'tags' });
      seen.push(...slugsOf(part));
      expect(paginationOf(part)).toEqual({
        page,
        limit: 4,
        pages: 4,
        total: 15,
        next: page < 4 ? page + 1 : null,
        prev: page > 1 ? page - 1 : null,
      });
    }
    expect(seen).toEqual(slugsOf(all));
    expect(paginationOf(all)).toMatchObject({ limit: 1_000, total: 15, pages: 1 });
  });

  test('throws what the interface answers', async () => {
    const missing = api.posts.read({ slug: 'no-such-post' });
    await expect(missing).rejects.toMatchObject({ type: 'NotFoundError' });
    const stranger = clientOf({ ...serving, contentKey: '0'.repeat(26) });
    await expect(stranger.posts.browse()).rejects.toMatchObject({ type: 'UnauthorizedError' });
  });
});

test('one author alone, or no tag, is still a list to browse, and an object to read', async () => {
  const authors = await api.authors.browse({ filter: `slug:${AUTHOR}` });
  expect(Array.isArray(authors)).toBe(true);
  expect(slugsOf(authors)).toEqual([AUTHOR]);
  expect(paginationOf(authors)).toMatchObject({ total: 1, pages: 1 });
  const read = await api.authors.read({ slug: AUTHOR });
  expect(Array.isArray(read)).toBe(false);
  expect(read).toMatchObject({ id: authors[0]?.id, slug: AUTHOR });
  const none = await api.tags.browse({ filter: 'slug:none' });
  expect([Array.isArray(none), [...none]]).toEqual([true, []]);
  expect(paginationOf(none)).toMatchObject({ total: 0 });
});

/** Variant of the answer, and the query that asks for it, in several spellings. */
const INCLUDES: readonly (readonly [string, readonly string[]])[] = [
  ['index', ['', 'include=', 'include=nonsense', 'filter=', 'fields=', 'formats=html']],
  ['index', ['limit=all', 'limit=0', 'limit=10000', 'limit=word', 'page=1']],
  ['authors', ['include=authors', 'include=%61uthors', 'include=+AUTHORS+', 'include=x,authors']],
  ['tags', ['include=tags', 'include=TAGS&unknown=1', 'unknown=1&include=tags%2C']],
  [
    'authors-tags',
    [
      'include=authors,tags',
      'include=tags,authors',
      'include=tags%2Cauthors',
      'include=authors%2c%20tags',
      'include=tags&x=y&include=authors',
    ],
  ],
];
const COUNTS: typeof INCLUDES = [
  ['index', ['', 'include=', 'include=authors']],
  ['count-posts', ['include=count.posts', 'include=Count.Posts%20', 'include=count%2Eposts']],
];
const FILTERS: typeof INCLUDES = [
  [
    'public',
    ['filter=visibility:public', 'filter=visibility%3Apublic', 'filter=visibility%3a+public'],
  ],
  [
    'public-count-posts',
    [
      'filter=visibility:public&include=count.posts',
      'include=count.posts&filter=visibility%3Apublic',
    ],
  ],
];

/** The 13 endpoints. */
const ENDPOINTS: readonly (readonly [string, 'list' | 'single', typeof INCLUDES])[] = [
  ['posts/', 'list', INCLUDES],
  ['posts/{id}/', 'single', INCLUDES],
  ['posts/slug/{slug}/', 'single', INCLUDES],
  ['pages/', 'list', INCLUDES],
  ['pages/{id}/', 'single', INCLUDES],
  ['pages/slug/{slug}/', 'single', INCLUDES],
  ['tags/', 'list', [...COUNTS, ...FILTERS]],
  ['tags/{id}/', 'single', COUNTS],
  ['tags/slug/{slug}/', 'single', COUNTS],
  ['authors/', 'list', COUNTS],
  ['authors/{id}/', 'single', COUNTS],
  ['authors/slug/{slug}/', 'single', COUNTS],
  ['settings/', 'single', [['index', ['', 'include=authors', 'limit=2&page=7']]]],
];

const SLUGS: Readonly<Record<string, string>> = {
  posts: POST,
  pages: PAGE,
  tags: TAG,
  authors: AUTHOR,
};

/** The address and the file, both relative to /content/, of an endpoint as the sample fills it. */
const placeOf = async (endpoint: string): Promise<string> => {
  const [resource = ''] = endpoint.split('/');
  const slug = SLUGS[resource] ?? '';
  if (!endpoint.includes('{id}')) return endpoint.replace('{slug}', slug);
  const body = await jsonOf(await ask(`/content/${resource}/slug/${slug}/`));
  return endpoint.replace('{id}', (body[resource] as { id: string }[])[0]?.id ?? '');
};

const ask = (path: string, query = '', init: RequestInit = {}): Promise<Response> =>
  serving.get(`${path}?${query === '' ? '' : `${query}&`}key=${serving.contentKey}`, init);

const jsonOf = async (response: Response): Promise<Record<string, unknown>> =>
  (await response.json()) as Record<string, unknown>;

describe.each(ENDPOINTS)('GET /content/%s', (endpoint, shape, variants) => {
  const [resource = ''] = endpoint.split('/');

  test('answers each variant, however it is spelled, with the bytes of its file', async () => {
    const place = await placeOf(endpoint);
    for (const [variant, queries] of variants) {
      const file = readFileSync(join(serving.folder, CONTENT, place, `${variant}.json`), 'utf8');
      expect(findDocumentSchema(resource, variant, shape)?.parse(JSON.parse(file))).toBeDefined();
      for (const query of queries) {
        const response = await ask(`/content/${place}`, query);
        expect(response.status, query).toBe(200);
        expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
        expect(response.headers.get('access-control-allow-origin')).toBe('*');
        expect(await response.text(), query).toBe(file);
      }
    }
  });

  test('keeps to the manners of HTTP', async () => {
    const path = `/content/${await placeOf(endpoint)}`;
    const whole = await ask(path);
    const body = await whole.text();
    const etag = whole.headers.get('etag') ?? '';
    const again = await ask(path, '', { headers: { 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    expect(again.headers.get('access-control-allow-origin')).toBe('*');
    const stale = await ask(path, '', { headers: { 'if-none-match': '"other"' } });
    expect([stale.status, await stale.text()]).toEqual([200, body]);
    const head = await ask(path, '', { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    for (const name of ['etag', 'content-type', 'content-length']) {
      expect(head.headers.get(name), name).toBe(whole.headers.get(name));
    }
    const preflight = await serving.get(path, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://elsewhere.test',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'accept-version, authorization',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    expect(preflight.headers.get('access-control-allow-methods')).toContain('GET');
    expect(preflight.headers.get('access-control-allow-headers')).toBe(
      'accept-version, authorization',
    );
  });

  test('is redirected to its slash and found under the alias prefixes', async () => {
    const path = `/content/${await placeOf(endpoint)}`;
    const [body, query] = [await (await ask(path)).text(), 'include=tags%2Cauthors&x=%20'];
    for (const method of ['GET', 'HEAD']) {
      const moved = await ask(path.slice(0, -1), query, { method });
      expect(moved.status).toBe(301);
      expect(moved.headers.get('location')).toBe(`${path}?${query}&key=${serving.contentKey}`);
      expect(moved.headers.get('access-control-allow-origin')).toBe('*');
    }
    for (const version of ['', '/v2', '/v3', '/v4', '/canary']) {
      const response = await ask(`/ghost/api${version}${path}`);
      expect([response.status, await response.text()]).toEqual([200, body]);
    }
    expect((await ask(`/ghost/api/v5${path}`)).status).toBe(404);
  });
});

test.each([
  `/content/posts/${'0'.repeat(24)}/`,
  '/content/posts/slug/notes-towards-an-issue-about-silt/',
  '/content/posts/slug/a-letter-to-the-spring-of-2031/',
  '/content/tags/slug/none/',
  '/content/members/',
  '/content/posts/not-an-id/',
])('%s is the one 404 of the interface, in JSON', async (path) => {
  const response = await ask(path);
  expect(response.status).toBe(404);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  const body = await response.text();
  expect(notFoundDocumentSchema.parse(JSON.parse(body))).toBeDefined();
  expect(body).toBe(readFileSync(join(serving.folder, CONTENT, '404.json'), 'utf8'));
});
