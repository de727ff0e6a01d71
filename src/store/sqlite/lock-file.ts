// The files whose locks say that a program builds or delivers. They hold nothing: one that is damaged is
// emptied in its place, where programs that hold a lock on it keep that.
import { truncateSync } from 'node:fs';
import { PrepressError } from '../../base/errors.ts';
import { makePrivateFile } from '../../base/private-files.ts';
import { isBusy } from './connection.ts';
import { isDamage } from './database-fault.ts';
import { loadDriver, type SqliteConnection } from './driver.ts';

/**
 * Opens the file and takes the lock that `sql` asks for, until the connection is closed; null when another
 * program's stands in the way. Throws FILE_FAILED when the file cannot be used.
 */
export const takeLock = (path: string, sql: string): SqliteConnection | null => {
  try {
    return lock(path, sql);
  } catch (error) {
    if (!isDamage(error)) throw unusable(path, error);
  }
  try {
    truncateSync(path);
    return lock(path, sql);
  } catch (error) {
    throw unusable(path, error);
  }
};

const lock = (path: string, sql: string): SqliteConnection | null => {
  makePrivateFile(path);
  const connection = new (loadDriver())(path, { timeout: 0 });
  try {
    connection.exec(sql);
    return connection;
  } catch (error) {
    connection.close();
    if (isBusy(error)) return null;
    throw error;
  }
};

const unusable = (path: string, cause: unknown): unknown => {
  if (cause instanceof PrepressError) return cause;
  const { code, message } = cause as NodeJS.ErrnoException;
  const sentence = `The lock file ${path} cannot be used: ${message} (${code}).`;
  return new PrepressError('FILE_FAILED', sentence, { cause });
};
