// Answers of the content tree, kept whole for the next request of the same address: it is answered before
// the router, hooks and key check of the server run again. The invariant: a kept answer is given only while
// neither the tree nor the database has changed since it was made, and not for over a second, so it is what
// these would have answered. Anything but a plain GET goes the long way.
import type { IncomingMessage, OutgoingHttpHeaders, Server, ServerResponse } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import { splitUrl } from '../addresses.ts';
import { loggedPath } from '../request-log.ts';

export type AnswerCache = {
  /** What tree and database are like now: to be asked before an answer is made. */
  readonly version: () => string;
  /** Keeps a 200 with its body, under the address as it was sent. */
  readonly keep: (url: string, answer: Pick<Answer, 'version' | 'headers' | 'body'>) => void;
};

type Options = {
  /** Another text once the tree or the database has changed. */
  readonly version: () => string;
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
  const drop = (url: string): void => {
    bytes -= answers.get(url)?.body.length ?? 0;
    answers.delete(url);
  };
  const find = (request: IncomingMessage): Answer | null => {
    const { url = '' } = request;
    const answer = request.method === 'GET' ? answers.get(url) : undefined;
    if (answer === undefined) return null;
    const isCurrent =
      performance.now() - answer.keptAt < AGE_MAX_MS && answer.version === options.version();
    if (!isCurrent) drop(url);
    const isPlain =
      request.headers.host !== undefined &&
      DECIDING_HEADERS.every((name) => request.headers[name] === undefined);
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
    keep: (url, answer) => {
      if (url.length > URL_CHARACTERS_MAX) return;
      drop(url);
      answers.set(url, { ...answer, keptAt: performance.now() });
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
