// The error body: nine keys, all always there, null where there is nothing to say.
import * as z from 'zod';

const errorSchema = z.strictObject({
  message: z.string().min(1),
  context: z.string().nullable(),
  type: z.string().min(1),
  details: z.unknown().refine((value) => value !== undefined),
  property: z.string().nullable(),
  help: z.string().nullable(),
  code: z.string().nullable(),
  id: z.guid().nullable(),
  ghostErrorCode: z.string().nullable(),
});

export const errorDocumentSchema = z.strictObject({ errors: z.array(errorSchema).length(1) });
