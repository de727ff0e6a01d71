// A request has its time. The bodies of all requests under way have a bound together: what is over it is refused
// before it is read.
import { expect, test } from 'vitest';
import { POST_REQUEST_BYTES_MAX, REQUEST_BODY_BYTES_MAX } from '../../../../src/base/limits.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { answersIn, openRaw, type RawClient } from '../../../helpers/raw-client.ts';
import { type Served, serve } from './harness.ts';

/** The bound, in the largest bodies that are taken. */
const BODIES_MAX = 64;

const statusOf = ({ said }: RawClient): Promise<number | undefined> =>
  eventually(() => {
    const [answer] = answersIn(said());
    expect(answer).toBeDefined();
    return answer?.status;
  });

/** The answers so far, once there is one. Requests need not be judged in the order in which they came. */
const firstStatuses = (clients: readonly RawClient[]): Promise<number[]> =>
  eventually(() => {
    const answers = clients.flatMap(({ said }) => answersIn(said()));
    expect(answers).not.toEqual([]);
    return answers.map(({ status }) => status);
  });

/** A request whose body is to follow. */
const begin = async (served: Served, root: string, length: string): Promise<RawClient> => {
  const client = await openRaw(served.origin);
  const authorization = `authorization: ${served.authorization()}\r\n`;
  client.socket.write(
    `POST /admin/${root}/ HTTP/1.1\r\nhost: x\r\n${authorization}content-type: application/json\r\n${length}\r\n\r\n`,
  );
  return client;
};

/** Node.js reads the limit each time it looks for slow clients. */
test('a head has ten seconds', async () => {
  const { app } = await serve();
  expect(app.server.headersTimeout).toBe(10_000);
});

test('a second host behind three thousand other headers is seen', async () => {
  const { origin } = await serve();
  const client = await openRaw(origin);
  client.socket.write(
    `GET /health HTTP/1.1\r\nhost: x\r\n${'a:b\r\n'.repeat(3_000)}host: y\r\n\r\n`,
  );
  expect(await statusOf(client)).toBe(400);
});

test('bodies under way are bounded; others are answered meanwhile', async () => {
  const served = await serve();
  const post = (length: string): Promise<RawClient> => begin(served, 'tags', length);
  const sized = `content-length: ${REQUEST_BODY_BYTES_MAX}`;
  const clients = [await post('transfer-encoding: chunked')];
  while (clients.length <= BODIES_MAX) clients.push(await post(sized));
  expect(await firstStatuses(clients)).toEqual([503]);
  expect((await served.get('/health')).status).toBe(200);
  expect((await served.admin('GET', '/admin/posts/')).status).toBe(200);
  expect(await statusOf(await post('content-length: 2'))).toBe(503);
  clients.find(({ said }) => said() === '')?.socket.destroy();
  await eventually(async () => {
    const client = await post('content-length: 2');
    client.socket.write('{}');
    expect(await statusOf(client)).toBe(422);
  });
});

test('a post that is saved counts with its own bound', async () => {
  const served = await serve();
  const bodies = Math.floor((BODIES_MAX * REQUEST_BODY_BYTES_MAX) / POST_REQUEST_BYTES_MAX);
  const post = (root: string): Promise<RawClient> =>
    begin(served, root, 'transfer-encoding: chunked');
  const clients: RawClient[] = [];
  while (clients.length <= bodies) clients.push(await post('posts'));
  expect(await firstStatuses(clients)).toEqual([503]);
  const small = await post('tags');
  small.socket.write('2\r\n{}\r\n0\r\n\r\n');
  expect(await statusOf(small)).toBe(422);
});

test('posts and pages of 10 MB are saved, and nothing longer', async () => {
  const served = await serve();
  const envelope = { title: 'Long', html: '' };
  const save = async (root: string, bytes: number): Promise<Response> => {
    const frame = JSON.stringify({ [root]: [envelope] }).length;
    const html = `<p>${'a word '.repeat(bytes)}`.slice(0, bytes - frame);
    return served.admin('POST', `/admin/${root}/?source=html`, { [root]: [{ ...envelope, html }] });
  };
  for (const root of ['posts', 'pages']) {
    const saved = await save(root, POST_REQUEST_BYTES_MAX);
    expect([root, saved.status]).toEqual([root, 201]);
    const body = (await saved.json()) as Record<string, { html: string; excerpt: string }[]>;
    expect(body[root]?.[0]?.html.length).toBeGreaterThan(POST_REQUEST_BYTES_MAX - 100);
    expect((await save(root, POST_REQUEST_BYTES_MAX + 1)).status).toBe(413);
  }
  const tag = { name: 'N', description: 'x'.repeat(REQUEST_BODY_BYTES_MAX) };
  expect((await served.admin('POST', '/admin/tags/', { tags: [tag] })).status).toBe(413);
});

test('a client that goes on sending reads why its body is refused, on a connection that stays', async () => {
  const served = await serve();
  const bytes = REQUEST_BODY_BYTES_MAX + 1;
  const client = await begin(served, 'tags', `content-length: ${bytes}`);
  expect(await statusOf(client)).toBe(413);
  client.socket.write(Buffer.alloc(bytes, 'x'));
  client.socket.write('GET /health HTTP/1.1\r\nhost: x\r\n\r\n');
  await eventually(() =>
    expect(answersIn(client.said()).map(({ status }) => status)).toEqual([413, 200]),
  );
  client.socket.destroy();
});
