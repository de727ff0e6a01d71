// Times of the publication's zone in fields that know no zone, and back, where its clocks change, too.
import { expect, test } from 'vitest';
import {
  fromInput,
  knownZone,
  ownZone,
  timeIn,
  toInput,
} from '../../../../src/serve/desk/ui/zone-time.ts';

test.each([
  ['2026-07-01T10:00:00.000Z', 'Europe/Berlin', '2026-07-01T12:00'],
  ['2026-03-29T00:59:00.000Z', 'Europe/Berlin', '2026-03-29T01:59'],
  ['2026-03-29T01:00:00.000Z', 'Europe/Berlin', '2026-03-29T03:00'],
  ['2026-01-01T00:00:00.000Z', 'America/New_York', '2025-12-31T19:00'],
  ['2026-01-01T00:00:00.000Z', 'Asia/Katmandu', '2026-01-01T05:45'],
])('%s in %s is %s', (time, zone, field) => {
  expect(toInput(time, zone)).toBe(field);
  expect(fromInput(field, zone)).toBe(time);
});

test('a time that the clocks skip is an hour later, and none is none', () => {
  for (const [day, zone] of [
    ['2026-03-29', 'Europe/Berlin'],
    ['2027-03-14', 'America/New_York'],
  ] as const) {
    expect(toInput(fromInput(`${day}T02:30`, zone), zone)).toBe(`${day}T03:30`);
  }
  expect([fromInput('', 'Europe/Berlin'), toInput('', 'Europe/Berlin')]).toEqual(['', '']);
  expect([timeIn(null, 'Etc/UTC'), knownZone('Mars/Base')]).toEqual(['–', ownZone()]);
});
