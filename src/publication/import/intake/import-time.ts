// Reads the times that exports hold into the one form that is stored, ISO 8601 in UTC. A text must say
// its zone or be one of the database forms, which are UTC.
import { parseStoredTime, TIME_UNITS_MAX, toStoredTime } from '../../../base/time.ts';

const ZONE_END = /(?:GMT|UTC|Z|[ECMP][SD]T|[+-]\d{2}:?\d{2})$/;
/** Such as 01-02-2023: nobody knows which is which. */
const DAY_OR_MONTH_FIRST = /^\s*\d{1,2}[-/.]\d{1,2}[-/.]\d/;
const MS_MAX = 8.64e15;

/** The stored form; null when the value is empty, undefined when it is no time. */
export const parseImportTime = (value: unknown): string | null | undefined => {
  if (value === null || value === '') return null;
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  if (!isOnCalendar(String(value))) return undefined;
  const ms = parseStoredTime(value) ?? parseWordy(withMinutes(value));
  if (ms === null || Math.abs(ms) > MS_MAX) return undefined;
  const stored = toStoredTime(ms);
  return /^\d{4}-/.test(stored) ? stored : undefined;
};

/** PostgreSQL writes zones of whole hours without minutes. */
const ZONE_OF_HOURS = /^\d{4}-\d{2}-\d{2}[ T]\d{2}:[\d:.]{2,12}[+-]\d{2}$/;

const withMinutes = <T>(value: T): T | string =>
  typeof value === 'string' && ZONE_OF_HOURS.test(value) ? `${value}:00` : value;

const DAY = /^(\d{4})-(\d{2})-(\d{2})/;

/** Not 30 February: a reader of times makes it a day of March. A text that begins otherwise may be. */
export const isOnCalendar = (text: string): boolean => {
  const [, year, month, day] = DAY.exec(text.trimStart()) ?? [];
  if (day === undefined) return true;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
};

/** Old exports hold "Sun Mar 05 2017 10:00:00 GMT+0000 (UTC)". */
const parseWordy = (value: string | number): number | null => {
  if (typeof value === 'number' || value.length > TIME_UNITS_MAX) return null;
  if (DAY_OR_MONTH_FIRST.test(value) || !ZONE_END.test(withoutZoneName(value))) return null;
  const ms = Date.parse(value);
  return Number.isNaN(ms) ? null : ms;
};

/** The text without the name of a zone in brackets at its end. */
const withoutZoneName = (text: string): string => {
  const start = text.indexOf('(');
  const isLast = text.indexOf(')') === text.length - 1;
  return start !== -1 && isLast ? text.slice(0, start).trimEnd() : text;
};

/** A month by its name, or hours of twelve. */
const WORDY =
  /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|^\d{4}-\d{2}-\d{2} [\d:]{4,8} ?[ap]m$/i;

/** Not `Jun-24`, of which nobody knows what the number is. */
const WITH_YEAR = /\b\d{4}\b|^\s*\d{1,2}[- ][a-z]{3,9}[- ]\d{2}\b/i;

/** As it can be read, of another program: one such as `May 1, 2024` gets a zone; `31.12.2023` and seconds since 1970 are written anew. */
export const toReadable = (time: string): string => {
  if (/^\d{10}$/.test(time)) return new Date(Number(time) * 1000).toISOString();
  // As spreadsheets of East Asia write it.
  const parts = /^(\d{4})\/(\d{1,2})\/(\d{1,2})(?= |$)(.*)$/.exec(time);
  if (parts !== null)
    return `${parts[1]}-${parts[2]?.padStart(2, '0')}-${parts[3]?.padStart(2, '0')}${parts[4]}`;
  const [, day = '', month = '', rest = ''] =
    /^(\d{1,2})\.(\d{1,2})\.(\d{4}\b.*)$/.exec(time) ?? [];
  if (day !== '')
    return `${rest.slice(0, 4)}-${month.padStart(2, '0')}-${day.padStart(2, '0')}${rest.slice(4).replace(',', '')}`;
  const isDay = WORDY.test(time) && WITH_YEAR.test(time);
  return isDay && parseImportTime(time) === undefined ? `${time} UTC` : time;
};
