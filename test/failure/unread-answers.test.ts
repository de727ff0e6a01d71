// The built server under clients that ask for much and read nothing, and with too few files.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../helpers/eventually.ts';
import { answersIn, getOf, openRaw } from '../helpers/raw-client.ts';
import { prepress } from '../helpers/run-prepress.ts';
import { CONTENT, type Serving, serve } from '../helpers/serve.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';
import { lengthenPosts, MEMORY_MB_MAX, openCrowd, watch } from '../helpers/unread-crowd.ts';

const suite = suiteFolder();
beforeAll(async () => {
  await prepress(suite.path, ['init', '--site-url', 'https://site.test']);
  lengthenPosts(suite.path);
  await prepress(suite.path, ['build', '--site-url', 'https://site.test']);
});
afterAll(suite.remove);

const hasPrlimit = spawnSync('prlimit', ['--version'], { stdio: 'ignore' }).status === 0;

const start = (options: { readonly openFilesMax?: number } = {}): Promise<Serving> =>
  // Not a copy, which would be built anew: the memory of that counts as well.
  serve(suite.path, {
    args: ['--site-url', 'https://site.test'],
    environment: { PREPRESS_LOG_LEVEL: 'warn' },
    ...options,
  });

test('512 clients that pipeline requests and read nothing lock nobody out', async () => {
  const serving = await start();
  const key = `key=${serving.contentKey}`;
  const list = `/content/posts/?${key}`;
  const others = [`${list}&limit=7&page=2`, `/content/tags/?${key}`, '/health', '/'];
  const asked = [list, list, list, list, ...others, '/docs/swagger-ui-bundle.js'];
  await openCrowd(serving, 512, (at) => getOf(asked[at % asked.length] ?? list).repeat(500));
  const seen = await watch(serving, 20);
  expect(seen.statuses).toEqual(Array(20).fill(200));
  expect(seen.peakMb).toBeLessThan(MEMORY_MB_MAX);
  expect(seen.files).toBeLessThanOrEqual(128);
  expect(seen.connections).toBeLessThanOrEqual(520);
  expect(await serving.admin('GET', '/site/')).toMatchObject({ site: {} });
  const readList = async (): Promise<number> => (await serving.get(list)).status;
  await eventually(async () => expect(await readList()).toBe(200));
});

test('a client that wants a tunnel and goes away does not end the server', async () => {
  const serving = await start();
  for (let count = 0; count < 20; count += 1) {
    const { socket } = await openRaw(serving.url);
    socket.write(`CONNECT x:80 HTTP/1.1\r\nhost: x\r\n\r\n${'x'.repeat(50_000)}`);
    await once(socket, 'data').catch(() => undefined);
    socket.resetAndDestroy();
    const health = serving.get('/health').then(({ status }) => status);
    expect(await health.catch(() => 'no answer')).toBe(200);
  }
});

const HALF_BODY = 'HTTP/1.1\r\nhost: x\r\ncontent-length: 10000\r\n\r\n{';
/** Nothing, half a head, half a body. */
const BEGUN = [
  '',
  'GET /health HTTP/1.1\r\nhost: x\r\n',
  `POST /unsubscribe/ ${HALF_BODY}`,
  `POST /admin/posts/ ${HALF_BODY}`,
];

test('520 clients that ask for nothing, or half of it, lock nobody out', async () => {
  const serving = await start();
  await openCrowd(serving, 520, (at) => BEGUN[at % BEGUN.length] ?? '');
  expect((await watch(serving, 3)).statuses).toEqual([200, 200, 200]);
  expect(await serving.admin('GET', '/site/')).toMatchObject({ site: {} });
});

test.skipIf(!hasPrlimit)('a process that may open few files never opens too many', async () => {
  const serving = await start({ openFilesMax: 256 });
  const list = `/content/posts/?key=${serving.contentKey}`;
  await openCrowd(serving, 300, () => getOf(list).repeat(10));
  const seen = await watch(serving, 10);
  expect(seen.statuses).toEqual(Array(10).fill(200));
  expect(seen.connections).toBeGreaterThan(60);
  expect(seen.files).toBeGreaterThan(30);
  expect(serving.log()).toBe('');
});

test.skipIf(!hasPrlimit)('without a file to be had, the answer is 503', async () => {
  const serving = await start();
  const { pid, folder, url, contentKey } = serving;
  const limit = (files: number): void => {
    spawnSync('prlimit', ['--pid', String(pid), `--nofile=${files}:`]);
  };
  writeFileSync(join(folder, CONTENT, 'plain.txt'), 'text');
  const { socket, said } = await openRaw(url);
  const ask = async (path: string) => {
    const before = answersIn(said()).length;
    socket.write(getOf(path));
    await eventually(() => expect(answersIn(said())).toHaveLength(before + 1));
    return answersIn(said()).at(-1);
  };
  expect((await ask('/health'))?.status).toBe(200);
  const paths = [`/content/tags/?key=${contentKey}`, '/content/plain.txt', '/docs/swagger-ui.css'];
  const numbers = new Set(readdirSync(`/proc/${pid}/fd`).map(Number));
  const free = [...numbers].findIndex((_, number) => !numbers.has(number));
  limit(free === -1 ? numbers.size : free);
  for (const path of paths) {
    const answer = await ask(path);
    expect(answer?.status, path).toBe(503);
    const [error] = (JSON.parse(answer?.body ?? '') as { errors: object[] }).errors;
    expect(Object.keys(error ?? {}), path).toHaveLength(9);
  }
  expect(said()).toContain('retry-after: 1');
  expect((await ask('/health'))?.status).toBe(200);
  limit(1_024);
  for (const path of paths) expect((await ask(path))?.status, path).toBe(200);
});
