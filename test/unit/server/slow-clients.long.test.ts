import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { serve, signToken } from './harness.ts';

const open = async (origin: string): Promise<{ socket: Socket; said: () => string }> => {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  onTestFinished(() => {
    socket.destroy();
  });
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  socket.on('error', () => undefined);
  await new Promise((resolve) => {
    socket.once('connect', resolve);
  });
  return { socket, said: () => text };
};

const closed = (socket: Socket): Promise<unknown> =>
  new Promise((resolve) => {
    socket.once('close', resolve);
  });

const makeOneByOne = async <T>(count: number, make: () => Promise<T>): Promise<T[]> => {
  const made: T[] = [];
  while (made.length < count) made.push(await make());
  return made;
};

const problemIn = (answer: string): unknown =>
  (JSON.parse(answer.slice(answer.lastIndexOf('\r\n\r\n'))) as { errors: unknown[] }).errors[0];

test.each([
  ['head', 'headersTimeout', 'GET /health HTTP/1.1\r\nhost: x\r\n', 'x-a: b\r\n'],
  [
    'body',
    'requestTimeout',
    'POST /unsubscribe/ HTTP/1.1\r\nhost: x\r\ncontent-length: 100000\r\n\r\n{',
    ' ',
  ],
] as const)(
  'a %s that never ends is cut off, others are answered meanwhile',
  async (_part, limit, start, drip) => {
    const { app, origin, get } = await serve();
    app.server.headersTimeout = Math.min(app.server.headersTimeout, 1_000);
    app.server[limit] = 1_000;
    const { socket, said } = await open(origin);
    socket.write(start);
    const dripping = setInterval(() => socket.write(drip), 100);
    onTestFinished(() => clearInterval(dripping));
    expect((await get('/health')).status).toBe(200);
    await closed(socket);
    expect(said()).toContain('408 Request Timeout');
    expect(problemIn(said())).toMatchObject({ type: 'RequestTimeoutError' });
  },
);

test('many idle and slow connections leave the server answering', async () => {
  const { origin, get, admin } = await serve();
  const sockets = await Promise.all(Array.from({ length: 300 }, () => open(origin)));
  for (const { socket } of sockets) socket.write('GET /health HTTP/1.1\r\nhost: x\r\n');
  expect((await get('/health')).status).toBe(200);
  expect((await admin('GET', '/admin/members/')).status).toBe(200);
});

test('a new connection replaces the one that was inactive the longest', async () => {
  const { origin, get } = await serve({ flags: { connectionsMax: '20' } });
  const [first, ...others] = await makeOneByOne(20, () => open(origin));
  const ended = closed(first?.socket as Socket);
  expect((await get('/health')).status).toBe(200);
  await ended;
  expect(others.filter(({ socket }) => socket.destroyed)).toEqual([]);
});

test.each([
  ['NONSENSE\r\n\r\n', 400],
  [`GET /health HTTP/1.1\r\nhost: x\r\nx-a: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
  [`GET /${'a'.repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`, 431],
])('%.20s is answered in nine keys', async (text, status) => {
  const { origin } = await serve();
  const { socket, said } = await open(origin);
  const end = closed(socket);
  socket.write(text);
  await end;
  expect(said()).toContain(`HTTP/1.1 ${status} `);
  expect(Object.keys(problemIn(said()) as object)).toHaveLength(9);
});

test('closing lets a running request finish', async () => {
  const { origin, app, adminKey } = await serve();
  const { socket, said } = await open(origin);
  const body = JSON.stringify({ tags: [{ name: 'Slow' }] });
  const asked = once(app.server, 'request');
  socket.write(
    `POST /admin/tags/ HTTP/1.1\r\nhost: x\r\nauthorization: Ghost ${signToken(adminKey, {})}\r\n` +
      `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
  );
  const [request] = (await asked) as [IncomingMessage];
  // Its body is read.
  await once(request, 'resume');
  const closing = app.close();
  socket.write(body.slice(5));
  await closing;
  await closed(socket);
  expect(said()).toMatch(/^HTTP\/1\.1 201 /);
});
