// What a client may send to create or edit a tag, with the lengths of facts section 10.
import * as z from 'zod';
import { editableTexts, nullableText, recordName, seenTime } from '../fields.ts';

const fields = {
  name: recordName,
  slug: nullableText(191).optional(),
  visibility: z.enum(['public', 'internal']).optional(),
  ...editableTexts('tags'),
};

export const tagCreateInput = z.object(fields);

/** `updated_at`, when it is sent, says which state of the tag was edited. */
export const tagEditInput = z.object({
  ...fields,
  name: recordName.optional(),
  updated_at: seenTime.nullish(),
});

export type TagCreateInput = z.output<typeof tagCreateInput>;
export type TagEditInput = z.output<typeof tagEditInput>;
