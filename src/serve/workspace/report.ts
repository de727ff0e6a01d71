// How commands speak: lines for people on standard output, one JSON value with --json, errors and
// progress on standard error. Speaking never fails, so that the work is done whether or not it can be heard.
import { type ErrorCode, PrepressError } from '../../base/errors.ts';
import { asDiskError, FILE_FAILED, systemReason } from '../../base/files/disk-error.ts';
import { asKnownError } from '../../base/sqlite/database-fault.ts';
import { toPrintable, toPrintableLines } from '../../base/text/printable.ts';
import { createProgressLine, type Progress } from './progress.ts';

export type Report = {
  /** Prints a line for people, with characters that a terminal obeys escaped; silent with --json. */
  readonly print: (line: string) => void;
  /** The result as data: printed with --json, else nothing. */
  readonly data: (value: unknown) => void;
  /** Shows how far long work is, on a terminal. */
  readonly progress: (progress: Progress) => void;
  /** Takes the line of progress away, if there is one. */
  readonly endProgress: () => void;
  /**
   * Waits until everything is printed; throws FILE_FAILED when some of it could not be, unless nobody
   * wanted to read it.
   */
  readonly finish: () => Promise<void>;
};

export const createReport = ({ json }: { readonly json: boolean }): Report => {
  const line = createProgressLine();
  let fault: NodeJS.ErrnoException | null = null;
  const write = (text: string): Promise<void> =>
    new Promise((resolve) => {
      process.stdout.write(text, (error) => {
        fault ??= error ?? null;
        resolve();
      });
    });
  return {
    print: (text) => {
      line.end();
      if (!json) write(`${toPrintable(text)}\n`);
    },
    data: (value) => {
      line.end();
      if (json) write(`${JSON.stringify(value, inSnakeCase, 2)}\n`);
    },
    progress: line.show,
    endProgress: line.end,
    finish: async () => {
      await write('');
      if (fault === null || fault.code === 'EPIPE') return;
      const sentence = `The report could not be printed: ${systemReason(fault)}.`;
      throw new PrepressError('FILE_FAILED', sentence, { cause: fault });
    },
  };
};

/** All names of --json are in snake case, as those of the interface. */
const inSnakeCase = (_name: string, value: unknown): unknown =>
  typeof value !== 'object' || value === null || Array.isArray(value)
    ? value
    : Object.fromEntries(
        Object.entries(value).map(([name, held]) => [
          name.replace(/[a-z0-9](?=[A-Z])/g, '$&_').toLowerCase(),
          held,
        ]),
      );

/** Prints what went wrong and what to do; returns the exit code. */
export const reportError = (error: unknown, { json, command }: Failed): number => {
  const known = asPrepressError(error);
  const { facts } = known;
  const hint = known.hint.replace('COMMAND', command);
  if (json) {
    const { code, message, details } = known;
    printErrorJson({ code, message, hint, details });
  } else {
    const message = MANY_LINES.has(known.code)
      ? toPrintableLines(known.message)
      : toPrintable(known.message);
    process.stderr.write(`prepress: ${message}\n${hint === '' ? '' : `${hint}\n`}`);
    for (const line of detailLines(known.details)) process.stderr.write(`  ${line}\n`);
  }
  return facts.exitCode;
};

/** How every failure looks with --json. */
export const printErrorJson = (
  error: Pick<PrepressError, 'code' | 'message' | 'hint' | 'details'>,
): void => {
  process.stdout.write(`${JSON.stringify({ error }, null, 2)}\n`);
};

type Failed = {
  readonly json: boolean;
  /** The words that name it. */
  readonly command: string;
};

/** Their messages quote a stack, or what Eleventy says of a template. */
const MANY_LINES: ReadonlySet<ErrorCode> = new Set(['INTERNAL', 'PAGES_INVALID']);

/** Says what somebody should know although the command goes on. */
export const warn = (sentence: string): void => {
  process.stderr.write(`prepress: ${toPrintable(sentence)}\n`);
};

const asPrepressError = (error: unknown): PrepressError => {
  const known = asKnownError(error);
  if (known instanceof PrepressError) return known;
  const { code, syscall } = known as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) return unexpected(known);
  if (syscall === 'uv_cwd') {
    return new PrepressError('FILE_FAILED', 'The working folder is gone.', { cause: known });
  }
  const ofDisk = asDiskError(known, FILE_FAILED);
  return ofDisk instanceof PrepressError ? ofDisk : unexpected(known);
};

const unexpected = (cause: unknown): PrepressError => {
  const reason = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
  return new PrepressError('INTERNAL', `Something went wrong.\n${reason}`, { cause });
};

const DETAILS_MAX = 50;
const LINE_UNITS_MAX = 300;

/** An id of any text may be long. */
const plainText = (text: string): string => toPrintable(text).slice(0, LINE_UNITS_MAX);

const detailLines = (details: unknown): string[] => {
  if (!Array.isArray(details)) return [];
  const lines = details
    .slice(0, DETAILS_MAX)
    .map((detail) => plainText(Object.values(detail).join(' ')));
  const more = details.length - lines.length;
  return more > 0 ? [...lines, `and ${more} more`] : lines;
};
