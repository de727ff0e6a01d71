// The server's log on standard error (standard output belongs to the command line): JSON lines, or lines for people. What the
// request log never writes is censored here once more, should an error carry it. A line that cannot be
// written is dropped: a full disk below the log ends neither the server nor its work.
import pino, { type DestinationStream, type Logger } from 'pino';
import { codeOf } from '../../../base/error-code.ts';
import { PrepressError } from '../../../base/errors.ts';
import { asDiskError, FILE_FAILED } from '../../../base/files/disk-error.ts';
import { asKnownError } from '../../../base/sqlite/database-fault.ts';
import { readableLine } from './readable-log.ts';

const SECRET_PATHS = ['authorization', 'cookie', 'key', 'secret', 'token', 'email', 'body'].flatMap(
  (name) => [name, `*.${name}`, `*.*.${name}`],
);

/** What waits for a reader that does not read is kept up to this. */
const WAITING_BYTES_MAX = 1_000_000;

/** Errors of the stream are left to whoever runs the process; main.ts lets them pass. */
const standardError: DestinationStream = {
  write: (line) => {
    if (process.stderr.writableLength < WAITING_BYTES_MAX) process.stderr.write(line);
  },
};

/** Lines for a terminal; `beforeLine` makes room for one. */
export const toReadable = (
  beforeLine: () => void,
  destination: DestinationStream = standardError,
): DestinationStream => ({
  write: (line) => {
    beforeLine();
    destination.write(readableLine(line));
  },
});

export const createLogger = (
  level: string,
  destination: DestinationStream = standardError,
): Logger =>
  pino(
    {
      level,
      base: null,
      redact: { paths: SECRET_PATHS },
      serializers: { err: describeError },
      // Sentences of libraries may quote the address of a request, whose query may hold a key.
      hooks: {
        streamWrite: (line) =>
          line.includes('"err":') ? line.replace(KEY_IN_QUERY, '$1[secret]') : line,
      },
    },
    destination,
  );

const KEY_IN_QUERY = /([?&;](?:key|token)=)[^&;"'\s\\]+/gi;

/** An error of a template names each of its pages. */
const STACK_UNITS_MAX = 8_000;

const DISK_CODES: readonly unknown[] = ['EACCES', 'EDQUOT', 'ENOSPC', 'EPERM', 'EROFS'];

/** As by commands: a fault of the database or of a disk is one of the catalogue, which needs no words of its cause. */
const describeError = (error: unknown): unknown => {
  const known = asKnownError(error);
  const isOfDisk = known instanceof Error && 'code' in known && DISK_CODES.includes(known.code);
  const said = isOfDisk ? asDiskError(known, FILE_FAILED) : known;
  if (!(said instanceof Error)) return said;
  const { stack, ...shown } = pino.stdSerializers.err(said);
  const place = { stack: stack.slice(0, STACK_UNITS_MAX) };
  if (!(said instanceof PrepressError)) return { ...shown, ...place };
  // One of the catalogue that rests on no other error, or on a fault of the machine, says all there is to know.
  const isPlaced = said.cause !== undefined && !OF_MACHINE.test(codeOf(said.cause));
  return { ...shown, message: said.message, ...(isPlaced && place) };
};

const OF_MACHINE = /^(?:SQLITE_(?:BUSY|FULL|READONLY|CANTOPEN|PERM)|E[A-Z]+$)/;
