// The field types that the records of the admin interface share, as answers have them.
import * as z from 'zod';

const UTC_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** ISO 8601 in UTC with milliseconds. */
export const utcTime = z
  .string()
  .regex(UTC_TIME)
  .meta({ examples: ['2026-01-31T10:00:00.000Z'] });

export const recordId = z
  .string()
  .regex(/^[0-9a-f]{24}$/)
  .meta({ examples: ['6b00f97e69263f2f531b8a00'] });

export const textOrNull = z.string().nullable();
export const timeOrNull = utcTime.nullable();
export const count = z.int().nonnegative();

/** Of the admin lists: `limit` is always a number there. */
export const adminPagination = z.strictObject({
  page: z.int().positive(),
  limit: z.int().positive(),
  pages: z.int().positive(),
  total: count,
  next: z.int().positive().nullable(),
  prev: z.int().positive().nullable(),
});
