// What SQLite's errors mean to whoever reads them: one sentence under a code that says what to do.
import { codeOf } from '../error-code.ts';
import { PrepressError } from '../errors.ts';
import type { SqliteConnection } from './driver.ts';
import { isAltered, isDamage } from './error-kinds.ts';

/** True when the file does not hold what it should, though SQLite may still read it. */
export const isUnfit = (error: unknown): boolean =>
  isDamage(error) || /^SQLITE_(?:ERROR|SCHEMA|CONSTRAINT|MISMATCH)/.test(codeOf(error));

/** Gives errors of SQLite their code of the catalogue; others pass as they are. */
export const asKnownError = (cause: unknown): unknown => {
  const code = codeOf(cause);
  if (cause instanceof PrepressError || !code.startsWith('SQLITE_')) return cause;
  const reason = `${(cause as Error).message} (${code})`;
  if (code.startsWith('SQLITE_BUSY')) {
    return new PrepressError('DATABASE_BUSY', 'The database is locked.', { cause });
  }
  if (isDamage(cause)) {
    return new PrepressError('DATABASE_UNREADABLE', `The database is damaged: ${reason}.`, {
      cause,
    });
  }
  if (/^SQLITE_(?:FULL|IOERR|READONLY|CANTOPEN|PERM|AUTH|NOMEM)/.test(code)) {
    const sentence = `The database cannot be read or written: ${reason}.`;
    return new PrepressError('DATABASE_UNWRITABLE', sentence, { cause });
  }
  if (isAltered(cause)) {
    const sentence = `The database is not as Prepress made it: ${reason}.`;
    return new PrepressError('DATABASE_ALTERED', sentence, { cause });
  }
  return cause;
};

export type Problem = { readonly code: string; readonly message: string };

/** What a state shows of an error: what is not of the catalogue keeps its words for the log. */
export const problemOf = (error: unknown): Problem => {
  const known = asKnownError(error);
  if (!(known instanceof PrepressError))
    return { code: 'INTERNAL', message: 'Something went wrong; the log has the error.' };
  return { code: known.code, message: known.message };
};

/**
 * What SQLite finds wrong when it reads all of the database, its indexes included; empty when all is well. A value
 * that the schema does not allow is no damage: somebody wrote it, and a build says what it cannot show.
 */
export const findFaults = (connection: SqliteConnection): string[] => {
  connection.pragma('ignore_check_constraints = ON');
  try {
    return checkAll(connection);
  } catch (error) {
    if (!isAltered(error)) throw error;
    return checkEach(connection);
  } finally {
    connection.pragma('ignore_check_constraints = OFF');
  }
};

const checkAll = (connection: SqliteConnection, table?: string): string[] => {
  const name = table === undefined ? '' : `("${table.replaceAll('"', '""')}")`;
  const lines = connection.prepare(`PRAGMA integrity_check${name}`).pluck().all() as string[];
  return lines.filter((line) => line !== 'ok' && !/^[A-Z]+ value in /.test(line));
};

/** Another program's index may need what only that program has; its table is left out. */
const checkEach = (connection: SqliteConnection): string[] => {
  const tables = connection
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .pluck()
    .all() as string[];
  return tables.flatMap((table) => {
    try {
      return checkAll(connection, table);
    } catch (error) {
      if (!isAltered(error)) throw error;
      return [];
    }
  });
};
