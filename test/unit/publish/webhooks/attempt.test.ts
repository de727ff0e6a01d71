// Rude receivers: whatever they do, one attempt ends in time with the right verdict.

import { getEventListeners } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test, vi } from 'vitest';
import { parseAllowList } from '../../../../src/base/net/addresses.ts';
import { type Sender, sendAttempt } from '../../../../src/publish/webhooks/sending/attempt.ts';
import { SECRET } from '../../../helpers/outbox.ts';
import { type Answer, startReceiver } from '../../../helpers/receiver.ts';

const sender: Sender = {
  allow: parseAllowList(['127.0.0.0/8']),
  resolve: async () => ['127.0.0.1'],
  now: Date.now,
  timeoutMs: 60_000,
};

const send = (targetUrl: string, options: Partial<Sender> = {}) =>
  sendAttempt({ id: 'a1', body: '{}', targetUrl, secrets: [SECRET] }, { ...sender, ...options });

const serveRaw = async (talk: (socket: Socket) => void): Promise<string> => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', () => talk(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
};

const STATUSES: readonly (readonly [number, string | null])[] = [
  [200, null],
  [204, null],
  [299, null],
  [301, 'HTTP_301'],
  [304, 'HTTP_304'],
  [400, 'HTTP_400'],
  [410, 'HTTP_410'],
  [500, 'HTTP_500'],
];

test.each(STATUSES)('status %i', async (status, error) => {
  const { url } = await startReceiver((response) => response.writeHead(status).end());
  expect(await send(url)).toMatchObject({ status, error });
});

test('a redirect is not followed', async () => {
  const elsewhere = await startReceiver();
  const { url } = await startReceiver((response) =>
    response.writeHead(307, { location: elsewhere.url }).end(),
  );
  expect(await send(url)).toMatchObject({ status: 307, error: 'HTTP_307' });
  expect(elsewhere.received).toHaveLength(0);
});

const HANGS: Readonly<Record<string, Answer>> = {
  'no answer': () => {},
  'a body that never ends': (response) => response.writeHead(200).write('x'),
  'a byte at a time': (response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('x'), 20);
    response.on('close', () => clearInterval(timer));
  },
};

test.each(Object.keys(HANGS))('%s ends with the total timeout', async (name) => {
  const { url } = await startReceiver(HANGS[name]);
  const result = await send(url, { timeoutMs: 500 });
  expect(result.error).toBe('ETIMEDOUT');
  // Timers may fire a millisecond early.
  expect(result.durationMs).toBeGreaterThanOrEqual(450);
});

test('a resolver that hangs ends with the total timeout too', async () => {
  const resolve = () => new Promise<never>(() => {});
  const result = await send('http://hook.test/', { resolve, timeoutMs: 500 });
  expect(result.error).toBe('ETIMEDOUT');
});

test('of a body of 300 MB 64 kB are read, 2 kB kept', async () => {
  let sent = 0;
  const { url } = await startReceiver((response) => {
    response.writeHead(200, { 'content-length': 300 * 1024 * 1024 });
    const chunk = Buffer.alloc(65_536, 'x');
    const more = () => {
      while (!response.destroyed && sent < 300 * 1024 * 1024) {
        sent += chunk.length;
        if (!response.write(chunk)) {
          response.once('drain', more);
          return;
        }
      }
    };
    more();
  });
  const result = await send(url);
  expect(result).toMatchObject({ status: 200, error: null });
  expect(result.response).toHaveLength(2_048);
  expect(sent).toBeLessThan(50 * 1024 * 1024);
});

test('a gzip bomb stays packed', async () => {
  const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024));
  const { url } = await startReceiver((response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
  );
  const result = await send(url);
  expect(result).toMatchObject({ status: 200, error: null });
  expect(Buffer.byteLength(result.response ?? '')).toBeLessThan(10_000);
});

/** Sends `start` once and `piece` for as long as the connection takes it. */
const flood =
  (start: string, piece: string) =>
  (socket: Socket): void => {
    socket.write(start);
    const block = piece.repeat(Math.ceil(20_000 / piece.length));
    const more = () => {
      while (!socket.destroyed && socket.write(block));
      if (!socket.destroyed) socket.once('drain', more);
    };
    more();
  };

const OK = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = `${OK}transfer-encoding: chunked\r\n\r\n`;

const FLOODS: readonly (readonly [string, string, string, string])[] = [
  ['headers', OK, 'x-a: b\r\n', 'UND_ERR_HEADERS_OVERFLOW'],
  ['trailers', `${CHUNKED}0\r\n`, 'x-a: b\r\n', 'UND_ERR_HEADERS_OVERFLOW'],
  ['100 Continue', '', 'HTTP/1.1 100 Continue\r\n\r\n', 'UND_ERR_SOCKET'],
  ['102 Processing', '', 'HTTP/1.1 102 Processing\r\n\r\n', 'TOO_MANY_1XX'],
  ['103 Early Hints', '', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n', 'TOO_MANY_1XX'],
  ['a header of spaces', `${OK}x-a: `, ' ', 'ANSWER_TOO_LONG'],
  ['a reason phrase', 'HTTP/1.1 200 ', 'OK', 'ANSWER_TOO_LONG'],
  ['empty lines', '', '\r\n', 'ANSWER_TOO_LONG'],
  ['the size of a chunk', CHUNKED, '0', 'ANSWER_TOO_LONG'],
  ['the extension of a chunk', `${CHUNKED}1;`, 'a', 'ANSWER_TOO_LONG'],
  ['extensions', CHUNKED, `1;${'a'.repeat(5_000)}\r\nx\r\n`, 'ANSWER_TOO_LONG'],
];

test.each(FLOODS)('endless: %s', async (_, start, piece, error) => {
  const url = await serveRaw(flood(start, piece));
  expect(await send(url)).toMatchObject({ error });
});

const HINT = 'HTTP/1.1 103 Early Hints\r\n\r\n';

test('a few interim answers are read over, and one too many ends the attempt', async () => {
  const few = await serveRaw((socket) =>
    socket.write(`${HINT.repeat(10)}${OK}content-length: 0\r\n\r\n`),
  );
  expect(await send(few)).toMatchObject({ status: 200 });
  // The receiver then waits: only the count can end this before the total timeout.
  const many = await serveRaw((socket) => socket.write(HINT.repeat(11)));
  const cut = await send(many);
  expect(cut).toMatchObject({ status: null, error: 'TOO_MANY_1XX' });
});

test('a reset, a closed port, garbage, and an early end are failures', async () => {
  const reset = await serveRaw((socket) => socket.resetAndDestroy());
  expect((await send(reset)).error).toMatch(/ECONNRESET|UND_ERR_SOCKET/);
  expect((await send('http://127.0.0.1:9999/')).error).toBe('ECONNREFUSED');
  const garbage = await serveRaw((socket) => socket.end('hello\r\n\r\n'));
  expect((await send(garbage)).error).toMatch(/^HPE_|^NOT_HTTP/);
  const cut = await serveRaw((socket) =>
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx'),
  );
  expect(await send(cut)).toMatchObject({ status: 200, error: expect.any(String) });
});

test('DNS is asked once, and what it says later does not matter', async () => {
  const receiver = await startReceiver();
  const resolve = vi.fn(async () =>
    resolve.mock.calls.length === 1 ? ['127.0.0.1'] : ['127.0.0.9'],
  );
  const target = receiver.url.replace('127.0.0.1', 'rebind.test');
  expect(await send(target, { resolve })).toMatchObject({ status: 200 });
  expect(resolve).toHaveBeenCalledTimes(1);
  expect(receiver.received[0]?.headers.host).toMatch(/^rebind\.test:\d+$/);
});

test('a target that turned private is refused without a connection', async () => {
  const receiver = await startReceiver();
  const target = receiver.url.replace('127.0.0.1', 'rebind.test');
  const strict = { allow: parseAllowList([]) };
  expect(await send(target, strict)).toMatchObject({ status: null, error: 'TARGET_REFUSED' });
  expect(await send(receiver.url, strict)).toMatchObject({ error: 'TARGET_REFUSED' });
  const mixed = { ...strict, resolve: async () => ['8.8.8.8', '127.0.0.1'] };
  expect(await send(target, mixed)).toMatchObject({ error: 'TARGET_REFUSED' });
  expect(receiver.received).toHaveLength(0);
});

test('over TLS the name is what the certificate is asked for, whatever the address', async () => {
  const asked: string[] = [];
  const server = createTlsServer({
    SNICallback: (name, done) => {
      asked.push(name);
      done(new Error('no certificate here'));
    },
  });
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const result = await send(`https://hook.test:${port}/`);
  expect(result).toMatchObject({ status: null, error: expect.any(String) });
  expect(asked).toEqual(['hook.test']);
});

test('an attempt leaves nothing behind with the signal that ends it', async () => {
  const ending = new AbortController();
  const { url } = await startReceiver((response) => response.writeHead(200).end());
  for (let times = 0; times < 3; times += 1) {
    expect((await send(url, { ending: ending.signal, timeoutMs: 60_000 })).error).toBeNull();
  }
  expect(getEventListeners(ending.signal, 'abort')).toEqual([]);
  // Node.js keeps the signals that follow from this one in a set of its own.
  const sizes = Object.getOwnPropertySymbols(ending.signal)
    .map((symbol) => Reflect.get(ending.signal, symbol)?.size)
    .filter((size) => typeof size === 'number' && size > 0);
  expect(sizes).toEqual([]);
  ending.abort();
  expect((await send(url, { ending: ending.signal })).error).toBe('ENDED');
});
