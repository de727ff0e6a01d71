// Reads the time values that a publishing database may hold: ISO 8601 text with an offset, SQLite's
// "YYYY-MM-DD HH:MM:SS" in UTC, and milliseconds since 1970 (a number, or digits: a TEXT column keeps
// them so). Anything else is no time: never the process's own zone.

// A program that binds a number may leave it with a fraction of zero.
const MILLISECONDS = /^-?\d{11,}(?:\.0+)?$/;
const ISO_START = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;
const ZONE_END = /(?:Z|[+-]\d{2}:?\d{2})$/;
const SQLITE_TIME = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?))?$/;

/** A longer text is no time, in any form that is read. */
export const TIME_UNITS_MAX = 100;

/** Milliseconds since 1970 of a stored time, or null when it is empty or cannot be read. */
export const parseStoredTime = (value: string | number | null | undefined): number | null => {
  if (value === null || value === undefined || value === '') return null;
  if (typeof value === 'number') return toInstant(value);
  if (value.length > TIME_UNITS_MAX) return null;
  if (MILLISECONDS.test(value)) return toInstant(Number(value));
  const match = SQLITE_TIME.exec(value);
  if (match === null && !isIsoTime(value)) return null;
  const ms = Date.parse(match === null ? value : `${match[1]}T${match[2] ?? '00:00'}Z`);
  return Number.isNaN(ms) ? null : ms;
};

const isIsoTime = (value: string): boolean =>
  ISO_START.test(value) && ZONE_END.test(value) && !/[\r\n\u2028\u2029]/.test(value);

/** From here on there are no dates. */
const INSTANT_MS_END = 8.64e15;

const toInstant = (ms: number): number | null =>
  Math.abs(ms) < INSTANT_MS_END ? Math.trunc(ms) : null;

/** The first and the last instant that four year digits can show. */
export const TIMESTAMP_MS_MIN = Date.parse('0000-01-01T00:00:00.000Z');
export const TIMESTAMP_MS_MAX = Date.parse('9999-12-31T23:59:59.999Z');

/** Whether documents can show it. */
export const isShownTime = (ms: number): boolean =>
  ms >= TIMESTAMP_MS_MIN && ms <= TIMESTAMP_MS_MAX;

/** The form in which Prepress itself stores a time: ISO 8601 in UTC with milliseconds. */
export const toStoredTime = (ms: number): string => new Date(ms).toISOString();

/** For answers and reports; null stays null. */
export const toIsoTime = (ms: number | null | undefined): string | null =>
  ms == null ? null : new Date(ms).toISOString();

/** Whether the time-zone data of this Node.js has the name. Some versions take "+01:00", which is no name. */
export const isTimeZone = (name: string): boolean => {
  try {
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }) !== null;
  } catch {
    return false;
  }
};
