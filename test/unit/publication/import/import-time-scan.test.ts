// Times of an export are read as the expressions read them that define the form, and long ones not at all.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseStoredTime, TIME_UNITS_MAX } from '../../../../src/base/time.ts';
import { parseImportTime } from '../../../../src/publication/import/intake/import-time.ts';

const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}.*(?:Z|[+-]\d{2}:?\d{2})$/;
const SQLITE_TIME = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?))?$/;
const SAYS_ITS_ZONE = /(?:GMT|UTC|Z|[+-]\d{2}:?\d{2})(?:\s*\([^()]*\))?$/;

const readable = (text: string): number | null => {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? null : ms;
};

const defined = (text: string): number | null => {
  const [, day, time = '00:00'] = SQLITE_TIME.exec(text) ?? [];
  if (day !== undefined) return readable(`${day}T${time}Z`);
  return ISO_TIME.test(text) || SAYS_ITS_ZONE.test(text) ? readable(text) : null;
};

const text = fc
  .tuple(
    fc.constantFrom('2017-03-05', 'Sun Mar 05 2017', '5 Mar 2017', '2017-3-5', ''),
    fc.constantFrom('T10:00', ' 10:00:00', 'T10:00:00.000', 'T10:00:00.5', '', '\n', 'x'),
    fc.constantFrom('Z', ' Z', ' GMT', ' GMT+0000', '+01:00', '-0330', ' UTC', '', 'Z\n', '+1'),
    fc.constantFrom('', ' (UTC)', '(Central European Time)', ' (', ' )', ' (a) (b)', '\t(c)', 'Z'),
  )
  .map((parts) => parts.join(''));

test('reads the times that the definition reads', () => {
  fc.assert(
    fc.property(text, (written) => {
      const ms = defined(written);
      const stored = parseImportTime(written);
      if (written !== '') expect(stored ?? null).toBe(ms === null ? null : isoOf(ms));
    }),
    { numRuns: 5_000 },
  );
});

const isoOf = (ms: number): string => new Date(ms).toISOString();

test('a text longer than any time is none', () => {
  const digits = '1'.repeat(TIME_UNITS_MAX + 1);
  expect(parseStoredTime(`2017-03-05T10:00:00.${digits}Z`)).toBeNull();
  expect(parseStoredTime(digits)).toBeNull();
  for (const piece of ['Z(', 'Z ', '(', ' (UTC)', 'GMT+0000 ']) {
    expect(parseImportTime(piece.repeat(100_000))).toBeUndefined();
  }
});

test('a day that no month has is no time', () => {
  for (const day of ['2024-02-30', '2024-02-30 00:00:00', '2023-02-29T10:00:00Z', '2024-04-31'])
    expect(parseImportTime(day)).toBeUndefined();
  expect(parseImportTime('2024-02-29')).toBe('2024-02-29T00:00:00.000Z');
});
