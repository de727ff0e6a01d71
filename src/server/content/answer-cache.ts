// Answers of the content tree, kept whole for the next request of the same address: it is answered before
// the router, hooks and key check of the server run again. The invariant: a kept answer is given only while
// neither the tree nor the database has changed since it was made, and not for over a second, so it is what
// these would have answered. Anything but a plain GET goes the long way.
import type {
  IncomingHttpHeaders,
  IncomingMessage,
  OutgoingHttpHeaders,
  Server,
  ServerResponse,
} from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import type { Encoding } from '../../paths/sidecars.ts';
import { splitUrl } from '../addresses.ts';
import { loggedPath } from '../request-log.ts';
import { acceptedEncoding } from './accepted-encoding.ts';

export type AnswerCache = {
  /** What tree and database are like now: to be asked before an answer is made. */
  readonly version: () => string;
  /** Keeps a 200 with its body, for requests of the same address that take the same encoding. */
  readonly keep: (asked: Asked, answer: Pick<Answer, 'version' | 'headers' | 'body'>) => void;
};

type Asked = {
  /** As it was sent. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
};

type Options = {
  /** Another text once the tree or the database has changed. */
  readonly version: () => string;
  /** Those that documents are sent in. */
  readonly encodings: readonly Encoding[];
  readonly requestId: (given: string | string[] | undefined) => string;
  /** Told of each request; undefined when requests are not logged. */
  readonly logger: FastifyBaseLogger | undefined;
};

type Answer = {
  readonly version: string;
  readonly keptAt: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
};

const AGE_MAX_MS = 1_000;
const ANSWERS_MAX = 10_000;
const BYTES_MAX = 32 * 1024 * 1024;
/** Addresses are kept too, and may be long. */
const URL_CHARACTERS_MAX = 2_048;
/** Requests with one of these may get another answer. */
const DECIDING_HEADERS = ['if-none-match', 'expect', 'upgrade'] as const;

/** Answers requests of `server` from what was kept, all others as before. */
export const createAnswerCache = (server: Server, options: Options): AnswerCache => {
  const answers = new Map<string, Answer>();
  let bytes = 0;
  const keyOf = ({ url, headers }: Asked): string =>
    `${acceptedEncoding(headers['accept-encoding'], options.encodings) ?? ''}${url}`;
  const drop = (key: string): void => {
    bytes -= answers.get(key)?.body.length ?? 0;
    answers.delete(key);
  };
  const find = (request: IncomingMessage): Answer | null => {
    const { url = '', headers } = request;
    const key = keyOf({ url, headers });
    const answer = request.method === 'GET' ? answers.get(key) : undefined;
    if (answer === undefined) return null;
    const isCurrent =
      performance.now() - answer.keptAt < AGE_MAX_MS && answer.version === options.version();
    if (!isCurrent) drop(key);
    const isPlain =
      headers.host !== undefined && DECIDING_HEADERS.every((name) => headers[name] === undefined);
    return isCurrent && isPlain ? answer : null;
  };
  const others = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const answer = find(request);
    if (answer !== null) give(answer, { request, response, options });
    else for (const listener of others) listener.call(server, request, response);
  });
  return {
    version: options.version,
    keep: (asked, answer) => {
      if (asked.url.length > URL_CHARACTERS_MAX) return;
      const key = keyOf(asked);
      drop(key);
      answers.set(key, { ...answer, keptAt: performance.now() });
      bytes += answer.body.length;
      for (const oldest of answers.keys()) {
        if (bytes <= BYTES_MAX && answers.size <= ANSWERS_MAX) break;
        drop(oldest);
      }
    },
  };
};

type Exchange = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly options: Options;
};

const give = ({ headers, body }: Answer, { request, response, options }: Exchange): void => {
  const id = options.requestId(request.headers['x-request-id']);
  response.writeHead(200, { ...headers, 'x-request-id': id });
  response.end(body);
  if (options.logger === undefined) return;
  const { path } = splitUrl(request.url ?? '/');
  const facts = { reqId: id, method: request.method, path: loggedPath(path), status: 200, ms: 0 };
  options.logger.info(facts, 'request');
};
