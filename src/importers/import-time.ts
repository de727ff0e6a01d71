// Reads the times that exports hold into the one form that is stored, ISO 8601 in UTC. A text must say
// its zone or be one of the database forms, which are UTC.
import { parseStoredTime, toStoredTime } from '../base/time.ts';

const SAYS_ITS_ZONE = /(?:GMT|UTC|Z|[+-]\d{2}:?\d{2})(?:\s*\([^)]*\))?$/;
const MS_MAX = 8.64e15;

/** The stored form; null when the value is empty, undefined when it is no time. */
export const parseImportTime = (value: unknown): string | null | undefined => {
  if (value === null || value === '') return null;
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const ms = parseStoredTime(value) ?? parseWordy(value);
  if (ms === null || Math.abs(ms) > MS_MAX) return undefined;
  const stored = toStoredTime(ms);
  return /^\d{4}-/.test(stored) ? stored : undefined;
};

/** Old exports hold "Sun Mar 05 2017 10:00:00 GMT+0000 (UTC)". */
const parseWordy = (value: string | number): number | null => {
  if (typeof value === 'number' || !SAYS_ITS_ZONE.test(value)) return null;
  const ms = Date.parse(value);
  return Number.isNaN(ms) ? null : ms;
};
