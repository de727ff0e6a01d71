// The option --limit of commands that list.

import { PrepressError } from '../../base/errors.ts';
import { SERVICE_LIMIT_DEFAULT } from '../../base/limits.ts';

/** Without the option, 50. Throws USAGE. */
export const parseLimit = (value: unknown): number => {
  const limit = Number(value ?? SERVICE_LIMIT_DEFAULT);
  if (Number.isSafeInteger(limit) && limit >= 1) return limit;
  throw new PrepressError('USAGE', `--limit takes a whole number from 1, got "${value}".`);
};
