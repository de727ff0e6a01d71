// The port to copies of the publishing database.
import { backupSqlite } from './sqlite/backup.ts';

export type DatabaseCopy = {
  /** What is wrong with the database, and so with its copy, in the database's own words. */
  readonly faults: readonly string[];
  /** The file that holds the copy until it has its name. */
  readonly partial: string;
  /** Gives the copy its name; a file that has it is replaced. */
  readonly place: () => void;
  /** Removes a copy that has no name yet. */
  readonly discard: () => void;
};

/**
 * Copies the database at `path` as of one moment. The caller places the copy or discards it. Throws
 * DATABASE_MISSING, DATABASE_UNREADABLE or DATABASE_UNWRITABLE.
 */
export const backupDatabase = (path: string, target: string): Promise<DatabaseCopy> =>
  backupSqlite(path, target);
