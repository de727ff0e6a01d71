// Copies a database as of one moment while others write to it, into a file that appears whole.
import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from '../../base/error-code.ts';
import { PrepressError } from '../../base/errors.ts';
import { makePrivateFile } from '../../base/files/private-files.ts';
import { findUnwritableReason } from '../../base/files/unwritable.ts';
import { openConnection } from '../../base/sqlite/connection.ts';
import { findFaults } from '../../base/sqlite/database-fault.ts';

type DatabaseCopy = {
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
 * DATABASE_MISSING, DATABASE_UNREADABLE, DATABASE_UNWRITABLE or FILE_FAILED.
 */
export const backupDatabase = async (path: string, target: string): Promise<DatabaseCopy> => {
  const connection = openConnection(path, { readonly: true });
  const partial = `${target}.partial`;
  const discard = (): void => {
    for (const end of ['', '-journal', '-wal', '-shm']) rmSync(`${partial}${end}`, { force: true });
  };
  try {
    // SQLite would go on in one that an earlier run left, and stop where that is damaged.
    discard();
    makePrivateFile(partial);
    throwIfAbsent(partial, target);
    // One step in one transaction: in WAL it holds up no writer, and writers cannot make it start over.
    await connection.backup(partial, { progress: () => 0x7fffffff });
    const faults = findFaults(connection);
    return { faults, partial, place: () => renameSync(partial, target), discard };
  } catch (error) {
    discard();
    throw codeOf(error) === 'SQLITE_FULL' ? noRoom(target, error) : error;
  } finally {
    connection.close();
  }
};

/** The database itself is only read. */
const noRoom = (target: string, cause: unknown): PrepressError => {
  const sentence = `There is no room for the copy in ${dirname(target)} (SQLITE_FULL).`;
  return new PrepressError('FILE_FAILED', sentence, { cause });
};

const throwIfAbsent = (partial: string, target: string): void => {
  if (existsSync(partial)) return;
  const reason = findUnwritableReason(dirname(target)) ?? 'its file cannot be made';
  throw new PrepressError('DATABASE_UNWRITABLE', `No copy can be made at ${target}: ${reason}.`);
};
