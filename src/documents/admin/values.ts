// Stored values in the forms of the admin interface: times end in Z, numbers become booleans, and the
// placeholder of the site's address is replaced.
import { parseStoredTime, toStoredTime } from '../../base/time.ts';

const PLACEHOLDER = '__GHOST_URL__';

/** ISO 8601 in UTC with milliseconds, or null when the value is empty or no time. */
export const adminTime = (value: string | number | null | undefined): string | null => {
  const ms = parseStoredTime(value);
  return ms === null ? null : toStoredTime(ms);
};

/** The text with the site's address in place; empty text counts as none. */
export const siteText = (text: string | null | undefined, siteUrl: string): string | null =>
  text ? text.replaceAll(PLACEHOLDER, siteUrl) : null;

export const flag = (value: unknown): boolean =>
  value === 1 || value === true || value === '1' || value === 'true';
