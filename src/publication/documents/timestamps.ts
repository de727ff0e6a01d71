// Writes times as the content interface shows them: ISO 8601 with milliseconds and the numeric offset
// of the site's zone. Offsets are rounded to the minute; the instant itself is never moved.
import { PrepressError } from '../../base/errors.ts';
import { isTimeZone } from '../../base/time.ts';
import { settingSentence } from './setting-sentence.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const CACHED_DAYS_MAX = 20_000;
const ISO_LENGTH = '2026-01-01T00:00:00.000Z'.length;
/** The zone of most publications; reading it costs a first build a tenth of a second in each thread. */
const UTC_ZONES = new Set(['Etc/UTC', 'UTC']);
const LONG_OFFSET = /GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/;

/** Milliseconds since 1970 in, `2026-01-01T11:00:00.000+01:00` out. */
export type TimestampFormatter = (ms: number) => string;

/** A publication has one zone, and reading it takes longer than rendering a post. */
let latest: { readonly timezone: string; readonly format: TimestampFormatter } | null = null;

/** Throws TIMEZONE_UNKNOWN for a zone that the time-zone data does not name. */
export const createTimestampFormatter = (timezone: string): TimestampFormatter => {
  if (latest?.timezone !== timezone) latest = { timezone, format: formatterOf(timezone) };
  return latest.format;
};

const formatterOf = (timezone: string): TimestampFormatter => {
  const findOffset = cacheByDay(createOffsetReader(timezone));
  return (ms) => {
    const offset = findOffset(ms);
    const local = new Date(ms + offset * MINUTE_MS).toISOString();
    // Beside the years 0000 and 9999 the zone's own year has no four digits: UTC has.
    if (local.length !== ISO_LENGTH) return `${new Date(ms).toISOString().slice(0, -1)}+00:00`;
    return local.slice(0, -1) + formatOffset(offset);
  };
};

const createOffsetReader = (timezone: string): ((ms: number) => number) => {
  if (UTC_ZONES.has(timezone)) return () => 0;
  if (!isTimeZone(timezone)) {
    const sentence = `${settingSentence(timezone)} is not a known timezone.`;
    throw new PrepressError('TIMEZONE_UNKNOWN', sentence, { property: 'timezone' });
  }
  const options = { timeZone: timezone, timeZoneName: 'longOffset' } as const;
  const format = new Intl.DateTimeFormat('en-US', options);
  return (ms) => {
    const [, sign, hours = '0', minutes = '0', seconds = '0'] =
      LONG_OFFSET.exec(format.format(ms)) ?? [];
    const offset = Number(hours) * 60 + Number(minutes) + Math.round(Number(seconds) / 60);
    return sign === '-' ? -offset : offset;
  };
};

// A day at whose start and end the same offset holds has that offset throughout.
const cacheByDay = (readOffset: (ms: number) => number): ((ms: number) => number) => {
  // By the day that begins: two days share the moment between them.
  const starts = new Map<number, number>();
  const startOf = (day: number): number => {
    const known = starts.get(day);
    if (known !== undefined) return known;
    const offset = readOffset(day * DAY_MS);
    if (starts.size >= CACHED_DAYS_MAX) starts.clear();
    starts.set(day, offset);
    return offset;
  };
  return (ms) => {
    const day = Math.floor(ms / DAY_MS);
    const offset = startOf(day);
    return offset === startOf(day + 1) ? offset : readOffset(ms);
  };
};

const formatOffset = (offset: number): string => {
  const minutes = Math.abs(offset);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${two(Math.trunc(minutes / 60))}:${two(minutes % 60)}`;
};
