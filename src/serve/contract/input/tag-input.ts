// What a client may send to create or edit a tag, with the lengths of facts section 10.
import * as z from 'zod';
import { nullableText, PREVIEW_LENGTHS, recordName, time } from '../fields.ts';

const LENGTHS = {
  description: 500,
  feature_image: 2000,
  ...PREVIEW_LENGTHS,
  codeinjection_head: 65_535,
  codeinjection_foot: 65_535,
  canonical_url: 2000,
} as const;

export type TagTextName = keyof typeof LENGTHS;
export const TAG_TEXT_NAMES = Object.keys(LENGTHS) as TagTextName[];

const texts = Object.fromEntries(
  Object.entries(LENGTHS).map(([name, length]) => [name, nullableText(length).optional()]),
) as { [N in TagTextName]: z.ZodOptional<z.ZodType<string | null>> };

/** Any text, as in Ghost: pages use it where it is a color in hexadecimal digits. */
export const color = nullableText(50);

const fields = {
  name: recordName,
  slug: nullableText(191).optional(),
  visibility: z.enum(['public', 'internal']).optional(),
  accent_color: color.optional(),
  ...texts,
};

export const tagCreateInput = z.object(fields);

/** `updated_at`, when it is sent, says which state of the tag was edited. */
export const tagEditInput = z.object({
  ...fields,
  name: recordName.optional(),
  updated_at: time.nullish(),
});

export type TagCreateInput = z.output<typeof tagCreateInput>;
export type TagEditInput = z.output<typeof tagEditInput>;
