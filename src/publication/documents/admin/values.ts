// Stored values in the forms of the admin interface: times end in Z, numbers become booleans.
import { parseStoredTime, toStoredTime } from '../../../base/time.ts';
import { EDITABLE } from '../../tables/record-tables.ts';
import type { SiteUrlResolver } from '../site-url.ts';
import type { JsonObject } from './document-context.ts';

/** ISO 8601 in UTC with milliseconds, or null when the value is empty or no time. */
export const adminTime = (value: string | number | null | undefined): string | null => {
  const ms = parseStoredTime(value);
  return ms === null ? null : toStoredTime(ms);
};

export const flag = (value: unknown): boolean =>
  value === 1 || value === true || value === '1' || value === 'true';

/** Each text of a table that a save may set; null without a row. */
export const adminTexts = (
  table: keyof typeof EDITABLE,
  row: Readonly<Record<string, unknown>> | null,
  site: SiteUrlResolver,
): JsonObject =>
  Object.fromEntries(EDITABLE[table].map((name) => [name, site.nullableText(row?.[name])]));
