// A value that a use case refuses, where an option gave it.
import { PrepressError } from '../../base/errors.ts';

/** Throws USAGE for VALIDATION of one of `properties`, which options of the command gave. */
export const asUsage = async <T>(
  properties: readonly string[],
  work: () => Promise<T>,
): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    const { code, property, message } = error instanceof PrepressError ? error : NONE;
    if (code !== 'VALIDATION' || !properties.includes(property ?? '')) throw error;
    throw new PrepressError('USAGE', message, { cause: error });
  }
};

const NONE = { code: null, property: null, message: '' };
