// Queries over HTTP: the companion server answers them from the packed tree, with the bytes that an oracle works out, and
// default lists and whole records from their files.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Found, planAnswer } from '../../../../src/content/queries/plan-answer.ts';
import { blobFile, PACKED_FOLDER, PACKED_ROOT_FILE } from '../../../../src/content/tree/names.ts';
import { createResponseBuffers } from '../../../../src/serve/server/connections/response-buffers.ts';
import { createContentQueries } from '../../../../src/serve/server/content/content-queries.ts';
import { makeQuery } from '../../../helpers/made-query.ts';
import { SMALL_LEVELS } from '../../../helpers/memory-blobs.ts';
import { makeOddPublication, packOdd, pick, storeOf } from '../../../helpers/odd-records.ts';
import { numberedId, packPosts, putPacked } from '../../../helpers/packed-files.ts';
import {
  expectedList,
  expectedRecord,
  type OracleResource,
} from '../../../helpers/query-oracle.ts';
import { createRandom, SEED } from '../../../helpers/random.ts';
import { serve } from './harness.ts';

const RESOURCES: readonly OracleResource[] = ['posts', 'posts', 'pages', 'tags', 'authors'];
const MAX = 60;
const PARSING = { nowMs: 0, max: MAX, showsTiers: false };

const NOT_THERE = '{"errors":[{"id":null}]}';

type Flags = Record<string, unknown>;

const POSTS = Array.from({ length: 32 }, (_, at) => ({
  id: numberedId(at),
  html: `{"[\\"${'é'.repeat(at)}]}`,
  featured: at % 2 === 0,
}));

const withPosts = async (posts: readonly { id: string }[] = POSTS, flags: Flags = {}) => {
  const served = await serve({ flags: { contentKey: 'optional', ...flags } });
  const packed = packPosts(posts);
  putPacked(served.put, packed);
  served.put('content/manifest.json', '{}');
  served.put('content/404.json', NOT_THERE);
  return { ...served, packed };
};

test(`lists and records are what an oracle works out (seed ${SEED})`, async () => {
  const random = createRandom(SEED);
  const publication = makeOddPublication(random, 60);
  // The server has the clock of its context; relative times are tried elsewhere.
  const served = await serve({ flags: { contentKey: 'optional', 'lists.max': MAX } });
  putPacked(served.put, packOdd(publication, { levels: SMALL_LEVELS, max: MAX }));
  const get = async (path: string): Promise<string> => (await served.get(path)).text();
  for (let left = 150; left > 0; left -= 1) {
    const resource = pick(random, RESOURCES);
    const { query, raw } = makeQuery({ random, publication, resource }, MAX);
    const plan = planAnswer({ kind: 'list', resource }, raw, PARSING);
    // This tree has no lists that are files.
    if (raw.includes('now-') || plan.kind === 'file') continue;
    const list = expectedList(publication, resource, query);
    expect(await get(`/content/${resource}/?${raw}`), raw).toBe(list);
    const { id } = publication[resource][left % 3] ?? {};
    if (query.fields === null || id === undefined) continue;
    const record = expectedRecord(publication, resource, { id, key: 'id', query });
    expect(await get(`/content/${resource}/${id}/?${raw}`), raw).toBe(record);
  }
});

const pageOf = async (get: (path: string) => Promise<Response>, query: string) => {
  const response = await get(`/content/posts/?${query}`);
  expect(response.status, query).toBe(200);
  return (await response.json()) as {
    posts: { id: string }[];
    meta: { pagination: Record<string, unknown> };
  };
};

test('default lists are files, however they are spelled; further pages too, where they are files', async () => {
  const { get, put } = await withPosts();
  put('content/posts/index.json', '{"posts":"first"}');
  put('content/posts/page-2-tags.json', '{"posts":"second"}');
  put('content/tags/public-count-posts.json', '{"tags":"public"}');
  const textOf = async (path: string) => (await get(path)).text();
  const spellings = ['', 'limit=all', 'limit=0', 'limit=word', 'limit=1000', 'limit=10000'].concat([
    'page=1',
    'filter=',
    'order=published_at%20DESC',
    'formats=html',
    'fields=',
    'unknown=1',
  ]);
  for (const query of spellings) {
    expect(await textOf(`/content/posts/?${query}`), query).toBe('{"posts":"first"}');
  }
  expect(await textOf('/content/posts/?page=2&include=tags')).toBe('{"posts":"second"}');
  const counted = '/content/tags/?include=count.posts&filter=visibility:public';
  expect(await textOf(counted)).toBe('{"tags":"public"}');
  expect(await textOf('/content/posts/?page=2')).toContain('{"posts":[],"meta"');
});

test.each([
  ['posts/?limit=-1', 422, 'ValidationError', 'limit', null],
  ['posts/?page=abc', 422, 'ValidationError', 'page', null],
  ['posts/?order=title%3Bdrop', 422, 'ValidationError', 'order', null],
  ['posts/?formats=pdf', 422, 'ValidationError', 'formats', null],
  [`posts/${numberedId(1)}/?formats=pdf`, 422, 'ValidationError', 'formats', null],
  ['posts/?filter=((', 400, 'BadRequestError', 'filter', 'Error parsing filter'],
  ['posts/?filter=nothing:1', 400, 'BadRequestError', 'filter', expect.anything()],
  ['tags/?filter=title:x', 400, 'BadRequestError', 'filter', expect.anything()],
])('%s is refused in one sentence, in nine keys', async (path, ...expected) => {
  const { get } = await withPosts();
  const response = await get(`/content/${path}`);
  const { errors } = (await response.json()) as { errors: Record<string, unknown>[] };
  const [error = {}] = errors;
  expect([response.status, error.type, error.property, error.context]).toEqual(expected);
  expect(error.message).toMatch(/^(?:Validation|Request not understood) error, cannot [^.]+\.$/);
  expect(Object.keys(error)).toHaveLength(9);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
});

test('records take fields and formats at every name that their files have', async () => {
  const { get, put } = await withPosts([{ ...POSTS[0], id: numberedId(1) }]);
  const whole = JSON.stringify({ posts: [{ uuid: 'u', id: numberedId(1), html: '"id":"x"' }] });
  for (const segment of ['häuser', `~${'0'.repeat(32)}`]) {
    put(`content/posts/slug/${segment}/index.json`, whole);
  }
  const slugs = ['h%C3%A4user', 'ha%CC%88user', 'a%3Fb', `~${'0'.repeat(32)}`];
  for (const slug of slugs) {
    const answer = await get(`/content/posts/slug/${slug}/?fields=featured`);
    expect(await answer.json(), slug).toEqual({ posts: [{ slug: numberedId(1), featured: true }] });
  }
  const byId = await get(`/content/posts/${numberedId(1)}/?fields=title&limit=x&filter=((`);
  expect(await byId.json()).toEqual({ posts: [{ id: numberedId(1), title: numberedId(1) }] });
  const formats = await get(`/content/posts/${numberedId(1)}/?formats=html,plaintext`);
  const html = JSON.stringify(POSTS[0]?.html);
  expect(await formats.text()).toContain(`"html":${html},"featured":true,"plaintext":null}]}`);
  for (const path of [numberedId(9), 'slug/none', 'not-an-id']) {
    const answer = await get(`/content/posts/${path}/?fields=title`);
    expect([answer.status, await answer.text()]).toEqual([404, NOT_THERE]);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=10');
  }
});

test('a record whose file is too large for the cache is found, too', async () => {
  const { get, put } = await withPosts();
  const html = 'x'.repeat(1_100_000);
  put(
    'content/posts/slug/long/index.json',
    JSON.stringify({ posts: [{ id: POSTS[3]?.id, html }] }),
  );
  const answer = await get('/content/posts/slug/long/?fields=featured');
  expect(await answer.json()).toEqual({ posts: [{ slug: POSTS[3]?.id, featured: false }] });
});

test('answers to queries have the manners of documents', async () => {
  const { get, contentKey } = await withPosts(POSTS, { contentKey: 'required' });
  const path = `/content/posts/?limit=3&key=${contentKey}`;
  const whole = await get(path);
  const body = await whole.text();
  expect(Object.fromEntries(whole.headers)).toMatchObject({
    'access-control-allow-origin': '*',
    'cache-control': 'public, max-age=0, must-revalidate',
    'content-length': String(Buffer.byteLength(body)),
    'content-type': 'application/json; charset=utf-8',
    'content-version': 'v6.65',
    etag: expect.stringMatching(/^"[\w-]{27}"$/),
    vary: 'Accept-Version',
  });
  const etag = whole.headers.get('etag') ?? '';
  const known = await get(path, { headers: { 'if-none-match': etag } });
  expect([known.status, await known.text(), known.headers.get('etag')]).toEqual([304, '', etag]);
  const head = await get(path, { method: 'HEAD' });
  expect([await head.text(), head.headers.get('content-length')]).toEqual([
    '',
    whole.headers.get('content-length'),
  ]);
  const versioned = await get(`/ghost/api/v4${path}`);
  expect([await versioned.text(), versioned.headers.get('deprecation')]).toEqual([
    body,
    'version="v4"',
  ]);
  expect((await get('/content/posts/?limit=3')).status).toBe(403);
  expect((await get('/content/posts/?limit=-3')).status).toBe(403);
});

test('an answer to a query is kept from its second time on', async () => {
  const packed = packPosts(POSTS);
  const queries = createContentQueries({
    tree: {
      store: storeOf(packed),
      findRoot: async () => packed.root,
      tagOf: () => '"root"',
    },
    listMax: MAX,
    read: async () => null,
    readIn: async () => null,
    memory: createResponseBuffers(1_000_000),
    now: () => 0,
  });
  const found: Found = { kind: 'list', resource: 'posts' };
  const rest = { encoding: null, known: undefined };
  const bodyOf = async (rawQuery: string) =>
    (await queries.find({ found, rawQuery, ...rest }))?.body;
  const first = await bodyOf('limit=3');
  const second = await bodyOf('v=1&limit=3');
  expect([second?.toString(), second === first]).toEqual([first?.toString(), false]);
  expect(await bodyOf('limit=3')).toBe(second);
});

test('a query that the client has the answer of is not run', async () => {
  const path = '/content/posts/?filter=featured:true&limit=3';
  const first = await withPosts();
  const etag = (await first.get(path)).headers.get('etag') ?? '';
  const same = await first.get('/content/posts/?v=1&limit=3&filter=featured:+true');
  expect(same.headers.get('etag')).toBe(etag);
  const other = await first.get('/content/posts/?filter=featured:true&limit=4');
  expect(other.headers.get('etag')).not.toBe(etag);
  // The same tree, of which the root alone can be read.
  const { get, output, packed, put } = await withPosts();
  rmSync(join(output, 'content', PACKED_FOLDER), { recursive: true });
  put(`content/${PACKED_ROOT_FILE}`, JSON.stringify(packed.root));
  expect((await get(path, { headers: { 'if-none-match': etag } })).status).toBe(304);
  expect((await get(path)).status).toBe(503);
});

test('a long body is streamed, with the tag and length of all of it', async () => {
  const posts = Array.from({ length: 300 }, (_, at) => ({
    id: numberedId(at),
    html: `${at} ${'é"'.repeat(at === 7 ? 300_000 : 2_000)}`,
  }));
  const { get } = await withPosts(posts);
  const path = '/content/posts/?limit=299';
  const whole = await get(path);
  const text = await whole.text();
  const { posts: read } = JSON.parse(text) as { posts: { html: string }[] };
  expect(read.map(({ html }) => html)).toEqual(posts.slice(0, 299).map(({ html }) => html));
  expect(whole.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
  const etag = whole.headers.get('etag') ?? '';
  expect((await get(path, { headers: { 'if-none-match': etag } })).status).toBe(304);
  expect((await get(path, { method: 'HEAD' })).headers.get('etag')).toBe(etag);
});

test('a root whose blobs are gone is read again, and then the answer is 503', async () => {
  const { put, output, get, packed } = await withPosts();
  const ids = async () => (await pageOf(get, 'limit=2')).posts.map(({ id }) => id);
  expect(await ids()).toEqual([numberedId(0), numberedId(1)]);
  // Another generation, of which not all is there.
  rmSync(join(output, 'content', PACKED_FOLDER), { recursive: true });
  putPacked(put, packPosts(POSTS.slice(5)));
  expect(await ids()).toEqual([numberedId(5), numberedId(6)]);
  rmSync(join(output, 'content', PACKED_FOLDER), { recursive: true });
  put(`content/${PACKED_ROOT_FILE}`, JSON.stringify(packed.root));
  const answer = await get('/content/posts/?limit=3&filter=featured:true');
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
  for (const [name, bytes] of packed.blobs.all) put(`content/${blobFile(name)}`, bytes);
  expect(await ids()).toEqual([numberedId(0), numberedId(1)]);
});

test('while a build places its files, a missing blob leads to the root of now', async () => {
  const tree = { version: () => 'begun', file: () => undefined };
  const served = await serve({ flags: { contentKey: 'optional' }, tree });
  putPacked(served.put, packPosts(POSTS));
  const first = async (limit: number) => (await pageOf(served.get, `limit=${limit}`)).posts[0]?.id;
  expect(await first(1)).toBe(numberedId(0));
  rmSync(join(served.output, 'content', PACKED_FOLDER), { recursive: true });
  putPacked(served.put, packPosts(POSTS.slice(5)));
  expect(await first(31)).toBe(numberedId(5));
});

test('without a packed tree default lists are there, and queries are asked for again', async () => {
  const { get, put } = await serve({ flags: { contentKey: 'optional' } });
  const early = await get('/content/posts/?limit=3');
  expect([early.status, early.headers.get('retry-after')]).toEqual([503, '5']);
  expect(await early.text()).toContain('No build has succeeded yet');
  put('content/manifest.json', '{}');
  put('content/posts/index.json', '{"posts":[]}');
  expect((await get('/content/posts/?limit=all')).status).toBe(200);
  const packed = packPosts(POSTS);
  const other = JSON.stringify({ ...packed.root, format: 0 });
  for (const root of [null, '{', '{"format":1}', other]) {
    if (root !== null) put(`content/${PACKED_ROOT_FILE}`, root);
    const answer = await get('/content/posts/?limit=3');
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await answer.text()).toContain('once the next build is done');
  }
});
