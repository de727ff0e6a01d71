// Options that count, such as --limit of commands that list.

import { PrepressError } from '../../base/errors.ts';
import { SERVICE_LIMIT_DEFAULT } from '../../base/limits.ts';

/** Without the option, 50. Throws USAGE. */
export const parseLimit = (value: unknown): number =>
  parseCount('--limit', value ?? SERVICE_LIMIT_DEFAULT);

/** Throws USAGE. */
export const parseCount = (name: string, value: unknown, max?: number): number => {
  const count = Number(value);
  if (Number.isSafeInteger(count) && count >= 1 && count <= (max ?? count)) return count;
  const range = max === undefined ? 'from 1' : `from 1 to ${max}`;
  throw new PrepressError('USAGE', `${name} takes a whole number ${range}, got "${value}".`);
};
