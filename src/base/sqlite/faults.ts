// The port to what errors of databases mean: the rooms above know the catalogue's codes alone.
import { PrepressError } from '../errors.ts';
import { asKnownError as asKnownSqliteError, isUnfit as isUnfitSqlite } from './database-fault.ts';

/** Gives errors of a database their code of the catalogue; others pass as they are. */
export const asKnownError = (cause: unknown): unknown => asKnownSqliteError(cause);

export type Problem = { readonly code: string; readonly message: string };

/** What a state shows of an error: what is not of the catalogue keeps its words for the log. */
export const problemOf = (error: unknown): Problem => {
  const known = asKnownError(error);
  if (!(known instanceof PrepressError))
    return { code: 'INTERNAL', message: 'Something went wrong; the log has the error.' };
  return { code: known.code, message: known.message };
};

/** True when a database does not hold what it should, though it may still be read. */
export const isUnfit = (error: unknown): boolean => isUnfitSqlite(error);
