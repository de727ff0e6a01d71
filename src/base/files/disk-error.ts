// Errors of the system as errors of the catalogue: which call failed, for which file, and why.
import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type ErrorCode, PrepressError } from '../errors.ts';
import { findUnwritableReason } from './unwritable.ts';

type Said = {
  readonly code: ErrorCode;
  /** The beginning of the sentence, with a space at its end; absent: it begins with the system's code. */
  readonly begins?: string;
  /** Stands for a path that the system does not name. */
  readonly place?: string;
};

/** Of what a build places, with the kind of file as `place`. */
export const OUTPUT_UNWRITABLE = {
  code: 'OUTPUT_UNWRITABLE',
  begins: 'The output cannot be written: ',
} as const;

/** Of a file that nothing better is known of. */
export const FILE_FAILED = {
  code: 'FILE_FAILED',
  begins: 'A file cannot be read or written: ',
} as const;

/** What is no error of the system passes as it is. */
export const asDiskError = (cause: unknown, { code, begins = '', place }: Said): unknown => {
  const { code: reason, path = place, syscall } = cause as NodeJS.ErrnoException;
  if (cause instanceof PrepressError || syscall === undefined) return cause;
  const misplaced = misplacedReason(cause);
  const wrong = misplaced ?? closedReason(cause);
  if (wrong !== null) {
    const hint = misplaced === null ? 'Name another path.' : 'Move it, or name another path.';
    return new PrepressError(code, `${begins}${wrong}.`, { cause, hint });
  }
  // Calls that are given an open file, such as write and fsync, do not name it.
  const where = path === undefined ? '' : ` of ${path}`;
  const sentence = `${begins}${reason} at ${syscall}${where}${diskReason(cause)}.`;
  return new PrepressError(code, sentence, { cause });
};

/** What `work` gives; errors of the system are said as `said` has it, also those of its promise. */
export const withDiskErrors = <T>(said: Said, work: () => T): T => {
  const fail = (cause: unknown): never => {
    throw asDiskError(cause, said);
  };
  try {
    const result = work();
    return result instanceof Promise ? (result.catch(fail) as T) : result;
  } catch (cause) {
    return fail(cause);
  }
};

/** Null where the path is no file in the place of a folder, and no folder in that of a file. */
const misplacedReason = (cause: unknown): string | null => {
  const { code, path, syscall } = cause as NodeJS.ErrnoException;
  // Of two paths it says not which one.
  if (path === undefined || ['rename', 'link', 'copyfile'].includes(syscall ?? '')) return null;
  if (code === 'EISDIR') return `${path} is a folder, and a file is needed`;
  if (code !== 'ENOTDIR' && (code !== 'EEXIST' || syscall !== 'mkdir')) return null;
  const standing = findStanding(path);
  return statSync(standing).isDirectory() ? null : `${standing} is a file, and a folder is needed`;
};

/** Null but where the system itself takes no folders, such as in /proc: it answers ENOENT although that folder exists. */
const closedReason = (cause: unknown): string | null => {
  const { code, path, syscall } = cause as NodeJS.ErrnoException;
  if (code !== 'ENOENT' || syscall !== 'mkdir' || path === undefined) return null;
  return existsSync(dirname(path)) ? `no folder can be made in ${dirname(path)}` : null;
};

/** "" where the disk was neither full nor out of inodes, and no folder is closed to this user. */
export const diskReason = (cause: unknown): string => {
  const { code, syscall, path, dest } = cause as NodeJS.ErrnoException & { dest?: string };
  if (code === 'ENOSPC') return `: ${findReason(path) ?? 'the disk was full, or out of inodes'}`;
  const isDenied = code === 'EACCES' || code === 'EPERM';
  if (!isDenied || !CHANGES_FOLDER.has(syscall ?? '')) return '';
  const folders = [path, dest].flatMap((one) => (one === undefined ? [] : [dirname(one)]));
  const reason = folders.map(findReason).find((one) => one !== null);
  // The sentence names the code already.
  return reason === undefined ? '' : `: ${reason?.replace(` (${code})`, '')}`;
};

const CHANGES_FOLDER: ReadonlySet<string> = new Set(
  'mkdir rename unlink rmdir link symlink'.split(' '),
);

/** Of a write the system names no file. */
const findReason = (path: string | undefined): string | null => {
  return path === undefined ? null : findUnwritableReason(findStanding(path));
};

/** What was begun may have been removed again, with its folders. */
const findStanding = (path: string): string => {
  const above = dirname(path);
  return existsSync(path) || above === path ? path : findStanding(above);
};
