// The field types that the content records share, as strict as interface.md states them.
import * as z from 'zod';

const OFFSET_TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}[+-]\d{2}:\d{2}$/;
const ABSOLUTE_URL = /^https?:\/\/[^\s/]+\/\S*$/;

/** ISO 8601 with milliseconds and a numeric offset. */
export const timestamp = z
  .string()
  .regex(OFFSET_TIMESTAMP)
  .refine((text) => !Number.isNaN(Date.parse(text)));

export const absoluteUrl = z.string().regex(ABSOLUTE_URL);

/** A field that may be empty is null then, never "". */
export const filledOrNull = z.string().min(1).nullable();

/** What previews of a link show. */
export const previewFields = {
  og_image: filledOrNull,
  og_title: filledOrNull,
  og_description: filledOrNull,
  twitter_image: filledOrNull,
  twitter_title: filledOrNull,
  twitter_description: filledOrNull,
};

export const count = z.strictObject({ posts: z.int().nonnegative() });
