// What the bench asserts of publishes and queries: which figures meet a promise, and which miss it.
import { expect, test } from 'vitest';
import { isMet } from '../../../bench/checks.ts';
import type { Cycle } from '../../../bench/cycles.ts';
import {
  checkCarried,
  checkPublishes,
  compareSizes,
  PUBLISH_SETTINGS,
  type PublishesResult,
} from '../../../bench/publishes.ts';
import { checkQueries, queriesOf } from '../../../bench/queries.ts';
import { parseListQuery } from '../../../src/content/queries/list-query.ts';

const publishOf = (milliseconds: number, bytesBeside = 500_000): Cycle => ({
  scenario: 'publish',
  milliseconds,
  processorMilliseconds: milliseconds,
  treeMilliseconds: 5,
  records: 4,
  written: [],
  removed: [],
  bytes: 40_000_000,
  bytesBeside,
  touched: null,
  rewritten: null,
});

const [DEFAULTS, SHORT, SHORTEST] = PUBLISH_SETTINGS;

const resultOf = (posts: number, settings: PublishesResult['settings'], all: number[]) => ({
  posts,
  settings,
  publishes: all.map((ms) => publishOf(ms)),
  nothingMs: 3,
  copyMilliseconds: 100,
});

/** Names of the checks that are missed. */
const missed = (...results: PublishesResult[]): string[] =>
  [...checkPublishes(results), ...compareSizes(results)]
    .filter((check) => !isMet(check))
    .map(({ name }) => name);

const short = (posts: number, ms: number) => resultOf(posts, SHORT, [ms]);

test('the middle publish decides by the limit of its settings, and sizes are compared', () => {
  const counts: readonly (readonly [number, PublishesResult[]])[] = [
    [0, [resultOf(10_000, SHORT, [10, 80, 900])]],
    [1, [resultOf(10_000, SHORT, [10, 81, 82])]],
    [0, [resultOf(10_000, SHORTEST, [10, 50, 900])]],
    [1, [resultOf(10_000, SHORTEST, [51])]],
    [0, [resultOf(10_000, DEFAULTS, [150])]],
    // Its own limit, and that of a copy.
    [2, [resultOf(10_000, DEFAULTS, [151])]],
    [1, [{ ...resultOf(10_000, DEFAULTS, [140]), copyMilliseconds: 90 }]],
    [1, [{ ...resultOf(1_000, DEFAULTS, [1]), nothingMs: 51 }]],
    [0, [short(10_000, 40), short(100_000, 60)]],
    [1, [short(10_000, 40), short(100_000, 61)]],
    [1, [short(10_000, 61), short(100_000, 40)]],
    [0, [short(10_000, 50), short(1_000, 10)]],
  ];
  for (const [count, results] of counts) expect(missed(...results)).toHaveLength(count);
  expect(missed(resultOf(10_000, SHORT, []))).not.toEqual([]);
});

test('a publish carries at most a megabyte beside documents', () => {
  const check = (bytes: number) => checkCarried([publishOf(1, bytes)], 10_000, DEFAULTS);
  expect(isMet(check(1_000_000))).toBe(true);
  expect(isMet(check(1_100_000))).toBe(false);
  expect(check(1).kind).toBe('bytes');
});

test('the middle of fifteen queries, all of which can be answered, takes a millisecond at most', () => {
  const post = { id: 'c'.repeat(24), published_at: '2012-01-01T08:00:00.000+01:00' };
  const queries = queriesOf(10_000, post);
  expect(queries).toHaveLength(15);
  for (const query of queries) {
    expect(() => parseListQuery('posts', query, { max: 1_000, nowMs: 0 })).not.toThrow();
  }
  const resultsOf = (times: number[]) =>
    times.map((processorMilliseconds, at) => ({
      query: queries[at] ?? '',
      records: 15,
      bytes: 1,
      processorMilliseconds,
    }));
  expect(isMet(checkQueries(resultsOf([0.2, 1, 9]), 10_000))).toBe(true);
  expect(isMet(checkQueries(resultsOf([0.2, 1.1, 9]), 10_000))).toBe(false);
  expect(isMet(checkQueries([], 10_000))).toBe(false);
});
