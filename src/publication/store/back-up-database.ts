// Copies a database while it is in use.

import type { DatabaseCopy } from './backup.ts';
import { backupSqlite } from './sqlite/backup.ts';

/**
 * Copies the database at `path` as of one moment. The caller places the copy or discards it. Throws
 * DATABASE_MISSING, DATABASE_UNREADABLE or DATABASE_UNWRITABLE.
 */
export const backupDatabase = (path: string, target: string): Promise<DatabaseCopy> =>
  backupSqlite(path, target);
