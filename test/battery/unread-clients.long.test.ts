// Crowds of clients that ask and do not read, or do not even ask, against the running command: the server
// answers others, within its memory, and opens no more files than it says.
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { getOf } from '../helpers/raw-client.ts';
import { prepress } from '../helpers/run-prepress.ts';
import { type Serving, startServing } from '../helpers/serve.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';
import { lengthenPosts, MEMORY_MB_MAX, openCrowd, watch } from '../helpers/unread-crowd.ts';
import { sayRow, sized } from './size.ts';

const suite = suiteFolder();
beforeAll(async () => {
  await prepress(suite.path, ['init', '--site-url', 'https://site.test']);
  lengthenPosts(suite.path);
  await prepress(suite.path, ['build', '--site-url', 'https://site.test']);
});
afterAll(suite.remove);

type Crowd = readonly [
  name: string,
  count: number,
  textOf: (key: string, number: number) => string,
];

const post = (path: string): string =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 10000\r\n\r\n{`;

const CROWDS: readonly Crowd[] = [
  ['one that pipelines lists', 1, (key) => getOf(`/content/posts/?key=${key}`).repeat(120)],
  ['one that pipelines parts', 1, (key) => getOf(`/content/posts/?limit=9&key=${key}`).repeat(120)],
  ['lists', 512, (key) => getOf(`/content/posts/?include=tags&key=${key}`).repeat(60)],
  [
    'parts of lists, each another',
    512,
    (key, number) =>
      [2, 3, 4, 5, 6, 7]
        .map((size) => getOf(`/content/posts/?limit=${size}&page=${(number % 3) + 1}&key=${key}`))
        .join('')
        .repeat(10),
  ],
  ['a static file', 512, () => getOf('/docs/swagger-ui-bundle.js').repeat(60)],
  ['short documents', 512, (key) => getOf(`/content/tags/?key=${key}`).repeat(200)],
  ['/health', 512, () => getOf('/health').repeat(500)],
  ['the home page', 512, () => getOf('/').repeat(60)],
  ['nothing', 520, () => ''],
  ['half a head', 520, () => 'GET /health HTTP/1.1\r\nhost: x\r\n'],
  ['half a body', 520, () => post('/unsubscribe/')],
  ['half a body to the admin interface', 520, () => post('/admin/posts/')],
];

/** The short form takes every third. */
const EVERY = sized({ short: 3, long: 1 });

const start = async (): Promise<Serving> => {
  const serving = await startServing(suite.path, {
    args: ['--site-url', 'https://site.test'],
    environment: { PREPRESS_LOG_LEVEL: 'warn' },
  });
  onTestFinished(async () => {
    await serving.end('SIGKILL');
  });
  return serving;
};

test.each(CROWDS.filter((_, at) => at % EVERY === 2 % EVERY))(
  'unread: %s',
  async (name, count, textOf) => {
    const serving = await start();
    await openCrowd(serving, count, (number) => textOf(serving.contentKey, number));
    const seen = await watch(serving, sized({ short: 20, long: 100 }));
    expect(seen.statuses.filter((status) => status !== 200)).toEqual([]);
    expect(seen.peakMb).toBeLessThan(MEMORY_MB_MAX);
    expect(seen.files).toBeLessThanOrEqual(128);
    expect(await serving.admin('GET', '/site/')).toMatchObject({ site: {} });
    expect(serving.log()).toBe('');
    const { slowestMs, peakMb, files } = seen;
    sayRow(`unread ${name}`, {
      'ms for /health at most': Math.round(slowestMs),
      'MiB at most': Math.round(peakMb),
      files,
    });
  },
);
