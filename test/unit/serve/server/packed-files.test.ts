// The packed tree and what search reads, over HTTP: the key guards them like documents, a blob is kept for ever, and what
// lies compressed is sent so.

import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { blobFile, PACKED_ROOT_FILE } from '../../../../src/content/tree/names.ts';
import { askAt } from '../../../matrix/ask.ts';
import type { Harness } from '../admin/harness.ts';
import { serve } from './harness.ts';

const TEXT = blobFile(`3f${'0a'.repeat(15)}.txt`);
const COLUMNS = blobFile(`c0${'9e'.repeat(15)}.bin`);
const SEARCH = 'search-index/posts/index.json';
const FILES = [TEXT, COLUMNS, PACKED_ROOT_FILE, SEARCH];
const BODY = '{"title":"日本"}\n'.repeat(50);

const withTree = async (
  flags: Record<string, unknown> = {},
  prepare: (harness: Harness) => Promise<void> = async () => undefined,
) => {
  const served = await serve({ flags, prepare });
  for (const file of FILES) {
    mkdirSync(dirname(join(served.output, 'content', file)), { recursive: true });
    served.put(`content/${file}`, BODY);
    served.put(`content/${file}.gz`, gzipSync(BODY));
  }
  served.put('content/404.json', '{"errors":[]}');
  return { ...served, ask: askAt(Number(new URL(served.origin).port)) };
};

test('the content key is asked for at every name of theirs', async () => {
  const { get, contentKey } = await withTree();
  const addresses = [
    ...FILES.map((file) => `/content/${file}`),
    `/ghost/api/content/${TEXT}`,
    `/content/p%61cked/${TEXT.slice('packed/'.length)}`,
    '/content/search-index/posts/',
    '/content/search-index/posts',
    '/content/packed/',
    `/content/${TEXT}.gz`,
  ];
  const refused = await Promise.all(addresses.map((address) => get(address)));
  expect(refused.map(({ status }) => status)).toEqual(addresses.map(() => 403));
  for (const { headers } of refused) expect(headers.get('cache-control')).toBe('no-store');
  for (const file of FILES) {
    const answer = await get(`/content/${file}?key=${contentKey}`);
    expect(await answer.text()).toBe(BODY);
  }
});

test.each([
  ['required', 'private'],
  ['optional', 'public'],
])('with a key that is %s, blobs may be kept by %s caches', async (contentKey, kept) => {
  const served = await withTree({ contentKey });
  const headersOf = async (file: string) => {
    const { status, headers } = await served.get(`/content/${file}?key=${served.contentKey}`);
    const names = ['cache-control', 'content-type', 'access-control-allow-origin'];
    return [status, ...names.map((name) => headers.get(name))];
  };
  const immutable = `${kept}, max-age=31536000, immutable`;
  expect(await headersOf(TEXT)).toEqual([200, immutable, 'text/plain; charset=utf-8', '*']);
  expect(await headersOf(COLUMNS)).toEqual([200, immutable, 'application/octet-stream', '*']);
  const json = ['public, max-age=0, must-revalidate', 'application/json; charset=utf-8', '*'];
  for (const file of [PACKED_ROOT_FILE, SEARCH]) {
    expect(await headersOf(file)).toEqual([200, ...json]);
  }
});

test('a blob that is not there, or no longer, may be there soon', async () => {
  const { get, output, contentKey } = await withTree();
  const ask = () => get(`/content/${TEXT}?key=${contentKey}`);
  expect((await ask()).status).toBe(200);
  rmSync(join(output, 'content', TEXT));
  const { status, headers } = await ask();
  expect([status, headers.get('cache-control')]).toEqual([404, 'public, max-age=10']);
});

test('a blob that another server has built is waited for', async () => {
  const built = { place: (): void => undefined };
  const { get, put, output, contentKey } = await withTree({}, async ({ context }) => {
    const { store } = context;
    const becomeCurrent = async (): Promise<void> => built.place();
    Object.assign(context, {
      store: Object.create(store, {
        postgres: { value: { address: '', isReader: false } },
        servers: { value: { ...store.servers, becomeCurrent } },
      }),
    });
  });
  rmSync(join(output, 'content', TEXT));
  built.place = () => put(`content/${TEXT}`, BODY);
  expect((await get(`/content/${TEXT}?key=${contentKey}`)).status).toBe(200);
});

test('texts are sent compressed, columns are not', async () => {
  const { ask } = await withTree({ precompress: 'gzip', contentKey: 'optional' });
  const encodingOf = async (file: string): Promise<unknown> => {
    const headers = { 'accept-encoding': 'gzip' };
    return (await ask({ path: `/content/${file}`, headers })).headers['content-encoding'];
  };
  for (const file of [TEXT, PACKED_ROOT_FILE, 'search-index/posts/']) {
    expect(await encodingOf(file)).toBe('gzip');
  }
  expect(await encodingOf(COLUMNS)).toBeUndefined();
});

test('an unchanged blob costs a 304', async () => {
  const { ask } = await withTree({ contentKey: 'optional' });
  const path = `/content/${TEXT}`;
  const { etag = '' } = (await ask({ path })).headers;
  const again = await ask({ path, headers: { 'if-none-match': etag } });
  expect([again.status, again.headers['cache-control']]).toEqual([
    304,
    'public, max-age=31536000, immutable',
  ]);
});
