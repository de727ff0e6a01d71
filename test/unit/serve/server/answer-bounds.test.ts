// What clients may make the server hold, and who ends when there is no room: over real connections, with time
// that the tests pass.

import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { REQUEST_MS_MAX, UNREAD_MS_MAX } from '../../../../src/base/limits.ts';
import {
  boundResponses,
  UNREAD_CROWDED_MS,
  WAIT_MS,
} from '../../../../src/serve/server/connections/bound-responses.ts';
import type { TrustProxy } from '../../../../src/serve/server/connections/client-address.ts';
import { inPieces } from '../../../../src/serve/server/connections/pieces.ts';
import { giveTime } from '../../../../src/serve/server/connections/request-time.ts';
import type { ResponseLimits } from '../../../../src/serve/server/connections/response-limits.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { answersIn, getOf, openRaw, type RawClient } from '../../../helpers/raw-client.ts';

const LIMITS: ResponseLimits = {
  connectionsMax: 100,
  connectionsPerAddressMax: 100,
  answersMax: 100,
  answersPerAddressMax: 100,
  answerBytesMax: 1_000_000,
};
/** Far over what the system takes for a client that reads nothing. */
const LONG = Buffer.alloc(60_000_000);

type Options = { readonly limits?: Partial<ResponseLimits>; readonly isTrusted?: TrustProxy };

const serveBounded = async ({ limits, isTrusted = () => false }: Options = {}) => {
  let nowMs = 0;
  /** Answers that have begun and not ended, by their paths. */
  const underWay = new Map<ServerResponse, string>();
  let uploadedBytes = 0;
  const server = createServer((request, response) => {
    const { url = '' } = request;
    underWay.set(response, url);
    response.on('close', () => underWay.delete(response));
    const refusal = bounds.findRefusal(request);
    if (url.startsWith('/upload')) giveTime(request);
    if (url === '/upload') request.on('data', ({ length }: Buffer) => (uploadedBytes += length));
    if (['/busy', '/upload'].includes(url) && refusal === undefined) return;
    const body = url === '/long' ? LONG : Buffer.from(url);
    response.writeHead(refusal?.status ?? 200, { 'content-length': body.length });
    inPieces(body).pipe(response);
  });
  const bounds = boundResponses(server, {
    limits: { ...LIMITS, ...limits },
    basePath: '',
    isTrusted,
    // All come from this machine, which is not counted otherwise.
    addressOf: ({ remoteAddress = '' }) => remoteAddress,
    answerKept: () => false,
    now: () => nowMs,
  });
  // Idle connections end by the bounds alone.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ask = async (path: string, options?: { readonly isReading: boolean }) => {
    const client = await openRaw(origin, options);
    client.socket.write(getOf(path));
    return client;
  };
  return {
    origin,
    ask,
    pathsUnderWay: () => [...underWay.values()],
    uploadedBytes: () => uploadedBytes,
    /** Looks at the connections after so much time. */
    pass: (ms: number): void => {
      nowMs += ms;
      bounds.sweep();
    },
  };
};

const UNREADING = { isReading: false };

const statusOf = ({ said }: RawClient): Promise<number | undefined> =>
  eventually(() => {
    const [answer] = answersIn(said());
    expect(answer).toBeDefined();
    return answer?.status;
  });

test('a client that reads nothing, or next to nothing, is ended', async () => {
  for (const trickle of [0, 100]) {
    const { ask, pass, pathsUnderWay } = await serveBounded();
    const client = await ask('/long', UNREADING);
    await eventually(() => expect(pathsUnderWay()).toEqual(['/long']));
    pass(1_000);
    for (let at = 0; at < UNREAD_MS_MAX - 1_000; at += 1_000) {
      client.socket.read(trickle);
      pass(1_000);
    }
    expect(pathsUnderWay()).toEqual(['/long']);
    pass(1_001);
    await eventually(() => expect(pathsUnderWay()).toEqual([]));
  }
});

test('a client that reads slowly is not ended', async () => {
  const { ask, pass, pathsUnderWay } = await serveBounded();
  const client = await ask('/long', UNREADING);
  let read = 0;
  client.socket.on('data', (chunk: Buffer) => {
    read += chunk.length;
    client.socket.pause();
  });
  while (read < LONG.length) {
    const goal = Math.min(read + 12_000_000, LONG.length);
    await eventually(() => {
      client.socket.resume();
      expect(read).toBeGreaterThanOrEqual(goal);
    }, 0);
    pass(UNREAD_MS_MAX - 1);
  }
  await eventually(() => expect(pathsUnderWay()).toEqual([]));
});

test('an answer that is still being made is not ended', async () => {
  const { ask, pass, pathsUnderWay } = await serveBounded();
  await ask('/busy');
  await eventually(() => expect(pathsUnderWay()).toEqual(['/busy']));
  for (let round = 0; round < 5; round += 1) pass(UNREAD_MS_MAX);
  expect(pathsUnderWay()).toEqual(['/busy']);
});

test('an unread answer is ended for a request that waits, and the admin interface never waits', async () => {
  const { ask, pass, pathsUnderWay } = await serveBounded({ limits: { answersMax: 2 } });
  for (const count of [1, 2]) {
    await ask('/long', UNREADING);
    await eventually(() => expect(pathsUnderWay()).toHaveLength(count));
    pass(1);
  }
  const waiting = await ask('/small');
  expect(await statusOf(await ask('/health'))).toBe(200);
  expect(await statusOf(await ask('/admin/posts/'))).toBe(200);
  expect(await statusOf(await ask('/ghost/api/v4/admin/posts/'))).toBe(200);
  expect(waiting.said()).toBe('');
  pass(UNREAD_CROWDED_MS);
  expect(pathsUnderWay()).toEqual(['/long', '/long']);
  pass(1);
  expect(await statusOf(waiting)).toBe(200);
  expect(pathsUnderWay()).toEqual(['/long']);
});

test('an unread answer stays where most are being made or read', async () => {
  const { ask, pass, pathsUnderWay } = await serveBounded({ limits: { answersMax: 3 } });
  await ask('/long', UNREADING);
  await eventually(() => expect(pathsUnderWay()).toEqual(['/long']));
  for (const count of [2, 3]) {
    await ask('/busy');
    await eventually(() => expect(pathsUnderWay()).toHaveLength(count));
  }
  const waiting = await ask('/small');
  expect(await statusOf(await ask('/health'))).toBe(200);
  // At the first look the system has taken megabytes of it.
  for (let look = 0; look < 3; look += 1) pass(UNREAD_CROWDED_MS + 1);
  pass(WAIT_MS);
  expect(await statusOf(waiting)).toBe(503);
  expect(pathsUnderWay()).toEqual(['/long', '/busy', '/busy']);
});

test('a request that finds no room for 5 s is refused', async () => {
  const { ask, pass } = await serveBounded({ limits: { answersMax: 1 } });
  const busy = await ask('/busy');
  const waiting = await ask('/small');
  expect(await statusOf(await ask('/health'))).toBe(200);
  pass(WAIT_MS);
  expect(waiting.said()).toBe('');
  pass(1);
  expect(await statusOf(waiting)).toBe(503);
  const next = await ask('/small');
  busy.socket.destroy();
  expect(await statusOf(next)).toBe(200);
});

test('the answers under way for one address are capped, also behind a proxy', async () => {
  const { origin, ask, pass } = await serveBounded({
    limits: { answersPerAddressMax: 1 },
    isTrusted: (_address, hop) => hop === 0,
  });
  const askFor = async (path: string, forwarded: string): Promise<RawClient> => {
    const client = await openRaw(origin);
    client.socket.write(getOf(path, { 'x-forwarded-for': forwarded }));
    return client;
  };
  await askFor('/busy', '203.0.113.7');
  const second = await askFor('/small', '198.51.100.1, 203.0.113.7');
  expect(await statusOf(await askFor('/small', '203.0.113.7, 198.51.100.1'))).toBe(200);
  for (let count = 0; count < 3; count += 1) await ask('/busy');
  expect(await statusOf(await ask('/small'))).toBe(200);
  expect(second.said()).toBe('');
  pass(WAIT_MS + 1);
  expect(await statusOf(second)).toBe(429);
});

test.each([
  ['have sent nothing', ''],
  ['have sent half a head', 'GET /health HTTP/1.1\r\nhost: x\r\n'],
  ['have sent half a body', 'POST /busy HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{'],
  ['read nothing', getOf('/long').repeat(3)],
  ['had their answer', getOf('/small')],
])('connections that %s make room for new ones, the oldest first', async (_name, sent) => {
  const { origin, pass } = await serveBounded({ limits: { connectionsMax: 21 } });
  const guard = await openRaw(origin);
  const clients: RawClient[] = [];
  while (clients.length < 20) {
    const client = await openRaw(origin, UNREADING);
    clients.push(client);
    client.socket.write(sent);
    // Answered after what was sent before.
    guard.socket.write(getOf('/health'));
    await eventually(() => expect(answersIn(guard.said())).toHaveLength(clients.length));
    pass(1);
  }
  const ended: number[] = [];
  for (const [at, { socket }] of clients.entries()) {
    // Only who reads learns that the connection has ended.
    if (!sent.includes('/long')) socket.resume();
    socket.once('close', () => ended.push(at));
  }
  for (let count = 0; count < 30; count += 1) {
    const newcomer = await openRaw(origin);
    newcomer.socket.write(getOf('/health'));
    expect(await statusOf(newcomer)).toBe(200);
    pass(1);
  }
  if (sent.includes('/long')) return;
  await eventually(() => expect(ended).toHaveLength(20));
  expect(ended).toEqual([...ended].sort((one, other) => one - other));
});

test('a body has half a minute, and one that brings a file an hour, whatever comes of it meanwhile', async () => {
  const { origin, ask, pass, pathsUnderWay } = await serveBounded();
  const head = (path: string): string =>
    `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{`;
  const [slow, upload] = [await openRaw(origin), await openRaw(origin)];
  slow.socket.write(head('/busy'));
  upload.socket.write(head('/upload'));
  await eventually(() => expect(pathsUnderWay().sort()).toEqual(['/busy', '/upload']));
  pass(REQUEST_MS_MAX - 1);
  slow.socket.write('"');
  expect(await statusOf(await ask('/small'))).toBe(200);
  expect(pathsUnderWay()).toHaveLength(2);
  pass(2);
  await slow.closed;
  await eventually(() => expect(pathsUnderWay()).toEqual(['/upload']));
  pass(3_600_000);
  await upload.closed;
});

test.each(['/small', '/upload-refused'])(
  '%s: a request that is answered early has half a minute for its rest',
  async (path) => {
    const { origin, pass } = await serveBounded();
    const client = await openRaw(origin);
    client.socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 99\r\n\r\n{`);
    expect(await statusOf(client)).toBe(200);
    pass(REQUEST_MS_MAX);
    client.socket.write('"');
    expect(client.socket.destroyed).toBe(false);
    pass(1);
    await eventually(() => expect(client.socket.destroyed).toBe(true));
  },
);

test('idle connections end first, then those that drip, and an upload that moves on last', async () => {
  const { origin, pass, pathsUnderWay, uploadedBytes } = await serveBounded({
    limits: { connectionsMax: 7 },
  });
  const ended: string[] = [];
  const open = async (name: string, sent: string): Promise<RawClient> => {
    const client = await openRaw(origin);
    client.socket.once('close', () => ended.push(name));
    client.socket.write(sent);
    return client;
  };
  const post = (path: string): string =>
    `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 999999\r\n\r\n`;
  const upload = await open('upload', post('/upload'));
  for (const count of [1, 2, 3]) {
    await open('dripping', `${post('/busy')}{`);
    await eventually(() => expect(pathsUnderWay()).toHaveLength(1 + count));
  }
  for (let count = 0; count < 3; count += 1) await statusOf(await open('idle', getOf('/small')));
  pass(2_000);
  upload.socket.write(Buffer.alloc(50_000));
  await eventually(() => expect(uploadedBytes()).toBe(50_000));
  const names = ['idle', 'idle', 'idle', 'dripping', 'dripping', 'dripping', 'new', 'new'];
  for (const [at] of names.entries()) {
    await open('new', '');
    await eventually(() => expect(ended).toHaveLength(at + 1));
  }
  expect(ended).toEqual(names);
});

test('who has more than a share of the connections makes room alone', async () => {
  const { origin, pass } = await serveBounded({
    limits: { connectionsMax: 12, connectionsPerAddressMax: 5 },
  });
  const { hostname: host, port } = new URL(origin);
  const honest: RawClient[] = [];
  while (honest.length < 5) honest.push(await openRaw(origin));
  pass(2_000);
  let ended = 0;
  for (let count = 0; count < 30; count += 1) {
    const socket = connect({ host, port: Number(port), localAddress: '127.0.0.2' });
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => undefined).once('close', () => (ended += 1));
    await once(socket, 'connect');
    socket.write('GET / HTTP/1.1\r\nx: ');
  }
  await eventually(() => expect(ended).toBe(25));
  for (const client of honest) {
    client.socket.write(getOf('/small'));
    expect(await statusOf(client)).toBe(200);
  }
});

test('connections that have sent more make room first, then those that wait; who comes is answered', async () => {
  const { origin, ask, pathsUnderWay } = await serveBounded({
    limits: { connectionsMax: 6, answersMax: 1 },
  });
  const answered = await ask('/busy');
  await eventually(() => expect(pathsUnderWay()).toEqual(['/busy']));
  const waiting = await ask('/small');
  const greedy = await openRaw(origin);
  greedy.socket.write(getOf('/small').repeat(3));
  // The answer of another connection comes after all that was sent before.
  const first = await openRaw(origin);
  first.socket.write(getOf('/health'));
  expect(await statusOf(first)).toBe(200);
  const newcomers = await Promise.all([openRaw(origin), openRaw(origin), openRaw(origin)]);
  await greedy.closed;
  for (const [at, newcomer] of newcomers.entries()) {
    newcomer.socket.write(getOf('/health'));
    expect([at, await statusOf(newcomer)]).toEqual([at, 200]);
  }
  await openRaw(origin);
  await waiting.closed;
  expect(pathsUnderWay()).toEqual(['/busy']);
  expect(answered.socket.destroyed).toBe(false);
});
