// Copies a database as of one moment while others write to it, into a file that appears whole.
import { renameSync, rmSync } from 'node:fs';
import { openConnection } from './connection.ts';
import { findFaults } from './database-fault.ts';

/**
 * `target` must not exist. Returns what is wrong with the database, and so with its copy, in SQLite's words.
 * Throws DATABASE_MISSING or DATABASE_UNREADABLE.
 */
export const backupDatabase = async (path: string, target: string): Promise<string[]> => {
  const connection = openConnection(path, { readonly: true });
  const partial = `${target}.partial`;
  try {
    // SQLite would go on in one that an earlier run left, and stop where that is damaged.
    removePartial(partial);
    // One step in one transaction: in WAL it holds up no writer, and writers cannot make it start over.
    await connection.backup(partial, { progress: () => 0x7fffffff });
    renameSync(partial, target);
    return findFaults(connection);
  } catch (error) {
    removePartial(partial);
    throw error;
  } finally {
    connection.close();
  }
};

const removePartial = (partial: string): void => {
  for (const end of ['', '-journal', '-wal', '-shm']) rmSync(`${partial}${end}`, { force: true });
};
