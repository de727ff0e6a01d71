// Why a path that somebody named cannot be read, as a sentence, or as an error that says what to do.
import { codeOf, isDenied, withSystemWords } from '../error-code.ts';
import { type ErrorCode, PrepressError } from '../errors.ts';
import { LET_READ } from './as-owner.ts';

export const readFault = (path: string, cause: unknown): string => {
  const code = codeOf(cause);
  if (code === 'ENOENT') return `${path} does not exist.`;
  if (code === 'EISDIR') return `${path} is a folder, and a file is needed.`;
  if (isDenied(cause)) return `This user may not read ${path} (${code}).`;
  return `${path} cannot be read${code === '' ? '' : `: ${withSystemWords(code)}`}.`;
};

type Advice = {
  readonly code?: ErrorCode;
  /** Where this user may not read it. */
  readonly closed?: string;
  readonly hint?: string;
};

export const readError = (
  path: string,
  cause: unknown,
  { code = 'IMPORT_UNREADABLE', closed = LET_READ, hint }: Advice = {},
): PrepressError => {
  const advice = isDenied(cause) ? closed : hint;
  const extras = { cause, ...(advice !== undefined && { hint: advice }) };
  return new PrepressError(code, readFault(path, cause), extras);
};
