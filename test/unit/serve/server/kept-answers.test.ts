// Kept answers: whatever was asked before, of the same address or another, each request gets the answer that
// it gets alone.
import type { Socket } from 'node:net';
import { brotliCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Exchange } from '../../../../src/serve/server/connections/connection.ts';
import { createResponseBuffers } from '../../../../src/serve/server/connections/response-buffers.ts';
import { createResponseCache } from '../../../../src/serve/server/content/response-cache.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { numberedId, packPosts, putPacked } from '../../../helpers/packed-files.ts';
import { SEED } from '../../../helpers/random.ts';
import { getOf, openRaw } from '../../../helpers/raw-client.ts';
import { type Answer, type Asked, askAt } from '../../../matrix/ask.ts';
import { serve } from './harness.ts';

const LIST = `{"posts":[${'{"id":"1"},'.repeat(50)}{"id":"2"}],"meta":{"pagination":{"total":51,"pages":1}}}`;

const withTree = async () => {
  const tree = { state: 1, version: () => `v${tree.state}`, file: () => undefined };
  const flags = { precompress: 'br', contentKey: 'optional' };
  const served = await serve({ flags, tree });
  served.put('content/posts/index.json', LIST);
  served.put('content/posts/index.json.br', brotliCompressSync(LIST));
  putPacked(served.put, packPosts([1, 2, 3, 4, 5].map((number) => ({ id: numberedId(number) }))));
  served.put('content/404.json', '{"errors":[]}');
  served.put('content/images/a.txt', 'text');
  const ask = askAt(Number(new URL(served.origin).port));
  return { ...served, tree, ask };
};

const seen = ({ status, headers, body }: Answer) => {
  const { date: _date, 'x-request-id': _id, ...others } = headers;
  return { status, headers: others, body: body.toString('base64') };
};

test('an answer after a 304 is the answer before it', async () => {
  const { ask } = await withTree();
  for (const encoding of ['br', 'identity']) {
    const headers = { 'accept-encoding': encoding };
    const path = '/content/posts/';
    const first = await ask({ path, headers });
    const known = { ...headers, 'if-none-match': first.headers.etag ?? '' };
    expect((await ask({ path, headers: known })).status).toBe(304);
    for (const _time of ['made', 'kept']) {
      const next = await ask({ path, headers });
      expect(seen(next)).toEqual(seen(first));
      expect(next.headers['content-type']).toBe('application/json; charset=utf-8');
    }
  }
});

test('no request changes what another one gets', async () => {
  const { ask, tree } = await withTree();
  const paths = [
    '/content/posts/',
    '/content/posts/?limit=2',
    '/content/posts/?limit=2&page=3',
    '/content/posts/?limit=1x',
    '/content/posts/?filter=id:-x&fields=id',
    '/content/posts',
    '/content/nothing/',
    '/content/images/a.txt',
    '/content/posts/index.json',
    '/ghost/api/v4/content/posts/',
  ];
  const asked = paths.flatMap((path): Asked[] =>
    ['br', 'identity', 'gzip'].flatMap((encoding) => [
      { path, headers: { 'accept-encoding': encoding } },
      { path, headers: { 'accept-encoding': encoding, 'if-none-match': '*' } },
      { path, headers: { 'accept-encoding': encoding, range: 'bytes=0-1' } },
      { path, method: 'HEAD', headers: { 'accept-encoding': encoding } },
    ]),
  );
  const askAnew = async (request: Asked) => {
    tree.state += 1;
    return withoutIds(seen(await ask(request)));
  };
  const alone: ReturnType<typeof withoutIds>[] = [];
  for (const request of asked) alone.push(await askAnew(request));
  const order = fc.array(fc.nat(asked.length - 1), { minLength: 10, maxLength: 30 });
  const property = fc.asyncProperty(order, async (numbers) => {
    tree.state += 1;
    // What is asked for twice is kept.
    for (const number of [...numbers, ...numbers]) {
      const request = asked[number] as Asked;
      expect(withoutIds(seen(await ask(request))), JSON.stringify(request)).toEqual(alone[number]);
    }
  });
  await fc.assert(property, { numRuns: 20, seed: SEED });
});

test('an answer is kept from its second time on', () => {
  const memory = createResponseBuffers(1_000);
  const cache = createResponseCache({
    version: () => 'v1',
    encodings: [],
    requestId: () => 'id',
    logger: undefined,
  });
  const sent: unknown[] = [];
  const asked = { method: 'GET', url: '/content/posts/', headers: {}, rawHeaders: ['host', 'a'] };
  const response = { writeHead: () => undefined, end: (body: unknown) => void sent.push(body) };
  const exchange = { request: asked, response } as unknown as Exchange;
  const body = Buffer.from(LIST);
  for (const isGiven of [false, false, true]) {
    expect(cache.give(exchange, memory)).toBe(isGiven);
    cache.keep(asked, { version: 'v1', headers: {}, body });
  }
  expect(sent).toEqual([body]);
});

test.each([
  ['kept', {}],
  ['made anew', { 'if-none-match': '"other"' }],
])('a long body that is %s is written in pieces', async (_name, headers) => {
  const served = await withTree();
  served.put('content/posts/index.json', LIST.padEnd(1_000_000));
  let waiting: Socket | null = null;
  served.app.server.on('connection', (socket: Socket) => {
    waiting = socket;
  });
  const { socket } = await openRaw(served.origin, { isReading: false });
  // More than the system takes for a client that reads nothing.
  socket.write(getOf('/content/posts/', headers).repeat(16));
  const pending = await eventually(() => {
    expect(waiting?.writableLength).toBeGreaterThan(0);
    return waiting?.writableLength;
  });
  expect(pending).toBeLessThan(500_000);
});

/** Each error has an id of its own. */
const withoutIds = (answer: ReturnType<typeof seen>) => ({
  ...answer,
  body: Buffer.from(answer.body, 'base64')
    .toString('latin1')
    .replace(/"id":"[^"]{36}"/, ''),
});
