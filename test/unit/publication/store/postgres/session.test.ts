// Connections to a server that does not answer as PostgreSQL does: none is left open, and none holds up the end of a program.
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createEnding } from '../../../../../src/publication/store/postgres/ending.ts';
import { openSession } from '../../../../../src/publication/store/postgres/session.ts';
import { eventually } from '../../../../helpers/eventually.ts';

const END_MS_MAX = 6_000;

/** Lets anybody in, and is ready. */
const READY = Buffer.from('520000000800000000' + '5a0000000549', 'hex');
/** Asks for a way to log in that nobody knows. */
const ODD_LOGIN = Buffer.from('520000000b0000000a580000', 'hex');

/** Answers the first message of a connection, and nothing after that. */
const startServer = async (answer: Buffer) => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write(answer);
      socket.resume();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const areClosed = () =>
    eventually(() => expect(sockets.map(({ closed }) => closed)).toEqual([true]));
  return { address: `postgres://somebody:secret@127.0.0.1:${port}/blog`, areClosed };
};

test('a connection that could not be opened is closed', async () => {
  const { address, areClosed } = await startServer(ODD_LOGIN);
  await expect(openSession(address)).rejects.toMatchObject({ code: 'DATABASE_UNREACHABLE' });
  await areClosed();
});

test('a program that ends waits six seconds for an answer, and for no other one', async () => {
  const { address, areClosed } = await startServer(READY);
  const ending = createEnding();
  const session = await openSession(address, ending);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const ended: string[] = [];
  const ask = session.query('SELECT 1').catch(({ code }) => ended.push(code));
  ending.begin();
  await vi.advanceTimersByTimeAsync(END_MS_MAX - 1);
  expect(ended).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  vi.useRealTimers();
  await ask;
  expect(ended).toEqual(['DATABASE_UNREACHABLE']);
  await expect(openSession(address, ending)).rejects.toMatchObject({ code: ended[0] });
  await session.close();
  await areClosed();
});
