// A value that a use case refuses, where an option gave it.
import { PrepressError } from '../../base/errors.ts';

/** Throws USAGE for VALIDATION of a property that an option gave, and names the option in its place. */
export const asUsage = async <T>(
  options: Readonly<Record<string, string>>,
  work: () => Promise<T>,
): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    const { code, property, message } = error instanceof PrepressError ? error : NONE;
    const option = property === null ? undefined : options[property];
    if (code !== 'VALIDATION' || option === undefined) throw error;
    const start = `${property} `;
    const sentence = message.startsWith(start)
      ? `${option} ${message.slice(start.length)}`
      : message;
    throw new PrepressError('USAGE', sentence, { cause: error });
  }
};

const NONE = { code: null, property: null, message: '' };
