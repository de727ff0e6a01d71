// Errors of the system as errors of the catalogue: which call failed, for which file, and why.
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { type ErrorCode, PrepressError } from '../errors.ts';
import { findUnwritableReason } from './unwritable.ts';

type Said = {
  readonly code: ErrorCode;
  /** The beginning of the sentence, with a space at its end; absent: it begins with the system's code. */
  readonly begins?: string;
  /** Stands for a path that the system does not name. */
  readonly place: string;
};

/** What is no error of the system passes as it is. */
export const asDiskError = (cause: unknown, { code, begins = '', place }: Said): unknown => {
  const { code: reason, path, syscall } = cause as NodeJS.ErrnoException;
  if (cause instanceof PrepressError || syscall === undefined) return cause;
  const sentence = `${begins}${reason} at ${syscall} of ${path ?? place}${fullDiskReason(cause)}.`;
  return new PrepressError(code, sentence, { cause });
};

/** "" where the disk was neither full nor out of inodes. */
export const fullDiskReason = (cause: unknown): string => {
  const { code, path } = cause as NodeJS.ErrnoException;
  return code === 'ENOSPC' ? `: ${findReason(path) ?? 'its disk was full, or out of inodes'}` : '';
};

/** Of a write the system names no file. */
const findReason = (path: string | undefined): string | null => {
  if (path === undefined) return null;
  // What was begun may have been removed again, with its folders.
  let standing = path;
  while (!existsSync(standing) && dirname(standing) !== standing) standing = dirname(standing);
  return findUnwritableReason(standing);
};
