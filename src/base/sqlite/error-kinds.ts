// What the error codes of SQLite say, for every room that opens SQLite files.
import { codeOf } from '../error-code.ts';

/** True for the errors that mean "another connection holds a lock": worth another try. */
export const isBusy = (error: unknown): boolean => codeOf(error).startsWith('SQLITE_BUSY');

/** True when the file is not, or no longer, a database. */
export const isDamage = (error: unknown): boolean =>
  /^SQLITE_(?:CORRUPT|NOTADB)/.test(codeOf(error)) ||
  (error instanceof Error && error.cause !== undefined && isDamage(error.cause));

/** True when a table, column or trigger is not what a statement needs. */
export const isAltered = (error: unknown): boolean =>
  /^SQLITE_(?:ERROR|SCHEMA)/.test(codeOf(error));
