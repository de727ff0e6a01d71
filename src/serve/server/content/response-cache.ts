// Answers of the content tree, kept whole for the next request of the same address: it runs no router, hooks or key check.
// The invariant: a kept answer is given only while neither the tree nor the database has changed since it was made, and not
// for over a second, so it is what these would have answered. Anything but a plain GET goes the long way.
import type {
  IncomingHttpHeaders,
  IncomingMessage,
  OutgoingHttpHeader,
  OutgoingHttpHeaders,
} from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Encoding } from '../../../content/paths/sidecars.ts';
import { countHosts, splitUrl } from '../addresses.ts';
import type { Exchange } from '../connections/connection.ts';
import { inPieces, isLong } from '../connections/pieces.ts';
import type { ResponseBuffers } from '../connections/response-buffers.ts';
import { loggedPath } from '../log/request-log.ts';
import { acceptedEncoding } from './accepted-encoding.ts';
import { STALE_FIELD } from './content-headers.ts';

export type ResponseCache = {
  /** What tree and database are like now: to be asked before an answer is made. */
  readonly version: () => string;
  /** Answers a request from what was kept; false: nothing fits, or memory has no room for it. */
  readonly give: (exchange: Exchange, memory: ResponseBuffers) => boolean;
  /** Keeps a 200 with its body, for requests of the same address that take the same encoding. */
  readonly keep: (asked: Asked, made: Made) => void;
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
  /** Names and values alternate: Node.js takes them faster than an object. */
  readonly headers: readonly OutgoingHttpHeader[];
  readonly body: Buffer;
};

type Made = {
  readonly version: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
};

const AGE_MAX_MS = 1_000;
const ANSWERS_MAX = 10_000;
/** What a second needs: whatever is older is not given. */
const BYTES_MAX = 4 * 1024 * 1024;
/** The body of an answer that was asked for once: it is kept from the second time on. */
const ASKED_ONCE = Buffer.alloc(0);
const URL_CHARACTERS_MAX = 2_048;
/** Requests with one of these may get another answer. */
const DECIDING_HEADERS = ['if-none-match', 'expect', 'upgrade', STALE_FIELD] as const;

/** Addresses are kept too, and may be long. */
const costOf = ({ body }: Answer, key: string): number => key.length + body.length;

export const createResponseCache = (options: Options): ResponseCache => {
  const answers = new LRUCache<string, Answer>({
    max: ANSWERS_MAX,
    maxSize: BYTES_MAX,
    sizeCalculation: costOf,
  });
  const keyOf = ({ url, headers }: Asked): string =>
    `${acceptedEncoding(headers['accept-encoding'], options.encodings) ?? ''}${url}`;
  const find = (request: IncomingMessage): Answer | null => {
    const { url = '', headers } = request;
    const key = keyOf({ url, headers });
    const answer = request.method === 'GET' ? answers.get(key) : undefined;
    if (answer === undefined) return null;
    const isCurrent =
      performance.now() - answer.keptAt < AGE_MAX_MS && answer.version === options.version();
    if (!isCurrent) answers.delete(key);
    const isPlain =
      countHosts(request.rawHeaders) === 1 &&
      DECIDING_HEADERS.every((name) => headers[name] === undefined);
    return isCurrent && isPlain && answer.body.length > 0 ? answer : null;
  };
  return {
    version: options.version,
    give: (exchange, memory) => {
      const answer = find(exchange.request);
      if (answer === null || !memory.hold(exchange.response, answer.body)) return false;
      send(answer, exchange, options);
      return true;
    },
    keep: (asked, { version, headers, body }) => {
      if (asked.url.length > URL_CHARACTERS_MAX) return;
      const others = Object.entries(headers).filter(([name]) => name !== 'x-request-id');
      const flat = others.flatMap(([name, value]) => (value === undefined ? [] : [name, value]));
      const key = keyOf(asked);
      const kept = answers.has(key) ? body : ASKED_ONCE;
      answers.set(key, { version, headers: flat, body: kept, keptAt: performance.now() });
    },
  };
};

const send = (
  { headers, body }: Answer,
  { request, response }: Exchange,
  options: Options,
): void => {
  const id = options.requestId(request.headers['x-request-id']);
  response.writeHead(200, [...headers, 'x-request-id', id]);
  if (isLong(body)) inPieces(body).pipe(response);
  else response.end(body);
  if (options.logger === undefined) return;
  const { path } = splitUrl(request.url ?? '/');
  const facts = { reqId: id, method: request.method, path: loggedPath(path), status: 200, ms: 0 };
  options.logger.info(facts, 'request');
};
