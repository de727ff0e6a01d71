// What a use case throws for a value that it does not take.
import { PrepressError } from '../../base/errors.ts';

/** VALIDATION of one property; `message` is a whole sentence. */
export const invalid = (property: string, message: string): PrepressError =>
  new PrepressError('VALIDATION', message, { property });
