// Errors of the system as errors of the catalogue: which call failed, for which file, and why.
import { accessSync, constants, existsSync, lstatSync, readlinkSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf, findSystemWords, isDenied } from '../error-code.ts';
import { type ErrorCode, PrepressError } from '../errors.ts';
import { findUnwritableReason } from './unwritable.ts';

type Said = {
  readonly code: ErrorCode;
  /** The beginning of the sentence, with a space at its end; absent: it begins with the reason. */
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
  const known = knownReason(cause);
  // Calls that are given an open file, such as write and fsync, do not name it.
  const where = `at ${syscall}${path === undefined ? '' : ` of ${path}`}`;
  const said = known ?? `${wordsOf(reason)} ${where}`;
  const hint = known !== null && isDenied(cause) ? { hint: OTHER_USER } : {};
  return new PrepressError(code, startSentence(`${begins}${said} (${reason}).`), {
    cause,
    ...hint,
  });
};

const OTHER_USER = 'Give this user access, or name another path.';

const startSentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

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
  if (code === 'EEXIST' && lstatSync(path).isSymbolicLink() && !existsSync(path))
    return `${path} is a link to ${readlinkSync(path)}, which does not exist`;
  const standing = findStanding(path);
  return statSync(standing).isDirectory() ? null : `${standing} is a file, and a folder is needed`;
};

/** Null but where the system itself takes no folders, such as in /proc: it answers ENOENT although that folder exists. */
const closedReason = (cause: unknown): string | null => {
  const { code, path, syscall } = cause as NodeJS.ErrnoException;
  if (code !== 'ENOENT' || syscall !== 'mkdir' || path === undefined) return null;
  return existsSync(dirname(path)) ? `no folder can be made in ${dirname(path)}` : null;
};

/** Why, in words, with the system's code in brackets. */
export const systemReason = (cause: unknown): string => {
  const code = codeOf(cause);
  return `${knownReason(cause) ?? wordsOf(code)} (${code})`;
};

const wordsOf = (code = 'unknown'): string =>
  code === 'ENOSPC'
    ? 'the disk was full or out of inodes'
    : (findSystemWords(code) ?? 'an unknown fault');

/** Null where the disk is neither full nor out of inodes, and nothing is closed to this user. */
const knownReason = (cause: unknown): string | null => {
  const { code, syscall, path, dest } = cause as NodeJS.ErrnoException & { dest?: string };
  if (code === 'ENOSPC') return path === undefined ? null : findReason(path);
  if (!isDenied(cause)) return null;
  const changesFolder = CHANGES_FOLDER.has(syscall ?? '');
  for (const one of [path, dest]) {
    const reason = one === undefined ? null : findDenial(one, changesFolder);
    // Sentences name the code themselves.
    if (reason !== null) return reason.replace(` (${code})`, '');
  }
  return null;
};

const findDenial = (path: string, changesFolder: boolean): string | null => {
  const closed = findClosedFolder(path);
  if (closed !== null) return `this user has no access to ${closed}`;
  if (changesFolder || !existsSync(path)) return findReason(dirname(path));
  if (!isAllowed(path, constants.R_OK)) return `this user may not read ${path}`;
  return isAllowed(path, constants.W_OK) ? null : `this user may not write ${path}`;
};

/** The topmost folder above it that this user may not enter. */
const findClosedFolder = (path: string): string | null => {
  const above = dirname(path);
  if (above === path) return null;
  return findClosedFolder(above) ?? (isAllowed(above, constants.X_OK) ? null : above);
};

const isAllowed = (path: string, mode: number): boolean => {
  try {
    accessSync(path, mode);
    return true;
  } catch (error) {
    return !isDenied(error);
  }
};

const CHANGES_FOLDER: ReadonlySet<string> = new Set(
  'mkdir rename unlink rmdir link symlink'.split(' '),
);

const findReason = (path: string): string | null => findUnwritableReason(findStanding(path));

/** What was begun may have been removed again, with its folders. */
const findStanding = (path: string): string => {
  const above = dirname(path);
  return existsSync(path) || above === path ? path : findStanding(above);
};
