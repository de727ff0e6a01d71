import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  parseRetryAfter,
  planRetry,
  RETRY_WAITS_MS,
  reasonToDisable,
} from '../../../../src/publish/webhooks/sending/retry.ts';

const DAY = 24 * 3_600_000;

test('ten attempts over 75 hours and a half', () => {
  expect(RETRY_WAITS_MS).toHaveLength(10);
  expect(RETRY_WAITS_MS.reduce((sum, wait) => sum + wait, 0) / 3_600_000).toBeCloseTo(75.58, 1);
  expect(planRetry({ attempts: 10, retryAfter: null, now: 0, random: 0 })).toBeNull();
});

test('jitter is only added, and Retry-After stays between the step and a day', () => {
  const failure = fc.record({
    attempts: fc.integer({ min: 1, max: 9 }),
    retryAfter: fc.option(fc.oneof(fc.nat().map(String), fc.string())),
    now: fc.constant(Date.parse('2026-03-01T00:00:00Z')),
    random: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  fc.assert(
    fc.property(failure, (one) => {
      const step = RETRY_WAITS_MS[one.attempts] ?? 0;
      const wait = planRetry(one) ?? 0;
      expect(wait).toBeGreaterThanOrEqual(step);
      expect(wait).toBeLessThanOrEqual(DAY * 1.2);
      if (one.retryAfter === null) expect(wait).toBeLessThanOrEqual(step * 1.2);
    }),
  );
});

test.each([
  ['120', 120_000],
  [' 5 ', 5_000],
  ['Sun, 01 Mar 2026 00:01:00 GMT', 60_000],
  ['Sat, 28 Feb 2026 00:00:00 GMT', 0],
  ['-1', null],
  ['1.5', null],
  ['soon', null],
  ['', null],
])('Retry-After: %s', (value, ms) => {
  expect(parseRetryAfter(value, Date.parse('2026-03-01T00:00:00Z'))).toBe(ms);
});

test('a webhook is given up at 410, or after five days of failure', () => {
  expect(reasonToDisable(410, 0)).toContain('410');
  expect(reasonToDisable(500, 5 * DAY)).toBeNull();
  expect(reasonToDisable(500, 5 * DAY + 1)).toContain('five days');
});
