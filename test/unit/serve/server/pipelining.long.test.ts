// Clients that send more requests than they have answers for: answers come one after the other, and what is
// never answered costs nothing.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { REQUESTS_WAITING_MAX } from '../../../../src/base/limits.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { canCountFiles, openFiles } from '../../../helpers/open-files.ts';
import { numberedId, packPosts, putPacked } from '../../../helpers/packed-files.ts';
import { SEED } from '../../../helpers/random.ts';
import { answersIn, getOf, openRaw } from '../../../helpers/raw-client.ts';
import { type Served, serve } from './harness.ts';

/** Over what is kept in memory, and over what the system takes for a client that reads nothing. */
const RECORDS = Array.from({ length: 2_000 }, (_, at) => ({
  id: numberedId(at),
  html: 'x'.repeat(9_000),
}));
const LONG = JSON.stringify({
  posts: RECORDS,
  meta: { pagination: { page: 1, limit: 2_000, pages: 1, total: 2_000, next: null, prev: null } },
});

const PACKED = packPosts(RECORDS);

const withTree = async (): Promise<Served> => {
  const served = await serve({ flags: { contentKey: 'optional' } });
  served.put('content/posts/index.json', LONG);
  putPacked(served.put, PACKED);
  served.put('content/tags/index.json', '{"tags":[]}');
  served.put('content/404.json', '{"errors":[]}');
  served.put('content/files/long.bin', Buffer.alloc(20_000_000));
  return served;
};

const filesOf = ({ output }: Served): number => openFiles(output).length;

const countRequests = ({ app }: Served): (() => number) => {
  let count = 0;
  app.server.on('request', () => {
    count += 1;
  });
  return () => count;
};

test('next to nothing is made of requests that wait', async () => {
  const served = await withTree();
  const requests = countRequests(served);
  const client = await openRaw(served.origin, { isReading: false });
  client.socket.write(getOf('/content/posts/').repeat(2_000));
  await eventually(() => expect(requests()).toBeGreaterThan(0));
  for (let round = 1; round <= 20; round += 1) {
    expect((await served.get('/health')).status).toBe(200);
    expect(requests() - round).toBeLessThan(REQUESTS_WAITING_MAX);
  }
});

test('a client that hides many requests behind a body is ended, others are not', async () => {
  const served = await withTree();
  const requests = countRequests(served);
  const [client, other] = [await openRaw(served.origin), await openRaw(served.origin)];
  client.socket.write(
    'POST /unsubscribe/ HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n' +
      'content-type: application/x-www-form-urlencoded\r\n\r\n',
  );
  await eventually(() => expect(requests()).toBe(1));
  client.socket.write(`a=1234567${getOf('/health').repeat(REQUESTS_WAITING_MAX * 2)}`);
  await client.closed;
  expect(answersIn(client.said()).length).toBeLessThan(REQUESTS_WAITING_MAX);
  other.socket.write(getOf('/health'));
  await eventually(() => expect(answersIn(other.said())).toMatchObject([{ status: 200 }]));
});

test.skipIf(!canCountFiles)(
  'one connection has one file open, however much it asks for',
  async () => {
    const served = await withTree();
    const paths = ['/content/posts/', '/content/files/long.bin'];
    for (const path of paths) {
      const client = await openRaw(served.origin, { isReading: false });
      client.socket.write(getOf(path).repeat(120));
      await eventually(() => expect(filesOf(served)).toBe(1));
      // A request of another connection that was sent later is answered meanwhile.
      for (let round = 0; round < 20; round += 1) {
        expect((await served.get('/content/tags/')).status).toBe(200);
        expect(filesOf(served)).toBeLessThanOrEqual(1);
      }
      client.socket.destroy();
      await eventually(() => expect(filesOf(served)).toBe(0));
    }
  },
);

test.skipIf(!canCountFiles)('clients that go away leave nothing open', async () => {
  const served = await withTree();
  const paths = [
    '/content/posts/',
    '/content/posts/?limit=900',
    '/content/files/long.bin',
    '/content/posts/',
    '/content/nothing/',
  ];
  const requests = paths.map((path) => getOf(path)).join('');
  const heads = requests.replaceAll('GET ', 'HEAD ');
  const known = paths.map((path) => getOf(path, { 'if-none-match': '*' })).join('');
  for (let round = 0; round < 40; round += 1) {
    const client = await openRaw(served.origin, { isReading: round % 2 === 0 });
    client.socket.write([requests, heads + requests, known + requests][round % 3] ?? '');
    // Before, while and after the first answer is begun.
    for (let asked = 0; asked < round % 7; asked += 1) await served.get('/health');
    if (round % 4 === 0) client.socket.resetAndDestroy();
    else client.socket.destroy();
  }
  await eventually(() => expect(filesOf(served)).toBe(0));
});

test('a client that reads gets every answer, in order', async () => {
  const served = await withTree();
  const { socket, said } = await openRaw(served.origin);
  const paths = Array.from({ length: 300 }, (_, at) =>
    at % 3 === 0 ? '/content/tags/' : at % 3 === 1 ? '/content/nothing/' : '/health',
  );
  socket.write(paths.map((path) => getOf(path)).join(''));
  await eventually(() => expect(answersIn(said())).toHaveLength(300));
  expect(answersIn(said()).map(({ status }) => status)).toEqual(
    paths.map((path) => (path === '/content/nothing/' ? 404 : 200)),
  );
});

test('requests are understood however they are cut up', async () => {
  const served = await withTree();
  const body = 'a=1\r\n\r\nGET /x HTTP/1.1\r\n\r\n';
  const post = `POST /unsubscribe/ HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  const chunked = `POST /unsubscribe/ HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`;
  const requests = [
    getOf('/content/tags/'),
    post,
    chunked,
    getOf('/health'),
    post,
    post,
    getOf('/none/'),
  ];
  const sent = requests.join('');
  const cuts = fc.array(fc.nat(sent.length), { maxLength: 12 });
  const property = fc.asyncProperty(cuts, async (places) => {
    const { socket, said } = await openRaw(served.origin);
    const ends = [...places.sort((one, other) => one - other), sent.length];
    for (const [at, end] of ends.entries()) {
      socket.write(sent.slice(ends[at - 1] ?? 0, end));
      await new Promise(setImmediate);
    }
    await eventually(() => expect(answersIn(said())).toHaveLength(requests.length));
    expect(answersIn(said()).map(({ status }) => status)).toEqual([
      200, 400, 400, 200, 400, 400, 404,
    ]);
    socket.destroy();
  });
  await fc.assert(property, { numRuns: 25, seed: SEED });
});

test('what is no request is answered after the answers before it', async () => {
  const served = await withTree();
  const { socket, said, closed } = await openRaw(served.origin);
  socket.write(
    `${getOf('/content/posts/')}${getOf('/content/tags/')}NONSENSE\r\n\r\n${getOf('/')}`,
  );
  await closed;
  const answers = answersIn(said());
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 400]);
  expect(answers[0]?.body).toBe(LONG);
});
