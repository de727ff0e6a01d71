// The client over a bare server of files: the bytes that an oracle works out, what it asks for, and what it says when
// something is not there.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import GhostContentAPI from '@tryghost/content-api';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { openContent } from '../../../../src/content/client/open-content.ts';
import type { Content } from '../../../../src/content/client/types.ts';
import { PACKED_ROOT_FILE } from '../../../../src/content/tree/names.ts';
import { LEVELS } from '../../../../src/publish/packed/boundaries.ts';
import { type BareFiles, serveBare } from '../../../helpers/bare-files.ts';
import { bundleClient, type ClientBundle } from '../../../helpers/client-bundle.ts';
import { makeQuery } from '../../../helpers/made-query.ts';
import {
  makeOddPublication,
  ODD_NOW,
  type OddPublication,
  packOdd,
  pick,
  type Random,
} from '../../../helpers/odd-records.ts';
import { putPacked } from '../../../helpers/packed-files.ts';
import {
  expectedList,
  expectedRecord,
  type OracleResource,
} from '../../../helpers/query-oracle.ts';
import { createRandom, SEED } from '../../../helpers/random.ts';
import { suiteFolder } from '../../../helpers/suite-folder.ts';

const RESOURCES: readonly OracleResource[] = ['posts', 'posts', 'pages', 'tags', 'authors'];
const QUERIES = 500;
const MAX = 30;
const ROOT = `/content/${PACKED_ROOT_FILE}`;
/** A page that loads the client pays for it: 12 KiB. */
const GZIPPED_BYTES_MAX = 12 * 1024;

/** One with records of every resource. */
const makeWhole = (random: Random): OddPublication => {
  const made = makeOddPublication(random, 100);
  return RESOURCES.every((resource) => made[resource].length > 0) ? made : makeWhole(random);
};

const publication = makeWhole(createRandom(SEED));
const settings = { title: 'Odd', navigation: [] };

/** As the package has it; its names are shorter, so it answers the queries. */
let bundle: ClientBundle;
let files: BareFiles;
let content: Content;

beforeAll(async () => {
  const { path: folder, remove } = suiteFolder();
  bundle = await bundleClient(join(folder, 'client'));
  const put = (file: string, bytes: string | Buffer): void => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), bytes);
  };
  putPacked(put, packOdd(publication, { levels: LEVELS, max: MAX }));
  put('content/settings/index.json', JSON.stringify({ settings, meta: {} }));
  files = await serveBare(folder);
  return async () => {
    await files.close();
    remove();
  };
});

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: ODD_NOW });
  files.asked.length = 0;
  files.instead.clear();
  content = openContent(files.url);
});

afterEach(() => {
  vi.useRealTimers();
});

const slugOf = (resource: OracleResource, at: number): string => {
  const record = publication[resource][at];
  return String(record && ('slug' in record ? record.slug : record.document.slug));
};

test(`${QUERIES} queries are what an oracle works out (seed ${SEED})`, async () => {
  const { answer } = bundle.openContent(files.url);
  const random = createRandom(SEED);
  for (let left = QUERIES; left > 0; left -= 1) {
    const resource = pick(random, RESOURCES);
    const { query, raw } = makeQuery({ random, publication, resource }, MAX);
    const body = expectedList(publication, resource, query);
    expect(await answer(`${resource}/?${raw}`), raw).toEqual({ status: 200, body });
    const at = left % publication[resource].length;
    const id = publication[resource][at]?.id ?? '';
    const read = (key: 'id' | 'slug') => expectedRecord(publication, resource, { id, key, query });
    const shape = raw.replace(/(?:filter|order)=[^&]*/g, '');
    const byId = await answer(`${resource}/${id}?${shape}`);
    expect(byId, raw).toEqual({ status: 200, body: read('id') });
    const slug = encodeURIComponent(slugOf(resource, at));
    const bySlug = await answer(`${resource}/slug/${slug}/?${shape}`);
    expect(bySlug, raw).toEqual({ status: 200, body: read('slug') });
  }
});

test('a page that loads it pays little', () => {
  const { text } = bundle;
  // Node.js prints the line of an error that nobody catches.
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(2_000);
  expect(gzipSync(text, { level: 9 }).length).toBeLessThan(GZIPPED_BYTES_MAX);
  expect(text).not.toMatch(/\bimport\b|\brequire\(|\bBuffer\b|\bprocess\b/);
});

describe('what is asked for', () => {
  test('of an answer that was given, the root alone', async () => {
    const first = await content.list('posts', { filter: 'featured:true', limit: 3 });
    expect(files.asked.filter((path) => path === ROOT)).toHaveLength(1);
    files.asked.length = 0;
    expect(await content.list('posts', { filter: 'featured:true', limit: 3 })).toEqual(first);
    expect(files.asked).toEqual([ROOT]);
  });

  test('blobs again, where they were not kept', async () => {
    const forgetful = openContent(`${files.url}/`, { bytesMax: 0 });
    await forgetful.read('posts', { slug: slugOf('posts', 0) });
    const { length } = files.asked;
    await forgetful.read('posts', { slug: slugOf('posts', 0) });
    expect(files.asked).toHaveLength(2 * length);
  });

  test('the root once more, where a blob is gone', async () => {
    const gone = [...(await blobsOf(() => content.list('tags')))][0] ?? '';
    files.instead.set(gone, (response) => response.writeHead(404).end());
    files.asked.length = 0;
    const { status } = await openContent(files.url).answer('tags/');
    expect(status).toBe(503);
    expect(files.asked.filter((path) => path === ROOT)).toHaveLength(2);
  });

  const blobsOf = async (work: () => Promise<unknown>): Promise<Set<string>> => {
    files.asked.length = 0;
    await work();
    return new Set(files.asked.filter((path) => path !== ROOT));
  };

  test('through a fetch of the caller', async () => {
    const caches: string[] = [];
    const own = openContent(files.url, {
      fetch: (url, init) => {
        caches.push(init.cache);
        return fetch(url);
      },
    });
    await own.list('authors');
    expect(new Set(caches)).toEqual(new Set(['no-cache', 'force-cache']));
  });
});

describe('what is not there', () => {
  test.each([
    'posts/slug/no-such-post/',
    'posts/000000000000000000000000/',
    'nothing/',
    'posts/a/b/',
    'tiers/',
    '',
  ])('%s', async (address) => {
    const { status, body } = await content.answer(address);
    expect(status).toBe(404);
    expect(JSON.parse(body).errors[0]).toMatchObject({ type: 'NotFoundError', id: null });
  });

  test.each([403, 404, 410, 200])('a host without a tree answers %i', async (status) => {
    files.instead.set(ROOT, (response) =>
      response.writeHead(status, { 'content-type': 'text/html' }).end('<html>'),
    );
    await expect(content.list('posts')).rejects.toThrow(`${files.url}${ROOT} is not served`);
  });

  test('settings behind a key that was not given', async () => {
    for (const path of [ROOT, '/content/settings/index.json'])
      files.instead.set(path, (response) => response.writeHead(403).end());
    await expect(content.settings()).rejects.toThrow('check address, content key');
    expect(() => openContent(files.url, 'a-key' as never)).toThrow('takes an address and');
  });

  test('a host in trouble is no host without files', async () => {
    files.instead.set(ROOT, (response) => response.writeHead(500).end());
    await expect(content.answer('posts/')).rejects.toThrow('has status 500');
  });
});

describe('the plain functions', () => {
  test('lists, records and settings', async () => {
    const params = { fields: ['title', 'slug'], limit: 2 } as const;
    const { posts, meta } = await content.list('posts', params);
    expect(posts.map((post) => Object.keys(post).sort())).toEqual([
      ['slug', 'title'],
      ['slug', 'title'],
    ]);
    expect(meta.pagination).toMatchObject({ page: 1, limit: 2, total: publication.posts.length });
    const slug = slugOf('authors', 0);
    expect(await content.read('authors', { slug }, { fields: 'slug' })).toEqual({ slug });
    const id = publication.pages[0]?.id ?? '';
    expect(await content.read('pages', { id }, { fields: 'id' })).toEqual({ id });
    expect(await content.settings()).toEqual(settings);
  });

  test('a record with parameters beside its key, of which a later argument replaces those it names', async () => {
    const slug = slugOf('authors', 0);
    const id = publication.authors[0]?.id ?? '';
    const { read } = bundle.openContent(files.url);
    expect(await read('authors', { slug, fields: 'id', include: 'count.posts' })).toEqual({
      id,
      slug,
      count: { posts: expect.any(Number) },
    });
    expect(await read('authors', { id, fields: 'name' }, { fields: ['slug'] })).toEqual({
      id,
      slug,
    });
  });

  test.each(['welcome', {}, null, undefined])('read of %j says what it takes', async (key) => {
    const refused = content.read('posts', key as never);
    await expect(refused).rejects.toThrow('read takes { id } or { slug }.');
  });

  test('refusals', async () => {
    const refused = content.list('posts', { filter: 'tag:(' });
    await expect(refused).rejects.toMatchObject({
      name: 'BadRequestError',
      response: { status: 400, data: { errors: [{ context: 'Error parsing filter' }] } },
    });
    const none = content.read('posts', { slug: 'content/posts' });
    const message = 'Resource not found: posts/slug/content%2Fposts/';
    await expect(none).rejects.toMatchObject({ name: 'NotFoundError', message });
  });
});

describe('the stock client', () => {
  const connect = (url = 'https://content.example/content/blog') =>
    new GhostContentAPI({
      url,
      key: '0123456789abcdef0123456789',
      version: 'v6.0',
      makeRequest: content.makeRequest,
    });

  test('pages through a list to its end', async () => {
    const seen: unknown[] = [];
    for (let page: number | null = 1; page !== null; ) {
      const list: object[] = await connect().posts.browse({ limit: 7, page, fields: 'id' });
      seen.push(...list.map((post) => (post as { id: string }).id));
      const { meta } = list as unknown as { meta: { pagination: { next: number | null } } };
      page = meta.pagination.next;
    }
    expect(new Set(seen).size).toBe(publication.posts.length);
    let page = 1;
    while ((await connect().posts.browse({ limit: 7, page, fields: 'id' })).length > 0) page += 1;
    expect(page).toBe(Math.ceil(publication.posts.length / 7) + 1);
  });

  test('reads, with any version in its addresses', async () => {
    for (const version of ['v3', 'v6.0']) {
      const api = new GhostContentAPI({
        url: 'https://content.example',
        key: '0123456789abcdef0123456789',
        version,
        makeRequest: content.makeRequest,
      });
      const slug = slugOf('posts', 3);
      const post = await api.posts.read({ slug }, { include: ['tags', 'authors'] });
      expect(post).toMatchObject({ slug, tags: expect.any(Array), authors: expect.any(Array) });
      expect(await api.posts.read({ id: post.id }, { fields: 'title' })).toEqual({
        id: post.id,
        title: post.title,
      });
      expect(await api.settings.browse()).toEqual(settings);
    }
  });

  test('throws what is wrong', async () => {
    const unread = connect().posts.browse({ filter: 'tag:(' });
    await expect(unread).rejects.toMatchObject({
      name: 'BadRequestError',
      context: 'Error parsing filter',
    });
    const missing = connect().posts.read({ slug: 'no-such-post' });
    await expect(missing).rejects.toMatchObject({ type: 'NotFoundError' });
    files.instead.set(ROOT, (response) => response.writeHead(404).end());
    await expect(connect().posts.browse()).rejects.toThrow('is not served');
  });
});
