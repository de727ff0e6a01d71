// The kinds of fields that admin payloads are made of. A text that SQLite or JSON could not carry back
// unchanged (NUL, half a surrogate pair) is refused; an empty text of a nullable field means null.
import { z } from 'zod';
import { isId } from '../../base/ids.ts';
import { parseStoredTime } from '../../base/time.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: NUL is what is looked for.
const UNSTORABLE = /\u0000|\p{Surrogate}/u;

export const text = (unitsMax: number): z.ZodType<string> =>
  z
    .string()
    .max(unitsMax)
    .refine((value) => !UNSTORABLE.test(value), 'holds a character that cannot be stored');

export const nullableText = (unitsMax: number): z.ZodType<string | null> =>
  text(unitsMax)
    .nullable()
    .transform((value) => (value === '' ? null : value));

/** Long text: bounded by the request's size only. */
export const LONG_TEXT_MAX = 1_000_000_000;

export const id = z.string().refine(isId, 'must be an id of 24 hexadecimal characters');

/** Booleans as Ghost's clients send them: also 0 and 1. */
export const flag: z.ZodType<boolean> = z.preprocess(
  (value) => (value === 0 || value === 1 ? value === 1 : value),
  z.boolean(),
);

const YEAR_9999_MS = 253_402_300_799_999;

/** A time as text with an offset, in milliseconds. */
export const time: z.ZodType<number> = z.string().transform((value, context) => {
  const ms = /^\d+$/.test(value) ? null : parseStoredTime(value);
  if (ms !== null && ms >= 0 && ms <= YEAR_9999_MS) return ms;
  context.addIssue({ code: 'custom', message: 'must be a date such as 2026-01-31T10:00:00.000Z' });
  return z.NEVER;
});
