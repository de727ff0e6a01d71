// The kinds of fields that admin payloads are made of. A text that SQLite or JSON could not carry back
// unchanged (NUL, half a surrogate pair) is refused; an empty text of a nullable field means null.
import * as z from 'zod';
import { isId } from '../../base/ids.ts';
import { isShownTime, parseStoredTime } from '../../base/time.ts';
import { type Column, RECORD_COLUMNS } from '../../publication/tables/record-columns.ts';
import { EDITABLE, type EditableColumn } from '../../publication/tables/record-tables.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: NUL is what is looked for.
const UNSTORABLE = /\u0000|\p{Surrogate}/u;

/** Long text: bounded by the request's size only. */
export const LONG_TEXT_MAX = 1_000_000_000;

/** Characters are counted as readers do: an emoji outside of the first plane is one. */
export const text = (charactersMax: number): z.ZodType<string> =>
  z
    .string()
    .max(charactersMax * 2)
    .superRefine((value, context) => {
      if (UNSTORABLE.test(value)) {
        context.addIssue({ code: 'custom', message: 'holds a character that cannot be stored' });
      } else if (value.length > charactersMax && [...value].length > charactersMax) {
        context.addIssue({
          code: 'too_big',
          origin: 'string',
          maximum: charactersMax,
          inclusive: true,
          input: value,
        });
      }
    })
    .meta(charactersMax < LONG_TEXT_MAX ? { maxLength: charactersMax } : { maxLength: undefined });

export const nullableText = (charactersMax: number): z.ZodType<string | null> =>
  text(charactersMax)
    .nullable()
    .transform((value) => (value === '' ? null : value));

/** A field for each text of a table that a save may set. */
export const editableTexts = <T extends keyof typeof EDITABLE>(table: T) => {
  const columns: Readonly<Record<string, Column>> = RECORD_COLUMNS[table];
  return Object.fromEntries(
    EDITABLE[table].map((name) => [
      name,
      nullableText(columns[name]?.charactersMax ?? 0).optional(),
    ]),
  ) as { [N in EditableColumn<T>]: z.ZodOptional<z.ZodType<string | null>> };
};

/** A name that stands in lists, which commas part. */
export const recordName: z.ZodType<string> = text(191)
  .transform((value) => value.trim())
  .refine((value) => value !== '', 'must not be empty')
  .refine((value) => !value.startsWith(','), 'must not begin with a comma');

/** A tag or a label: its name as a text, or an object with its id, name or slug. */
export const nameReference = z.union([
  text(191).transform((name): NameReference => ({ name })),
  z.object({
    id: z.string().nullish(),
    name: text(191).nullish(),
    slug: text(191).nullish(),
  }),
]);

export type NameReference = {
  readonly [Key in 'id' | 'name' | 'slug']?: string | null | undefined;
};

export const id = z.string().refine(isId, 'must be an id of 24 hexadecimal characters');

/** Booleans as Ghost's clients send them: also 0 and 1. */
export const flag: z.ZodType<boolean> = z.preprocess(
  (value) => (value === 0 || value === 1 ? value === 1 : value),
  z.boolean(),
);

/** False for what a parser would move to another day, such as the 31st of February. */
const isCalendarDay = (value: string): boolean => {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})/.exec(value)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return false;
  return new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day;
};

const timeText = (value: string, context: z.RefinementCtx): number => {
  const ms = isCalendarDay(value) ? parseStoredTime(value) : null;
  if (ms !== null && isShownTime(ms)) return ms;
  const got = /^[\w.:+/ -]{1,40}$/.test(value) ? `, got "${value}"` : '';
  const message = `must be a date such as 2026-01-31T10:00:00.000Z${got}`;
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
};

const TIME = 'A date such as 2026-01-31T10:00:00.000Z; without a time zone it is in UTC.';

/** In milliseconds. */
export const time: z.ZodType<number> = z.string().transform(timeText).describe(TIME);

/** The span that a text names, its end not in it: many languages write whole seconds, as Ghost stores them, some with a fraction of zero. */
export type SeenTime = { readonly fromMs: number; readonly toMs: number };

/** When what a client has read was changed last. */
export const seenTime: z.ZodType<SeenTime> = z
  .string()
  .transform((value, context) => {
    const fromMs = timeText(value, context);
    return { fromMs, toMs: fromMs + (/\.0*[1-9]/.test(value) ? 1 : 1_000) };
  })
  .describe(TIME);
