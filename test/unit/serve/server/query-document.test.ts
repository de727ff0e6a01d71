// Long answers of the executor: part by part, with ticks of the event loop between the parts, and counted while they are
// held.
import { expect, test } from 'vitest';
import { limitConcurrency } from '../../../../src/base/limit-concurrency.ts';
import { openList } from '../../../../src/content/queries/answer.ts';
import { parseListQuery } from '../../../../src/content/queries/list-query.ts';
import { createTreeStore } from '../../../../src/content/tree/tree-store.ts';
import { LEVELS } from '../../../../src/publish/packed/boundaries.ts';
import { createResponseBuffers } from '../../../../src/serve/server/connections/response-buffers.ts';
import { queryDocument } from '../../../../src/serve/server/content/query-document.ts';
import { packOdd, storeOf } from '../../../helpers/odd-records.ts';
import { numberedId, packPosts, publicationOf } from '../../../helpers/packed-files.ts';

const openPosts = async (count: number, bytes: number, query: string) => {
  const posts = Array.from({ length: count }, (_, at) => ({
    id: numberedId(at),
    html: `${at}`.padEnd(bytes, 'x'),
  }));
  const { blobs, root } = packPosts(posts);
  const store = storeOf({ blobs, root }, 0);
  const asked = parseListQuery('posts', query, { max: root.max, nowMs: 0 });
  const answer = await openList({ store, root }, 'posts', asked);
  return { answer, posts };
};

const withTicks = async <T>(work: () => Promise<T>): Promise<{ made: T; ticks: number }> => {
  let ticks = 0;
  let timer: NodeJS.Immediate;
  const tick = (): void => {
    ticks += 1;
    timer = setImmediate(tick);
  };
  timer = setImmediate(tick);
  const made = await work();
  clearImmediate(timer);
  return { made, ticks };
};

const MEGABYTE = 1024 * 1024;

test('the event loop has a tick after each part of a long answer', async () => {
  const { answer, posts } = await openPosts(400, 8_000, 'limit=300');
  const options = { memory: createResponseBuffers(MEGABYTE + 1), inLane: limitConcurrency(1) };
  const { made, ticks } = await withTicks(() => queryDocument(answer, options));
  expect(made.body).toBeNull();
  expect(ticks).toBeGreaterThanOrEqual(Math.floor(made.bytes / made.partBytes));
  expect(made.partBytes).toBeLessThan(200_000);
  const chunks: Buffer[] = [];
  for await (const chunk of made.stream()) chunks.push(chunk as Buffer);
  expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThanOrEqual(64 * 1024);
  const text = Buffer.concat(chunks).toString();
  expect(Buffer.byteLength(text)).toBe(made.bytes);
  expect(JSON.parse(text).posts).toMatchObject(posts.slice(0, 300));
});

test('what is held of a body is counted, and given back', async () => {
  const { answer } = await openPosts(60, 8_000, 'limit=50');
  const memory = createResponseBuffers(300_000);
  const options = { memory, inLane: limitConcurrency(2) };
  await expect(queryDocument(answer, options)).rejects.toMatchObject({ problem: { status: 503 } });
  expect(await memory.during(300_000, async () => 'free')).toBe('free');
  const roomy = { ...options, memory: createResponseBuffers(500_000) };
  expect((await queryDocument(answer, roomy)).body).toHaveLength(
    (await queryDocument(answer, roomy)).bytes,
  );
});

test('filters that take long give ticks, others none', async () => {
  const publication = publicationOf(
    Array.from({ length: 8_000 }, (_, at) => ({ id: numberedId(at), html: null })),
  );
  const { blobs, root } = packOdd(publication, { levels: LEVELS, max: 10 });
  let ticks = 0;
  const store = createTreeStore({
    readRoot: async () => root,
    readBlob: async (name) => blobs.all.get(name) ?? null,
    bytesMax: 100 * MEGABYTE,
    tick: async () => {
      ticks += 1;
    },
  });
  const open = async (filter: string) => {
    const rawQuery = `filter=${encodeURIComponent(filter)}`;
    const query = parseListQuery('posts', rawQuery, { max: root.max, nowMs: 0 });
    return openList({ store, root }, 'posts', query);
  };
  const clauses = Array.from({ length: 100 }, (_, at) => `title:-~'x${at}x'`).join('+');
  const heavy = await open(clauses);
  expect(ticks).toBeGreaterThan(0);
  expect(Buffer.from(heavy.ending).toString()).toContain('"total":8000');
  ticks = 0;
  await open("title:~'1'");
  expect(ticks).toBe(0);
});

test('so much work is done at once, and what fails makes room', async () => {
  const inLane = limitConcurrency(2);
  let underWay = 0;
  let most = 0;
  const work = async (at: number): Promise<number> => {
    underWay += 1;
    most = Math.max(most, underWay);
    await new Promise(setImmediate);
    underWay -= 1;
    if (at % 3 === 0) throw new Error('failed');
    return at;
  };
  const all = await Promise.allSettled(
    Array.from({ length: 20 }, (_, at) => inLane(() => work(at))),
  );
  expect(most).toBe(2);
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(13);
});
