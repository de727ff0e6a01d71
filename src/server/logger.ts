// The server's log: JSON lines on standard error (standard output belongs to the command line). What the
// request log never writes is censored here once more, should an error carry it.
import pino, { type DestinationStream, type Logger } from 'pino';

const SECRET_PATHS = ['authorization', 'cookie', 'key', 'secret', 'token', 'email', 'body'].flatMap(
  (name) => [name, `*.${name}`, `*.*.${name}`],
);

export const createLogger = (
  level: string,
  destination: DestinationStream = pino.destination(2),
): Logger =>
  pino(
    {
      level,
      base: null,
      redact: { paths: SECRET_PATHS },
      // Sentences of libraries may quote the address of a request, whose query may hold a key.
      hooks: {
        streamWrite: (line) =>
          line.includes('"err":') ? line.replace(KEY_IN_QUERY, '$1[secret]') : line,
      },
    },
    destination,
  );

const KEY_IN_QUERY = /([?&;](?:key|token)=)[^&;"'\s\\]+/gi;
