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

/** Not 30 February: a reader of times makes it a day of March. */
const isOnCalendar = (text: string): boolean => {
  const [, year, month, day] = DAY.exec(text.trimStart()) ?? [];
  return (
    day === undefined ||
    new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day)
  );
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
