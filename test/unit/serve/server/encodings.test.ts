// Documents that lie compressed are sent so to whom takes it; everything else is sent as it is.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { acceptedEncoding } from '../../../../src/serve/server/content/accepted-encoding.ts';
import { numberedId, packPosts, putPacked } from '../../../helpers/packed-files.ts';
import { unpack } from '../../../helpers/sidecars.ts';
import { type Ask, askAt } from '../../../matrix/ask.ts';
import { serve } from './harness.ts';

test.each([
  [undefined, null],
  ['', null],
  ['gzip', 'gzip'],
  ['br', 'br'],
  ['gzip, deflate, br, zstd', 'br'],
  ['GZIP', 'gzip'],
  ['gzip;q=0', null],
  ['gzip;q=0, br;q=0.000', null],
  ['br;q=0, *', 'gzip'],
  ['*', 'br'],
  ['*;q=0', null],
  ['br;q=0.2, gzip;q=0.8', 'gzip'],
  ['gzip ; q=0.5', 'gzip'],
  ['identity', null],
  ['identity, gzip;q=0.5', null],
  ['identity;q=0.5, gzip', 'gzip'],
  ['gzip;q=x', null],
  ['gzip;level=9', 'gzip'],
  ['xgzip, brr', null],
  [',,;,', null],
] as const)('"%s" is answered with %s', (header, encoding) => {
  expect(acceptedEncoding(header, ['br', 'gzip'])).toBe(encoding);
  expect(acceptedEncoding(header, [])).toBeNull();
});

const DOCUMENT = `{"posts":[${'{"id":"1"},'.repeat(50)}{"id":"2"}],"meta":{"pagination":{"total":51,"pages":1}}}`;
/** Over what the server keeps in memory. */
const LONG = `{"posts":[{"html":"${'0123456789abcdef'.repeat(70_000)}"}]}`;
const ID = 'a'.repeat(24);

const withTree = async (precompress: string) => {
  const served = await serve({ flags: { precompress, contentKey: 'optional' } });
  const put = (file: string, text: string): void => {
    served.put(`content/${file}`, text);
    served.put(`content/${file}.gz`, gzipSync(text));
    served.put(`content/${file}.br`, brotliCompressSync(text));
  };
  put('posts/index.json', DOCUMENT);
  put(`posts/${ID}/index.json`, LONG);
  served.put('content/404.json', '{"errors":[]}');
  const send = askAt(Number(new URL(served.origin).port));
  const ask = (path: string, accept?: string, rest: Partial<Parameters<Ask>[0]> = {}) =>
    send({
      path,
      ...rest,
      headers: { ...(accept !== undefined && { 'accept-encoding': accept }), ...rest.headers },
    });
  return { ...served, ask, content: join(served.output, 'content') };
};

test.each([
  ['/content/posts/', DOCUMENT],
  [`/content/posts/${ID}/`, LONG],
  ['/ghost/api/content/posts/', DOCUMENT],
])('%s is sent in each encoding, under a tag of its own', async (path, text) => {
  const { ask } = await withTree('gzip,br');
  const tags = new Set<string>();
  for (const encoding of [undefined, 'gzip', 'br']) {
    const answer = await ask(path, encoding);
    expect(answer.headers['content-encoding']).toBe(encoding);
    expect(answer.headers.vary).toBe('Accept-Version, Accept-Encoding');
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(Number(answer.headers['content-length'])).toBe(answer.body.length);
    const ending = encoding === 'br' ? '.br' : '.gz';
    const body = encoding === undefined ? answer.body : unpack(answer.body, ending);
    expect(body.toString()).toBe(text);
    const etag = answer.headers.etag ?? '';
    tags.add(etag);
    const known = await ask(path, encoding, { headers: { 'if-none-match': etag } });
    expect([known.status, known.body.length]).toEqual([304, 0]);
    expect(known.headers).toMatchObject({ etag, vary: answer.headers.vary });
    expect(known.headers['content-encoding']).toBeUndefined();
    const head = await ask(path, encoding, { method: 'HEAD' });
    for (const name of ['etag', 'content-length', 'content-encoding', 'content-type', 'vary'])
      expect(head.headers[name], name).toBe(answer.headers[name]);
    expect(head.body).toHaveLength(0);
  }
  expect(tags.size).toBe(3);
  const [first = ''] = tags;
  const other = await ask(path, 'gzip', { headers: { 'if-none-match': first } });
  expect(other.status).toBe(200);
});

test('only what the setting names is sent, and nothing says more without it', async () => {
  const { ask } = await withTree('');
  const answer = await ask('/content/posts/', 'gzip, br');
  expect(answer.headers['content-encoding']).toBeUndefined();
  expect(answer.headers.vary).toBe('Accept-Version');
  const gzip = await withTree('gzip');
  expect((await gzip.ask('/content/posts/', 'br')).headers['content-encoding']).toBeUndefined();
  expect((await gzip.ask('/content/posts/', 'br, gzip')).headers['content-encoding']).toBe('gzip');
});

test('a sidecar that is not there is done without, and one whose document is gone is not sent', async () => {
  const { ask, content } = await withTree('gzip,br');
  rmSync(join(content, 'posts/index.json.br'));
  const plain = await ask('/content/posts/', 'br');
  expect([plain.status, plain.body.toString()]).toEqual([200, DOCUMENT]);
  expect((await ask('/content/posts/', 'br, gzip;q=0.5')).headers['content-encoding']).not.toBe(
    'br',
  );
  rmSync(join(content, 'posts/index.json'));
  const gone = await ask('/content/posts/', 'gzip');
  expect([gone.status, gone.body.toString()]).toEqual([404, '{"errors":[]}']);
  expect(gone.headers.vary).toContain('Accept-Encoding');
});

test('answers to queries and other files are sent as they are', async () => {
  const { ask, put } = await withTree('gzip,br');
  putPacked(put, packPosts([{ id: numberedId(1) }, { id: numberedId(2) }]));
  const part = await ask('/content/posts/?limit=1', 'gzip');
  expect(part.headers['content-encoding']).toBeUndefined();
  expect(JSON.parse(part.body.toString()).posts).toHaveLength(1);
  put('content/images/a.txt', 'text');
  put('content/images/a.txt.gz', gzipSync('other'));
  expect((await ask('/content/images/a.txt', 'gzip')).body.toString()).toBe('text');
});

test('a new sidecar is sent as soon as it is there', async () => {
  const { ask, content } = await withTree('gzip');
  const before = (await ask('/content/posts/', 'gzip')).headers.etag;
  writeFileSync(join(content, 'posts/index.json.gz'), gzipSync('{"posts":[]}'));
  const { headers, body } = await ask('/content/posts/', 'gzip');
  expect(headers.etag).not.toBe(before);
  expect(gunzipSync(body).toString()).toBe('{"posts":[]}');
});
