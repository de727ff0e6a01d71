// Every query in workerd: the bytes of an oracle for generated ones, those of the companion server for the style of real
// consumers; what is kept belongs to its root, the key comes first, and a plan's limit is said in one sentence.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Selection } from '../../src/content/paths/selection.ts';
import { SMALL_LEVELS } from '../helpers/memory-blobs.ts';
import { makeOddPublication, packOdd } from '../helpers/odd-records.ts';
import { numberedId, packPosts } from '../helpers/packed-files.ts';
import { createRandom, SEED } from '../helpers/random.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';
import { askAt } from './ask.ts';
import { GENERATED, holdGenerated, type PackedTree, writePacked } from './check-generated.ts';
import { queryTrials } from './check-queries.ts';
import { startHosts } from './hosts-of-file.ts';
import { type StartedWorker, startWorker } from './start-worker.ts';
import { holdAll, type Trial } from './trials.ts';

const PACKED: Selection = { profile: 'packed', variants: null };
const MAX = 40;

const hosts = startHosts([
  {
    title: 'every file',
    start: async (site, companion) => ({
      ...(await startWorker(site)),
      companion: askAt((await companion()).port),
    }),
  },
  {
    title: 'the packed tree only',
    start: async (site, companion) => ({
      ...(await startWorker(site, { given: { selection: PACKED, paged: [] } })),
      companion: askAt((await companion()).port),
    }),
  },
]);

test('queries', () => holdAll(hosts().flatMap((host) => queryTrials(host, host.companion))));

test('what is answered by code has the length that the companion server gives it, and one tag', () =>
  holdAll(
    hosts()
      .slice(1)
      .flatMap(({ title, ask, companion }) =>
        ['limit=1', 'fields=title&include=tags', 'limit=1&filter=id:-x'].map(
          (query): Trial => ({
            host: title,
            request: query,
            hold: async (compare) => {
              const path = `/content/posts/?${query}`;
              const { etag } = (await ask({ path })).headers;
              for (const method of ['GET', 'HEAD', 'GET']) {
                const ours = (await ask({ path, method })).headers;
                const theirs = (await companion({ path, method })).headers;
                const name = 'content-length';
                compare(`${name} of ${method}`, ours[name], theirs[name]);
                compare(`etag of ${method}`, ours.etag, etag);
              }
              const known = { 'if-none-match': String(etag) };
              compare('status when known', (await ask({ path, headers: known })).status, 304);
            },
          }),
        ),
      ),
  ));

/** A worker over a packed tree alone, and how to give it another one. */
const startOver = async (
  packed: PackedTree,
  options: { readonly requestsMax?: number } = {},
): Promise<StartedWorker & Over> => {
  const folder = suiteFolder();
  const output = join(folder.path, 'output');
  writePacked(output, packed);
  const given = { names: [], paged: [], selection: PACKED };
  const [host] = hosts();
  if (host === undefined) throw new Error('There is no host yet.');
  const worker = await startWorker({ ...host.site, output, basePath: '' }, { ...options, given });
  return {
    ...worker,
    turnTo: (next) => writePacked(worker.served, next),
    end: async () => {
      await worker.end();
      folder.remove();
    },
  };
};

type Over = { readonly turnTo: (next: PackedTree) => void };

test(`${GENERATED} generated queries are what an oracle works out (seed ${SEED})`, () =>
  holdGenerated('workerd', (tree) => startOver(tree)));

const withTitle = (title: string): PackedTree =>
  packPosts([{ id: numberedId(1), title, html: title }]);

test('an answer of another root is another one, though the first was kept', async () => {
  const { ask, turnTo, end } = await startOver(withTitle('one'));
  const titleOf = async (): Promise<string> => {
    const { body } = await ask({ path: '/content/posts/?limit=1&fields=title' });
    return JSON.parse(body.toString()).posts[0].title;
  };
  try {
    expect([await titleOf(), await titleOf()]).toEqual(['one', 'one']);
    turnTo(withTitle('two'));
    expect([await titleOf(), await titleOf()]).toEqual(['two', 'two']);
  } finally {
    await end();
  }
});

test('a query that needs more requests than the plan allows is 503, and names lists.max', async () => {
  const random = createRandom(SEED);
  const publication = makeOddPublication(random, 90);
  const packed = packOdd(publication, { levels: SMALL_LEVELS, max: MAX });
  const { ask, end } = await startOver(packed, { requestsMax: 12 });
  try {
    const few = await ask({ path: '/content/posts/?limit=1&fields=title' });
    expect(few.status).toBe(200);
    const { status, headers, body } = await ask({ path: '/content/posts/?order=title%20asc' });
    expect([status, headers['cache-control']]).toEqual([503, 'no-store']);
    expect(JSON.parse(body.toString()).errors[0].message).toContain('lists.max');
  } finally {
    await end();
  }
});
