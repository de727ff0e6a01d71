// Whether a backup may replace a file.
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { PrepressError } from '../../base/errors.ts';
import { lookInto } from './sqlite/publication-file.ts';

const DATABASE_START = 'SQLite format 3\0';

/** What is replaced was a backup, or holds nothing: throws USAGE for a file that is no copy of a publication. */
export const throwIfNoBackup = (file: string): void => {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats?.isFile() !== true || stats.size === 0) return;
  const content = isDatabase(file) ? lookInto(file) : 'foreign';
  if (content !== 'ghost' && content !== 'foreign') return;
  const what = content === 'ghost' ? "is Ghost's own database, not" : 'is not';
  throw new PrepressError('USAGE', `${file} ${what} a backup: name another file for the copy.`);
};

const isDatabase = (file: string): boolean => {
  const start = Buffer.alloc(DATABASE_START.length);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, start);
  } finally {
    closeSync(descriptor);
  }
  return start.toString('latin1') === DATABASE_START;
};
