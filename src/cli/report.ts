// How commands speak: lines for people on standard output, one JSON value with --json, errors and
// progress on standard error.
import { PrepressError } from '../base/errors.ts';
import { asKnownError } from '../store/sqlite/database-fault.ts';
import { createProgressLine, type Progress } from './progress.ts';

export type Report = {
  /** Prints a line for people; silent with --json. */
  readonly say: (line: string) => void;
  /** The result as data: printed with --json, else nothing. */
  readonly data: (value: unknown) => void;
  /** Shows how far long work is, on a terminal. */
  readonly progress: (progress: Progress) => void;
  /** Takes the line of progress away, if there is one. */
  readonly endProgress: () => void;
};

export const createReport = ({ json }: { readonly json: boolean }): Report => {
  const line = createProgressLine();
  return {
    say: (text) => {
      line.end();
      if (!json) process.stdout.write(`${text}\n`);
    },
    data: (value) => {
      line.end();
      if (json) process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
    },
    progress: line.show,
    endProgress: line.end,
  };
};

/** A number as people read it. */
export const shown = (count: number): string => count.toLocaleString('en');

/** Prints what went wrong and what to do; returns the exit code. */
export const reportError = (error: unknown, { json }: { readonly json: boolean }): number => {
  const known = asPrepressError(error);
  const { hint, exitCode } = known.facts;
  if (json) {
    const { code, message, details } = known;
    process.stdout.write(
      `${JSON.stringify({ error: { code, message, hint, details } }, null, 2)}\n`,
    );
  } else {
    process.stderr.write(`prepress: ${known.message}\n${hint === '' ? '' : `${hint}\n`}`);
    for (const line of detailLines(known.details)) process.stderr.write(`  ${line}\n`);
  }
  return exitCode;
};

const asPrepressError = (error: unknown): PrepressError => {
  const known = asKnownError(error);
  if (known instanceof PrepressError) return known;
  const { code, syscall, path } = known as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined || path === undefined) return unexpected(known);
  return new PrepressError('FILE_FAILED', `${code} at ${syscall} of ${path}.`, { cause: known });
};

const unexpected = (cause: unknown): PrepressError => {
  const reason = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
  return new PrepressError('INTERNAL', `Something went wrong.\n${reason}`, { cause });
};

const DETAILS_MAX = 50;

const detailLines = (details: unknown): string[] => {
  if (!Array.isArray(details)) return [];
  const lines = details.slice(0, DETAILS_MAX).map((detail) => Object.values(detail).join(' '));
  const more = details.length - lines.length;
  return more > 0 ? [...lines, `and ${more} more`] : lines;
};
