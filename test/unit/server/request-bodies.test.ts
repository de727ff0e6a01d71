// The bodies of all requests under way have a bound together: what is over it is refused before it is read.
import { expect, test } from 'vitest';
import { REQUEST_BODY_BYTES_MAX } from '../../../src/base/limits.ts';
import { eventually } from '../../helpers/eventually.ts';
import { answersIn, openRaw, type RawClient } from '../../helpers/raw-client.ts';
import { serve, signToken } from './harness.ts';

/** The bound, in the largest bodies that are taken. */
const BODIES_MAX = 64;

const statusOf = ({ said }: RawClient): Promise<number | undefined> =>
  eventually(() => {
    const [answer] = answersIn(said());
    expect(answer).toBeDefined();
    return answer?.status;
  });

test('bodies under way are bounded; others are answered meanwhile', async () => {
  const served = await serve();
  const post = async (length: string): Promise<RawClient> => {
    const client = await openRaw(served.origin);
    const authorization = `authorization: Ghost ${signToken(served.adminKey, {})}\r\n`;
    client.socket.write(
      `POST /admin/posts/ HTTP/1.1\r\nhost: x\r\n${authorization}content-type: application/json\r\n${length}\r\n\r\n`,
    );
    return client;
  };
  const sized = `content-length: ${REQUEST_BODY_BYTES_MAX}`;
  const clients = [await post('transfer-encoding: chunked')];
  while (clients.length < BODIES_MAX) clients.push(await post(sized));
  expect(await statusOf(await post('content-length: 2'))).toBe(503);
  expect((await served.get('/health')).status).toBe(200);
  expect((await served.admin('GET', '/admin/posts/')).status).toBe(200);
  clients[0]?.socket.destroy();
  await eventually(async () => {
    const client = await post('content-length: 2');
    client.socket.write('{}');
    expect(await statusOf(client)).toBe(400);
  });
});
