import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openRaw } from '../../../helpers/raw-client.ts';
import { serve, signToken } from './harness.ts';

const problemIn = (answer: string): unknown =>
  (JSON.parse(answer.slice(answer.lastIndexOf('\r\n\r\n'))) as { errors: unknown[] }).errors[0];

test('a head that never ends is cut off, others are answered meanwhile', async () => {
  const { app, origin, get } = await serve();
  app.server.headersTimeout = 1_000;
  const { socket, said, closed } = await openRaw(origin);
  socket.write('GET /health HTTP/1.1\r\nhost: x\r\n');
  const dripping = setInterval(() => socket.write('x-a: b\r\n'), 100);
  onTestFinished(() => clearInterval(dripping));
  expect((await get('/health')).status).toBe(200);
  await closed;
  expect(said()).toContain('408 Request Timeout');
  expect(problemIn(said())).toMatchObject({ type: 'RequestTimeoutError' });
});

test('closing lets a running request finish', async () => {
  const { origin, app, adminKey } = await serve();
  const { socket, said, closed } = await openRaw(origin);
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
  await closed;
  expect(said()).toMatch(/^HTTP\/1\.1 201 /);
});

test.each([
  ['nothing', ''],
  ['half a head', 'GET /health HTTP/1.1\r\nhost: x\r\n'],
  ['no request', 'NONSENSE\r\n\r\n'],
  ['a tunnel', 'CONNECT x:1 HTTP/1.1\r\nhost: x\r\n\r\n'],
])('closing waits for no client that sent %s', async (_name, sent) => {
  const { origin, app, get } = await serve();
  const { hostname: host, port } = new URL(origin);
  const socket = connect({ host, port: Number(port), allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined).resume();
  await once(socket, 'connect');
  socket.write(sent);
  expect((await get('/health')).status).toBe(200);
  const limit = new Promise((resolve) => setTimeout(resolve, 30_000, 'still open').unref());
  expect(await Promise.race([app.close().then(() => 'closed'), limit])).toBe('closed');
});
