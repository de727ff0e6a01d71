// The port to what errors of databases mean: the rooms above know the catalogue's codes alone.
import {
  asKnownError as asKnownSqliteError,
  isUnfit as isUnfitSqlite,
} from './sqlite/database-fault.ts';

/** Gives errors of a database their code of the catalogue; others pass as they are. */
export const asKnownError = (cause: unknown): unknown => asKnownSqliteError(cause);

/** True when a database does not hold what it should, though it may still be read. */
export const isUnfit = (error: unknown): boolean => isUnfitSqlite(error);
