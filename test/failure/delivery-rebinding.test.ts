// A name server of the test's own that answers differently each time. 127.0.0.2 plays the public address
// (the allow list names it), 127.0.0.1 the forbidden one: nothing may ever connect to it.
import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { parseAllowList } from '../../src/base/net/addresses.ts';
import { sendAttempt } from '../../src/publish/webhooks/sending/attempt.ts';

const PUBLIC = '127.0.0.2';
const FORBIDDEN = '127.0.0.1';

/** Answers each A question with the next list of addresses; the last list stays. */
const startNameServer = async (answers: readonly (readonly string[])[]): Promise<Resolver> => {
  const socket = createSocket('udp4');
  let asked = 0;
  socket.on('message', (question, { port, address }) => {
    const list = answers[Math.min(asked, answers.length - 1)] ?? [];
    asked += 1;
    socket.send(formatAnswer(question, list), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    socket.close();
  });
  const resolver = new Resolver();
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  return resolver;
};

const formatAnswer = (question: Buffer, addresses: readonly string[]): Buffer => {
  const nameEnd = question.indexOf(0, 12) + 1;
  const header = Buffer.from(question.subarray(0, 12));
  header.writeUInt16BE(0x8180, 2);
  header.writeUInt16BE(addresses.length, 6);
  header.writeUInt16BE(0, 8);
  header.writeUInt16BE(0, 10);
  const records = addresses.map((address) =>
    Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
  );
  return Buffer.concat([header, question.subarray(12, nameEnd + 4), ...records]);
};

const listen = async (
  address: string,
  wantedPort: number,
): Promise<{ server: Server; port: number; connections: () => number }> => {
  let count = 0;
  const server = createServer((_request, response) => response.end('ok'));
  server.on('connection', () => {
    count += 1;
  });
  await new Promise<void>((resolve) => server.listen(wantedPort, address, resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { server, port: (server.address() as AddressInfo).port, connections: () => count };
};

const CASES: readonly (readonly [string, readonly (readonly string[])[], string | null])[] = [
  ['public, then private', [[PUBLIC], [FORBIDDEN]], null],
  ['public and private in one answer', [[PUBLIC, FORBIDDEN]], 'TARGET_REFUSED'],
  ['private and public in one answer', [[FORBIDDEN, PUBLIC]], 'TARGET_REFUSED'],
  ['private at once', [[FORBIDDEN]], 'TARGET_REFUSED'],
];

test.each(CASES)('%s', async (_name, answers, error) => {
  const good = await listen(PUBLIC, 0);
  const bad = await listen(FORBIDDEN, good.port);
  const resolver = await startNameServer(answers);
  const attempt = () =>
    sendAttempt(
      { id: 'a', body: '{}', targetUrl: `http://rebind.test:${good.port}/`, secrets: ['s'] },
      {
        allow: parseAllowList([PUBLIC]),
        resolve: (hostname) => resolver.resolve4(hostname),
        now: Date.now,
        timeoutMs: 60_000,
      },
    );
  expect((await attempt()).error).toBe(error);
  expect((await attempt()).error).toBe('TARGET_REFUSED');
  expect(bad.connections()).toBe(0);
  expect(good.connections()).toBe(error === null ? 1 : 0);
});
