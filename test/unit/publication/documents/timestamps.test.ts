// Offsets of the site's zone, in all seasons and years, against what the time-zone data says.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TIMESTAMP_MS_MAX, TIMESTAMP_MS_MIN } from '../../../../src/base/time.ts';
import { createTimestampFormatter } from '../../../../src/publication/documents/timestamps.ts';

describe('createTimestampFormatter', () => {
  it.each([
    ['Etc/UTC', '2026-01-01T10:00:00Z', '2026-01-01T10:00:00.000+00:00'],
    ['UTC', '2026-07-01T10:00:00Z', '2026-07-01T10:00:00.000+00:00'],
    ['Europe/Berlin', '2026-01-01T10:00:00Z', '2026-01-01T11:00:00.000+01:00'],
    ['Europe/Berlin', '2026-03-29T00:59:59.999Z', '2026-03-29T01:59:59.999+01:00'],
    ['Europe/Berlin', '2026-03-29T01:00:00Z', '2026-03-29T03:00:00.000+02:00'],
    ['Europe/Berlin', '2026-10-25T00:59:59Z', '2026-10-25T02:59:59.000+02:00'],
    ['Europe/Berlin', '2026-10-25T01:00:00Z', '2026-10-25T02:00:00.000+01:00'],
    ['Australia/Lord_Howe', '2026-04-04T14:59:59Z', '2026-04-05T01:59:59.000+11:00'],
    ['Australia/Lord_Howe', '2026-04-04T15:00:00Z', '2026-04-05T01:30:00.000+10:30'],
    ['America/St_Johns', '2026-01-01T00:00:00Z', '2025-12-31T20:30:00.000-03:30'],
    ['Asia/Kathmandu', '2026-01-01T00:00:00Z', '2026-01-01T05:45:00.000+05:45'],
    ['Pacific/Apia', '2011-12-30T09:59:59Z', '2011-12-29T23:59:59.000-10:00'],
    ['Pacific/Apia', '2011-12-30T10:00:00Z', '2011-12-31T00:00:00.000+14:00'],
    ['Africa/Monrovia', '1930-01-01T00:00:00Z', '1929-12-31T23:15:00.000-00:45'],
    ['Etc/UTC', '0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000+00:00'],
    ['America/New_York', '0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000+00:00'],
    ['Europe/Berlin', '9999-12-31T23:30:00Z', '9999-12-31T23:30:00.000+00:00'],
    ['Europe/Berlin', '9999-12-31T22:30:00Z', '9999-12-31T23:30:00.000+01:00'],
  ])('%s shows %s as %s', (zone, time, expected) => {
    expect(createTimestampFormatter(zone)(Date.parse(time))).toBe(expected);
  });

  it('never moves the instant, and has four year digits, in every zone and year', () => {
    const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata'];
    const formatters = zones.map(createTimestampFormatter);
    const times = fc.integer({ min: TIMESTAMP_MS_MIN, max: TIMESTAMP_MS_MAX });
    fc.assert(
      fc.property(times, fc.constantFrom(...formatters), (ms, format) => {
        const text = format(ms);
        expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d$/);
        expect(Date.parse(text)).toBe(ms);
      }),
      { numRuns: 300 },
    );
  });

  it('agrees with the zone hour by hour, whatever was asked for before', () => {
    const zone = 'America/Sao_Paulo';
    const format = createTimestampFormatter(zone);
    const clock = new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      dateStyle: 'short',
      timeStyle: 'medium',
    });
    for (let hour = 0; hour < 24 * 365; hour += 5) {
      const ms = Date.UTC(2018, 0, 1) + hour * 3_600_000;
      const [, day, month, year, time] = /^(\d+)\/(\d+)\/(\d+), (.+)$/.exec(clock.format(ms)) ?? [];
      expect(format(ms).slice(0, 19)).toBe(`${year}-${month}-${day}T${time}`);
    }
  });

  it.each(['', 'Mars/Olympus', '+01:00', '__proto__'])('refuses the zone %j', (zone) => {
    expect(() => createTimestampFormatter(zone)).toThrowError(
      expect.objectContaining({ code: 'TIMEZONE_UNKNOWN', property: 'timezone' }),
    );
  });
});
