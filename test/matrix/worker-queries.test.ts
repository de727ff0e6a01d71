// Every query in workerd: the bytes of an oracle for generated ones, those of the companion server for the style of real
// consumers; what is kept belongs to its root, the key comes first, and a plan's limit is said in one sentence.
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { Selection } from '../../src/paths/selection.ts';
import { SMALL_LEVELS } from '../helpers/memory-blobs.ts';
import { makeOddPublication, packOdd } from '../helpers/odd-records.ts';
import { numberedId, packPosts } from '../helpers/packed-files.ts';
import { createRandom, SEED } from '../helpers/random.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';
import { askAt } from './ask.ts';
import { checkGenerated, GENERATED, type PackedTree, writePacked } from './check-generated.ts';
import { expectSame, QUERY_PATHS } from './check-queries.ts';
import { startCompanion } from './companion-process.ts';
import { buildMatrixSite, type MatrixSite } from './site.ts';
import { type StartedWorker, startWorker } from './start-worker.ts';

const PACKED: Selection = { profile: 'packed', variants: null };
const MAX = 40;

let site: MatrixSite;
let literal: StartedWorker;
let packed: StartedWorker;
let companion: Awaited<ReturnType<typeof startCompanion>>;

beforeAll(async () => {
  site = await buildMatrixSite();
  [literal, packed, companion] = await Promise.all([
    startWorker(site),
    startWorker(site, { given: { selection: PACKED, paged: [] } }),
    startCompanion(site),
  ]);
  return async () => {
    await Promise.all([literal.end(), packed.end(), companion.end()]);
    site.remove();
  };
});

test.each(QUERY_PATHS)('%s is what the companion server answers', async (path) => {
  const asked = `/content/${path}`;
  const server = askAt(companion.port);
  await expectSame({ ask: literal.ask, companion: server }, asked);
  await expectSame({ ask: packed.ask, companion: server }, asked);
});

test('what is answered by code has the tag and the length that the companion server gives it', async () => {
  const server = askAt(companion.port);
  const methods = ['GET', 'HEAD', 'GET'];
  for (const query of ['limit=1', 'fields=title&include=tags', 'limit=1&filter=id:-x']) {
    const path = `/content/posts/?${query}`;
    for (const method of methods) {
      const [answer, expected] = await Promise.all([
        packed.ask({ path, method }),
        server({ path, method }),
      ]);
      const { etag, 'content-length': length } = answer.headers;
      expect([etag, length]).toEqual([expected.headers.etag, expected.headers['content-length']]);
    }
  }
});

/** A worker over a packed tree alone, and how to give it another one. */
const startOver = async (
  packed: PackedTree,
  options: { readonly requestsMax?: number } = {},
): Promise<StartedWorker & Over> => {
  const folder = suiteFolder();
  const output = join(folder.path, 'output');
  writePacked(output, packed);
  const given = { names: [], paged: [], selection: PACKED };
  const worker = await startWorker({ ...site, output, basePath: '' }, { ...options, given });
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
  checkGenerated((tree) => startOver(tree)));

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
