import { expect, test } from 'vitest';
import { parseStoredTime, toStoredTime } from '../../../src/base/time.ts';

const NOON = Date.parse('2026-03-29T12:00:00.000Z');

test.each([
  ['2026-03-29T12:00:00.000Z', NOON],
  ['2026-03-29T14:00:00+02:00', NOON],
  ['2026-03-29 12:00:00', NOON],
  ['2026-03-29T12:00:00', NOON],
  ['2026-03-29 12:00', NOON],
  ['2026-03-29', Date.parse('2026-03-29T00:00:00Z')],
  [NOON, NOON],
  [String(NOON), NOON],
  [`${NOON}.0`, NOON],
  ['0000-01-01 00:00:00', Date.parse('0000-01-01T00:00:00Z')],
  ['9999-12-31 23:59:59', Date.parse('9999-12-31T23:59:59Z')],
  ['', null],
  [null, null],
  ['yesterday', null],
  ['29.3.2026', null],
  [Number.NaN, null],
  [1e20, null],
  ['9'.repeat(40), null],
])('%j is read as %j', (value, expected) => {
  expect(parseStoredTime(value)).toBe(expected);
});

test('what is stored is read back', () => {
  expect(parseStoredTime(toStoredTime(NOON))).toBe(NOON);
});
