// Reads Ghost's SQLite file as of one commit: so Ghost waits for the reading of its pages at most, never for an import,
// and no file is made beside its own. Where a program may have the file open, it is read under SQLite's own lock. Else
// SQLite is kept away from it, because it would make files beside one in WAL mode, and would have to write to one that
// was left amid a commit. What is in several files is put together in a copy first.
import { type BigIntStats, constants, existsSync, statSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDenied } from '../../../base/error-code.ts';
import { PrepressError } from '../../../base/errors.ts';
import { systemReason } from '../../../base/files/disk-error.ts';
import { readError } from '../../../base/files/read-fault.ts';
import { makeScratchFolder, removeScratchFolder } from '../../../base/files/scratch-folder.ts';
import { BUSY_TIMEOUT_MS, loadDriver } from '../../../base/sqlite/driver.ts';
import { isBusy, isDamage } from '../../../base/sqlite/error-kinds.ts';
import { readFileHeader } from '../../../base/sqlite/file-header.ts';

/** Reads a file that holds all of one commit, in rollback mode, and does not change meanwhile. */
type Take = (file: string) => Promise<void>;

const AGAIN_MS = 50;

/** Throws IMPORT_UNREADABLE, SOURCE_NO_PERMISSION, SOURCE_BUSY or FILE_FAILED. */
export const takeCommit = async (path: string, triesMax: number, take: Take): Promise<void> => {
  try {
    for (let tries = 1; tries <= triesMax; tries += 1) {
      if (isInUse(path) ? await takeLocked(path, take) : await takeQuiet(path, take)) return;
      await sleep(AGAIN_MS);
    }
  } catch (cause) {
    throw asReadError(path, cause);
  }
  throw new PrepressError('SOURCE_BUSY', `The database ${path} is locked by another program.`);
};

/** Whoever has a file in WAL mode open has an index beside it; of other files nobody can tell. */
const isInUse = (path: string): boolean => !readFileHeader(path).isWal || existsSync(`${path}-shm`);

/** False when it is locked. */
const takeLocked = async (path: string, take: Take): Promise<boolean> => {
  const connection = new (loadDriver())(path, { readonly: true, timeout: BUSY_TIMEOUT_MS });
  try {
    connection.exec('BEGIN');
    connection.prepare('SELECT count(*) FROM sqlite_schema').get();
    const isWal = connection.pragma('journal_mode', { simple: true }) === 'wal';
    // The log first. Closing the database's file after reading it gives up the lock on it.
    if (!isWal) await take(path);
    else {
      await inFolder(async (copy) => {
        await copyParts(path, copy, ['-wal', '']);
        await takeTogether(copy, take);
      });
    }
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    // A commit broke off, which only a program that may write can take back.
    if (isLeftAmidCommit(error)) return takeQuiet(path, take);
    throw error;
  } finally {
    connection.close();
  }
};

const isLeftAmidCommit = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  ['SQLITE_READONLY_ROLLBACK', 'SQLITE_READONLY', 'SQLITE_CANTOPEN'].includes(String(error.code));

/** False when a file changed meanwhile. The journal goes along, for the copy to be taken back by. */
const takeQuiet = (path: string, take: Take): Promise<boolean> =>
  inFolder(async (copy) => {
    const before = statKeyOfFiles(path);
    await copyParts(path, copy, ['', '-wal', '-journal']);
    if (before !== statKeyOfFiles(path)) return false;
    await takeTogether(copy, take);
    return true;
  });

const inFolder = async <T>(work: (copy: string) => Promise<T>): Promise<T> => {
  const folder = makeScratchFolder('source');
  try {
    return await work(join(folder, 'ghost.db'));
  } finally {
    removeScratchFolder(folder);
  }
};

/** What is in the log, or has to be taken back, is put into the file itself. */
const takeTogether = async (copy: string, take: Take): Promise<void> => {
  const connection = new (loadDriver())(copy);
  try {
    connection.prepare('SELECT count(*) FROM sqlite_schema').get();
    connection.pragma('journal_mode = DELETE');
  } finally {
    connection.close();
  }
  await take(copy);
};

const copyParts = async (path: string, copy: string, ends: readonly string[]): Promise<void> => {
  for (const end of ends) {
    if (end !== '' && !existsSync(`${path}${end}`)) continue;
    await copyFile(`${path}${end}`, `${copy}${end}`, constants.COPYFILE_FICLONE);
  }
};

const FILES = ['', '-wal', '-journal', '-shm'] as const;

const statFiles = (path: string): readonly (BigIntStats | undefined)[] =>
  FILES.map((end) => statSync(`${path}${end}`, { bigint: true, throwIfNoEntry: end === '' }));

/** How the database and the files beside it stand. */
export const statKeyOfFiles = (path: string): string =>
  statFiles(path)
    .map((file) => (file ? [file.ino, file.size, file.mtimeNs, file.ctimeNs].join(':') : '-'))
    .join(' ');

export const newestTimeMs = (path: string): number =>
  Math.max(...statFiles(path).map((file) => Number(file?.ctimeMs ?? 0)));

/** Gives what SQLite and the system say of the file one of our codes. */
export const asReadError = (path: string, cause: unknown): unknown => {
  if (cause instanceof PrepressError) return cause;
  const { code, path: closed } = cause as NodeJS.ErrnoException;
  // Of the files of a database, the log alone may be closed.
  if (isDenied(cause)) return readError(closed ?? path, cause, { code: 'SOURCE_NO_PERMISSION' });
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'SQLITE_FULL') {
    const sentence = `There is no room for a copy of ${path} in ${tmpdir()}: ${systemReason(cause)}.`;
    return new PrepressError('FILE_FAILED', sentence, { cause });
  }
  const damaged = { reason: 'is damaged', hint: 'Copy it again, or restore it from a backup.' };
  const { reason, ...more } = isDamage(cause) ? damaged : { reason: 'cannot be read' };
  const sentence = `The database ${path} ${reason} (${code ?? String(cause)}).`;
  return new PrepressError('IMPORT_UNREADABLE', sentence, { cause, ...more });
};
