import { join } from 'node:path';
import { expect, test } from 'vitest';
import { normaliseListQuery } from '../../../src/queries/normal-query.ts';
import { createQueriesSeen } from '../../../src/server/queries-seen.ts';
import {
  ASKED_QUERIES_MAX,
  type AskedQueries,
  askedQueriesAt,
} from '../../../src/store/asked-queries.ts';
import { openManifest } from '../../../src/store/manifest.ts';
import { openConnection } from '../../../src/store/sqlite/connection.ts';
import { eventually } from '../../helpers/eventually.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { serve } from './harness.ts';

const START = Date.parse('2026-03-01T12:00:00.000Z');

const createLog = () => {
  const path = join(temporaryFolder(), 'build.db');
  openManifest(path).close();
  let now = START;
  const log = askedQueriesAt(path);
  const seen = createQueriesSeen({ log, clock: { now: () => now } });
  const ask = async (query: string, times = 1): Promise<void> => {
    for (let at = 0; at < times; at += 1) seen.note('posts', query);
    await seen.close();
    now += 1_000;
  };
  const counts = () => log.list().map(({ query, count }) => [query, count]);
  return { path, log, seen, ask, counts };
};

test('queries are counted, the most used first', async () => {
  const { seen, log, ask } = createLog();
  await ask('limit=3');
  seen.note('tags', 'limit=3');
  await ask('filter=tag:news', 2);
  await ask('filter=tag:news', 2);
  expect(log.list()).toEqual([
    { resource: 'posts', query: 'filter=tag:news', count: 4, askedAt: START + 2_000 },
    { resource: 'tags', query: 'limit=3', count: 1, askedAt: START + 1_000 },
    { resource: 'posts', query: 'limit=3', count: 1, askedAt: START },
  ]);
});

test('default lists, long texts and what may name a person are not kept', async () => {
  const { ask, counts } = createLog();
  await ask('');
  await ask(`filter=title:~'${'x'.repeat(1_000)}'`);
  const raw = "filter=title:~'someone@example.com'";
  await ask(raw);
  const canonical = normaliseListQuery('posts', raw, { max: 1_000, nowMs: START });
  expect(canonical).not.toContain('@');
  await ask(canonical);
  expect(counts()).toEqual([]);
});

test('of more than 500 the least used are dropped, and a new one can become usual', async () => {
  const { ask, counts, seen } = createLog();
  for (let at = 1; at <= ASKED_QUERIES_MAX; at += 1) {
    for (let time = 0; time < (at <= 3 ? 2 : 3); time += 1) seen.note('posts', `limit=${at}`);
  }
  await seen.close();
  await ask('filter=tag:new');
  await ask('filter=tag:new', 5);
  await ask('filter=tag:newer');
  const kept = new Map(counts() as [string, number][]);
  expect(kept.size).toBe(ASKED_QUERIES_MAX);
  expect([kept.get('filter=tag:new'), kept.get('filter=tag:newer')]).toEqual([6, 1]);
  expect(['limit=1', 'limit=2', 'limit=3'].map((query) => kept.get(query))).toEqual([
    undefined,
    undefined,
    2,
  ]);
});

test('a crowd of new queries drops no usual one', async () => {
  const { ask, counts, seen } = createLog();
  await ask('limit=5', 100);
  for (let round = 0; round < 3; round += 1) {
    for (let at = 0; at < ASKED_QUERIES_MAX - 1; at += 1) seen.note('posts', `q${round}-${at}`);
    await seen.close();
  }
  expect(counts()).toHaveLength(ASKED_QUERIES_MAX);
  expect(counts()[0]).toEqual(['limit=5', 100]);
});

test('memory holds 500 of them until they are written', async () => {
  const { seen, log } = createLog();
  for (let at = 0; at < 2_000; at += 1) seen.note('posts', `limit=${at}`);
  seen.note('posts', 'limit=0');
  await seen.close();
  const [first, ...others] = log.list();
  expect([first?.query, first?.count, others.length]).toEqual(['limit=0', 2, 499]);
});

test('what a build keeps from being written is written later, and nobody waits', async () => {
  const { path, seen, counts } = createLog();
  const build = openConnection(path);
  build.exec('BEGIN IMMEDIATE');
  seen.note('posts', 'limit=3');
  await seen.close();
  expect(counts()).toEqual([]);
  seen.note('posts', 'limit=3');
  build.exec('ROLLBACK');
  build.close();
  await eventually(() => expect(counts()).toEqual([['limit=3', 2]]));
});

test('a log that is absent or another fails nothing', async () => {
  const path = join(temporaryFolder(), 'build.db');
  const log = askedQueriesAt(path);
  const asked = [{ resource: 'posts', query: 'limit=3', count: 1, askedAt: START }] as const;
  expect([log.add(asked), log.list()]).toEqual([false, []]);
  openConnection(path).close();
  expect([log.add(asked), log.list()]).toEqual([false, []]);
});

test('the server notes beside its answers, and lists what it noted', async () => {
  const { log } = createLog();
  const calls: number[] = [];
  const askedQueries: AskedQueries = {
    add: (asked) => calls.push(asked.length) > 0 && log.add(asked),
    list: log.list,
  };
  const { app, admin } = await serve({ askedQueries });
  app.queriesSeen.note('posts', 'limit=3');
  app.queriesSeen.note('posts', 'limit=3');
  expect(calls).toEqual([]);
  await eventually(() => expect(calls).toEqual([1]));
  const answer = await admin('GET', '/admin/queries/');
  expect(await answer.json()).toEqual({
    queries: [
      { resource: 'posts', query: 'limit=3', count: 2, last_asked_at: '2026-03-01T12:00:00.000Z' },
    ],
  });
});
