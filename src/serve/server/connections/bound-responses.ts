// Bounds what clients can make the server hold: connections, answers under way, their memory and their files. Who does not
// send or read is ended when others need the place, and so is who sends many requests at once. The invariant: a new
// connection is always let in, and /health, the admin interface and build hooks wait for no answer of content.
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { UNREAD_MS_MAX } from '../../../base/limits.ts';
import { rewriteTarget, splitUrl } from '../addresses.ts';
import type { Problem } from '../problems/problems.ts';
import { type Admission, createAdmission } from './admission.ts';
import { cappedAddress, cappedPeer, type TrustProxy } from './client-address.ts';
import {
  type Connection,
  type Exchange,
  hasSentMore,
  isUnread,
  isWaitingForClient,
  observe,
} from './connection.ts';
import { createPace, type Pace } from './pace.ts';
import { createRequestQueues, type RequestQueues } from './request-queues.ts';
import { isOverdue } from './request-time.ts';
import { createResponseBuffers, type ResponseBuffers } from './response-buffers.ts';
import type { ResponseLimits } from './response-limits.ts';

export type ResponseBounds = {
  readonly memory: ResponseBuffers;
  /** Counts the body of a request that is about to be read; false: there is no room for it. */
  readonly holdRequest: (
    exchange: Pick<Exchange, 'request' | 'response'>,
    bytesMax: number,
  ) => boolean;
  /** Of the chunks of all streams together. */
  readonly chunkPace: Pace<() => void>;
  /** Why a request is not to be answered; undefined: it is. */
  readonly findRefusal: (request: IncomingMessage) => Problem | undefined;
  /** Sends a last message on a connection, after the answers that are under way. */
  readonly takeLast: RequestQueues['takeLast'];
  /** From now on ends connections without a request, and before long those whose client is waited for. */
  readonly beginClosing: () => void;
  /** Looks at all connections; the timer does that twice a second. */
  readonly sweep: () => void;
};

type Options = {
  readonly limits: ResponseLimits;
  readonly basePath: string;
  readonly isTrusted: TrustProxy;
  /** Answers without the router; false: it cannot. */
  readonly answerKept: (exchange: Exchange, memory: ResponseBuffers) => boolean;
  /** The address of a connection's client; another one only in tests. */
  readonly addressOf?: (socket: Socket) => string | null;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
};

const ANSWERS_PER_TICK = 32;
/** Each may read the whole of a list from the database. */
const ADMIN_ANSWERS_PER_TICK = 1;
const CHUNKS_PER_TICK = 4;
/** What the bodies of all requests under way may take together. */
const REQUESTS_BYTES_MAX = 64 * 1024 * 1024;
const SWEEP_MS = 500;
/** The same while other requests have waited for their answers for so long. */
export const UNREAD_CROWDED_MS = 1_000;
/** A new connection that sends no request for so long may be ended for another one. */
const SENDING_MS = 1_000;
/** A client that is waited for has so long when the server closes. */
const CLOSING_MS = 10_000;
/** An answer that finds no room for so long is refused. */
export const WAIT_MS = 5_000;

/** Call it once the server has its request listeners, which then receive one request of a connection at a time. */
export const boundResponses = (server: Server, options: Options): ResponseBounds => {
  const { limits, basePath, isTrusted, answerKept, now = () => performance.now() } = options;
  const { addressOf = ({ remoteAddress = '' }) => cappedPeer(remoteAddress, isTrusted) } = options;
  const memory = createResponseBuffers(limits.answerBytesMax);
  const requests = createResponseBuffers(REQUESTS_BYTES_MAX);
  const refusals = new WeakMap<IncomingMessage, Problem>();
  const listeners = server.listeners('request');
  const route = ({ request, response }: Exchange): void => {
    for (const listener of listeners) listener.call(server, request, response);
  };
  const admission = createAdmission({
    ...limits,
    now,
    begin: (exchange) => {
      exchange.isQueued = false;
      if (!answerKept(exchange, memory)) route(exchange);
    },
    refuse: (exchange, problem) => {
      exchange.isQueued = false;
      refusals.set(exchange.request, problem);
      route(exchange);
    },
  });
  const routeOpen = (exchange: Exchange): void => {
    if (!exchange.response.destroyed) route(exchange);
  };
  const paces = {
    content: createPace<Exchange>(ANSWERS_PER_TICK, (exchange) => {
      const { request, response } = exchange;
      if (!response.destroyed) admission.enter(exchange, cappedAddress(request, isTrusted));
    }),
    admin: createPace<Exchange>(ADMIN_ANSWERS_PER_TICK, routeOpen),
    health: createPace<Exchange>(ANSWERS_PER_TICK, routeOpen),
    chunks: createPace<() => void>(CHUNKS_PER_TICK, (send) => send()),
  };
  const queues = createRequestQueues({
    now,
    begin: (exchange) => {
      const kind = kindOf(exchange.request.url ?? '/', basePath);
      exchange.isQueued = kind === 'content';
      paces[kind].take(exchange);
    },
    end: (exchange) => {
      admission.leave(exchange);
      memory.leave(exchange.response);
      requests.leave(exchange.response);
    },
  });
  server.removeAllListeners('request');
  server.on('request', (request, response) =>
    queues.take({ request, response, address: null, isQueued: false }),
  );
  server.on('connection', (socket: Socket) => {
    for (const pace of Object.values(paces)) pace.leaveTick();
    const address = addressOf(socket);
    const connection = queues.add(socket, address);
    const isOverShare =
      address !== null && queues.countOf(address) > limits.connectionsPerAddressMax;
    if (!isOverShare && queues.connections.size <= limits.connectionsMax) return;
    const all = [...queues.connections.values()].filter((one) => one !== connection);
    // Who takes more than a share makes room alone.
    const places = isOverShare ? all.filter((one) => one.address === address) : all;
    const oldest = findOldest(places, now());
    if (oldest !== null) queues.end(oldest);
  });
  let closingMs = Number.POSITIVE_INFINITY;
  const sweep = (): void => {
    endForClosing(queues, now() - closingMs);
    endOverdue(server, queues, now());
    sweepConnections({ queues, admission, memory }, now());
  };
  const sweeping = setInterval(sweep, SWEEP_MS).unref();
  server.on('close', () => clearInterval(sweeping));
  return {
    memory,
    holdRequest: ({ request, response }, bytesMax) =>
      requests.holdRequest(response, Math.min(bodyBytesOf(request), bytesMax)),
    chunkPace: paces.chunks,
    findRefusal: (request) => refusals.get(request),
    takeLast: queues.takeLast,
    beginClosing: () => {
      closingMs = now();
      sweep();
    },
    sweep,
  };
};

type Swept = {
  readonly queues: RequestQueues;
  readonly admission: Admission;
  readonly memory: ResponseBuffers;
};

/** Node.js waits for connections that have sent no request, or half of one. */
const endForClosing = (queues: RequestQueues, closingForMs: number): void => {
  if (closingForMs < 0) return;
  for (const connection of queues.connections.values()) {
    const isDone = connection.current === null;
    const hasTime = closingForMs < CLOSING_MS || !isWaitingForClient(connection);
    if (isDone || !hasTime) queues.end(connection);
  }
};

/** As Node.js does: whoever answers its other faults of clients answers this one. */
const endOverdue = (server: Server, { connections }: RequestQueues, nowMs: number): void => {
  for (const connection of connections.values()) {
    if (!isOverdue(connection, nowMs)) continue;
    const { socket } = connection;
    const fault = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    if (!server.emit('clientError', fault, socket)) socket.destroy();
  }
};

/** Ends connections of clients that read too slowly, and refuses what has waited too long. */
const sweepConnections = ({ queues, admission, memory }: Swept, nowMs: number): void => {
  for (const connection of queues.connections.values()) {
    observe(connection, nowMs);
    if (isUnread(connection) && connection.sinceMs < nowMs - UNREAD_MS_MAX) queues.end(connection);
  }
  admission.refuseOlder(nowMs - WAIT_MS);
  const forMemory = { isFor: admission.isUnderWay, limit: 0 };
  const wishes = [
    ...admission.wishes(nowMs - UNREAD_CROWDED_MS),
    ...Array.from({ length: memory.takeRefusals() }, () => forMemory),
  ];
  if (wishes.length === 0) return;
  const inactive = findInactive(queues, nowMs - UNREAD_CROWDED_MS);
  for (const { isFor, limit } of wishes) {
    const found = inactive.filter(({ current }) => current !== null && isFor(current));
    const [oldest] = found;
    // While most are read, the others are not what is waited for.
    if (oldest === undefined || found.length * 2 < limit) continue;
    inactive.splice(inactive.indexOf(oldest), 1);
    queues.end(oldest);
  }
};

/** What a body says that it has; that of a GET has nothing. */
const bodyBytesOf = ({ headers }: IncomingMessage): number => {
  const isLong = headers['transfer-encoding'] !== undefined;
  return isLong ? Number.POSITIVE_INFINITY : Number(headers['content-length'] ?? 0);
};

/** What is not content is not capped: its answers are small, or need an admin key. */
const kindOf = (url: string, basePath: string): 'content' | 'admin' | 'health' => {
  if (url.startsWith(`${basePath}/content/`)) return 'content';
  const { path } = splitUrl(rewriteTarget(url, basePath));
  if (path === '/health') return 'health';
  const isAdmin = [`${basePath}/admin/`, `${basePath}/hooks/`].some((start) =>
    path.startsWith(start),
  );
  return isAdmin ? 'admin' : 'content';
};

const findOldest = (connections: readonly Connection[], nowMs: number): Connection | null => {
  let found: { readonly connection: Connection; readonly rank: number } | null = null;
  for (const connection of connections) {
    observe(connection, nowMs);
    const rank = rankOf(connection, nowMs - SENDING_MS);
    const isBefore =
      found === null ||
      rank < found.rank ||
      (rank === found.rank && byAge(connection, found.connection) < 0);
    if (isBefore) found = { connection, rank };
  }
  return found?.connection ?? null;
};

/**
 * Which connections end first: idle ones; those whose client takes or sends too little; those that have sent more
 * requests than one; those that wait for others' answers; those that are about to send their request; the others.
 */
const rankOf = (connection: Connection, sendingSinceMs: number): number => {
  const isClients = isWaitingForClient(connection);
  if (isClients && connection.sinceMs < sendingSinceMs) return connection.current === null ? 0 : 1;
  if (hasSentMore(connection)) return 2;
  if (connection.current?.isQueued === true) return 3;
  return isClients && connection.movedBytes === 0 ? 4 : 5;
};

/** Connections whose client has neither sent nor read since `beforeMs`, the oldest first. */
const findInactive = ({ connections }: RequestQueues, beforeMs: number): Connection[] =>
  [...connections.values()]
    .filter((connection) => isWaitingForClient(connection) && connection.sinceMs < beforeMs)
    .sort(byAge);

const byAge = (one: Connection, other: Connection): number => one.sinceMs - other.sinceMs;
