// The code that the system, a database or a package puts on an error, and what one of the system means.
import { getSystemErrorMap } from 'node:util';

/** Empty where there is none. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

/** Whether the system refused it to this user. */
export const isDenied = (error: unknown): boolean => ['EACCES', 'EPERM'].includes(codeOf(error));

/** Such as "connection refused"; null for a code that is not the system's. */
export const findSystemWords = (code: string): string | null => {
  // That of a look-up, which has no number.
  if (code === 'ENOTFOUND') return 'no host has that name';
  for (const [name, words] of getSystemErrorMap().values()) if (name === code) return words;
  return null;
};

/** The same with the code in brackets; the code alone where it is not the system's. */
export const withSystemWords = (code: string): string => {
  const words = findSystemWords(code);
  return words === null ? code : `${words} (${code})`;
};
