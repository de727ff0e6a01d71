// A private copy of Ghost's SQLite file as of one commit, from which everything is read: so Ghost waits
// for the copying at most, never for an import, and no file is made beside its own. Where a program may
// have the file open, it is copied under SQLite's own lock. Else SQLite is kept away from it, because it
// would make files beside one in WAL mode, and would have to write to one that was left amid a commit.
import { type BigIntStats, constants, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PrepressError } from '../../base/errors.ts';
import { BUSY_TIMEOUT_MS } from '../../base/limits.ts';
import { isBusy } from '../../store/sqlite/connection.ts';
import { isDamage } from '../../store/sqlite/database-fault.ts';
import { loadDriver, type SqliteConnection } from '../../store/sqlite/driver.ts';
import { readFileHeader } from '../../store/sqlite/file-header.ts';

export type DatabaseCopy = { readonly connection: SqliteConnection; readonly close: () => void };

const AGAIN_MS = 50;

/** Throws IMPORT_UNREADABLE, SOURCE_NO_PERMISSION, SOURCE_BUSY or FILE_FAILED. */
export const copyDatabase = async (path: string, triesMax: number): Promise<DatabaseCopy> => {
  const folder = mkdtempSync(join(tmpdir(), 'prepress-source-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const copy = join(folder, 'ghost.db');
    await copyWhenFree({ path, copy, triesMax });
    const connection = new (loadDriver())(copy);
    // Its log is read now; then, where the system allows it, nothing is left if the program is killed.
    connection.prepare('SELECT count(*) FROM sqlite_schema').get();
    if (process.platform !== 'win32') remove();
    const close = (): void => {
      connection.close();
      remove();
    };
    return { connection, close };
  } catch (cause) {
    remove();
    throw asReadError(path, cause);
  }
};

type Copying = { readonly path: string; readonly copy: string; readonly triesMax: number };

const copyWhenFree = async ({ path, copy, triesMax }: Copying): Promise<void> => {
  for (let tries = 1; tries <= triesMax; tries += 1) {
    const isDone = isInUse(path) ? await copyLocked(path, copy) : await copyQuiet(path, copy);
    if (isDone) return;
    await sleep(AGAIN_MS);
  }
  throw new PrepressError('SOURCE_BUSY', `The database ${path} is locked by another program.`);
};

/** Whoever has a file in WAL mode open has an index beside it; of other files nobody can tell. */
const isInUse = (path: string): boolean => !readFileHeader(path).isWal || existsSync(`${path}-shm`);

/** False when it is locked. */
const copyLocked = async (path: string, copy: string): Promise<boolean> => {
  const connection = new (loadDriver())(path, { readonly: true, timeout: BUSY_TIMEOUT_MS });
  try {
    connection.exec('BEGIN');
    connection.prepare('SELECT count(*) FROM sqlite_schema').get();
    // The log first: closing the database's file after copying it gives up the lock on it.
    await copyParts(path, copy, ['-wal', '']);
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    // A commit broke off, which only a program that may write can take back.
    if (isLeftAmidCommit(error)) return copyQuiet(path, copy);
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
const copyQuiet = async (path: string, copy: string): Promise<boolean> => {
  const before = stampFiles(path);
  await copyParts(path, copy, ['', '-wal', '-journal']);
  return before === stampFiles(path);
};

const copyParts = async (path: string, copy: string, ends: readonly string[]): Promise<void> => {
  for (const end of ['-wal', '-journal', '-shm']) rmSync(`${copy}${end}`, { force: true });
  for (const end of ends) {
    if (end !== '' && !existsSync(`${path}${end}`)) continue;
    await copyFile(`${path}${end}`, `${copy}${end}`, constants.COPYFILE_FICLONE);
  }
};

const FILES = ['', '-wal', '-journal', '-shm'] as const;

const statFiles = (path: string): readonly (BigIntStats | undefined)[] =>
  FILES.map((end) => statSync(`${path}${end}`, { bigint: true, throwIfNoEntry: end === '' }));

/** How the database and the files beside it stand. */
export const stampFiles = (path: string): string =>
  statFiles(path)
    .map((file) => (file ? [file.ino, file.size, file.mtimeNs, file.ctimeNs].join(':') : '-'))
    .join(' ');

export const newestTimeMs = (path: string): number =>
  Math.max(...statFiles(path).map((file) => Number(file?.ctimeMs ?? 0)));

/** Gives what SQLite and the system say of the file one of our codes. */
export const asReadError = (path: string, cause: unknown): unknown => {
  if (cause instanceof PrepressError) return cause;
  const { code } = cause as NodeJS.ErrnoException;
  if (code === 'EACCES' || code === 'EPERM') {
    const sentence = `This user may not read the database ${path} (${code}).`;
    return new PrepressError('SOURCE_NO_PERMISSION', sentence, { cause });
  }
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'SQLITE_FULL') {
    const sentence = `There is no room for a copy of ${path} in ${tmpdir()} (${code}).`;
    return new PrepressError('FILE_FAILED', sentence, { cause });
  }
  const reason = isDamage(cause) ? 'is damaged' : 'cannot be read';
  const sentence = `The database ${path} ${reason} (${code ?? String(cause)}).`;
  return new PrepressError('IMPORT_UNREADABLE', sentence, { cause });
};
