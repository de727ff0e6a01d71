// The server's log on standard error (standard output belongs to the command line): JSON lines, or lines for people. What the
// request log never writes is censored here once more, should an error carry it. A line that cannot be
// written is dropped: a full disk below the log ends neither the server nor its work.
import pino, { type DestinationStream, type Logger } from 'pino';
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
      // pino adds the messages of causes, which a sentence of the catalogue has already; `stack` names them.
      serializers: {
        err: (error: Error) => ({ ...pino.stdSerializers.err(error), message: error.message }),
      },
      // Sentences of libraries may quote the address of a request, whose query may hold a key.
      hooks: {
        streamWrite: (line) =>
          line.includes('"err":') ? line.replace(KEY_IN_QUERY, '$1[secret]') : line,
      },
    },
    destination,
  );

const KEY_IN_QUERY = /([?&;](?:key|token)=)[^&;"'\s\\]+/gi;
