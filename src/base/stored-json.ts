// JSON that rows hold: this program wrote it, or an earlier version of it, and others may have changed it since.
import type * as z from 'zod';
import { PrepressError } from './errors.ts';

/** `place` begins the sentence, such as `The report of a build`. Throws DATABASE_ALTERED. */
export const parseStored = <T>(schema: z.ZodType<T>, text: string, place: string): T => {
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new PrepressError('DATABASE_ALTERED', `${place} is not what Prepress stored.`, {
      hint: 'Undo what another program wrote there, or restore the database from a backup.',
      cause,
    });
  }
};
