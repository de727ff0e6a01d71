// How commands speak: lines for people on standard output, one JSON value with --json, errors and
// progress on standard error.
import { PrepressError } from '../base/errors.ts';
import { asKnownError } from '../store/sqlite/database-fault.ts';

export type Report = {
  /** Prints a line for people; silent with --json. */
  readonly say: (line: string) => void;
  /** The result as data: printed with --json, else nothing. */
  readonly data: (value: unknown) => void;
  /** Shows a counter that overwrites itself on a terminal, after the first second. */
  readonly progress: (what: string) => (count: number) => void;
};

const PROGRESS_AFTER_MS = 1_000;
const PROGRESS_EVERY_MS = 100;

export const createReport = ({ json }: { readonly json: boolean }): Report => ({
  say: (line) => {
    if (!json) process.stdout.write(`${line}\n`);
  },
  data: (value) => {
    if (json) process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
  },
  progress: (what) => {
    if (!process.stderr.isTTY) return () => undefined;
    const started = performance.now();
    let shownAt = started + PROGRESS_AFTER_MS - PROGRESS_EVERY_MS;
    return (count) => {
      const now = performance.now();
      if (now - shownAt < PROGRESS_EVERY_MS) return;
      shownAt = now;
      const seconds = Math.round((now - started) / 1000);
      process.stderr.write(`\r\x1b[K${count.toLocaleString('en')} ${what}, ${seconds} s`);
    };
  },
});

/** Ends a line of progress, if there was one. */
export const endProgress = (): void => {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
};

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
