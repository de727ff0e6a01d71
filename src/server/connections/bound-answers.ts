// Bounds what clients can make the server hold: connections, answers under way, their memory and their files.
// Clients that do not send or read are ended, the longest inactive first, as soon as others need their place.
// The invariant: a new connection is always let in, and /health, the admin interface and build hooks wait for
// no answer of content.
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { rewriteTarget, splitUrl } from '../addresses.ts';
import type { Problem } from '../problem.ts';
import { createAdmission } from './admission.ts';
import type { AnswerLimits } from './answer-limits.ts';
import { type AnswerMemory, createAnswerMemory } from './answer-memory.ts';
import { cappedAddress, type TrustProxy } from './client-address.ts';
import {
  type Connection,
  type Exchange,
  isUnread,
  isWaitingForClient,
  observe,
} from './connection.ts';
import { createPace, type Pace } from './pace.ts';
import { createTurns, type Turns } from './turns.ts';

export type AnswerBounds = {
  readonly memory: AnswerMemory;
  /** Of the chunks of all streams together. */
  readonly chunkPace: Pace<() => void>;
  /** Why a request is not to be answered; undefined: it is. */
  readonly findRefusal: (request: IncomingMessage) => Problem | undefined;
  /** Sends a last message on a connection, after the answers that are under way. */
  readonly takeLast: Turns['takeLast'];
  /** Looks at all connections; the timer does that twice a second. */
  readonly sweep: () => void;
};

type Options = {
  readonly limits: AnswerLimits;
  readonly basePath: string;
  readonly isTrusted: TrustProxy;
  /** Answers without the router; false: it cannot. */
  readonly answerKept: (exchange: Exchange, memory: AnswerMemory) => boolean;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
};

const ANSWERS_PER_TURN = 32;
const CHUNKS_PER_TURN = 4;
const SWEEP_MS = 500;
/** A client that takes nothing of its answer for so long is ended. */
export const UNREAD_MS = 20_000;
/** The same while other requests wait. */
export const UNREAD_CROWDED_MS = 1_000;
/** An answer that finds no room for so long is refused. */
export const WAIT_MS = 5_000;

/** Call it once the server has its request listeners, which then receive one request of a connection at a time. */
export const boundAnswers = (server: Server, options: Options): AnswerBounds => {
  const { limits, basePath, isTrusted, answerKept, now = () => performance.now() } = options;
  const memory = createAnswerMemory(limits.answerBytesMax);
  const refusals = new WeakMap<IncomingMessage, Problem>();
  const listeners = server.listeners('request');
  const route = ({ request, response }: Exchange): void => {
    for (const listener of listeners) listener.call(server, request, response);
  };
  const admission = createAdmission({
    ...limits,
    now,
    begin: (exchange) => {
      if (!answerKept(exchange, memory)) route(exchange);
    },
    refuse: (exchange, problem) => {
      refusals.set(exchange.request, problem);
      route(exchange);
    },
  });
  const paces = {
    content: createPace<Exchange>(ANSWERS_PER_TURN, (exchange) => {
      const { request, response } = exchange;
      if (!response.destroyed) admission.enter(exchange, cappedAddress(request, isTrusted));
    }),
    others: createPace<Exchange>(ANSWERS_PER_TURN, (exchange) => {
      if (!exchange.response.destroyed) route(exchange);
    }),
    chunks: createPace<() => void>(CHUNKS_PER_TURN, (send) => send()),
  };
  const turns = createTurns({
    now,
    begin: (exchange) => {
      const isOther = keepsRoom(exchange.request.url ?? '/', basePath);
      (isOther ? paces.others : paces.content).take(exchange);
    },
    end: (exchange) => {
      admission.leave(exchange);
      memory.leave(exchange.response);
    },
  });
  server.removeAllListeners('request');
  server.on('request', (request, response) => turns.take({ request, response, address: null }));
  server.on('connection', (socket: Socket) => {
    for (const pace of Object.values(paces)) pace.shorten();
    const connection = turns.add(socket);
    const isOver = turns.connections.size > limits.connectionsMax;
    const oldest = isOver ? findOldest(turns, connection) : null;
    if (oldest !== null) turns.end(oldest);
  });
  const sweep = (): void => {
    const nowMs = now();
    for (const connection of turns.connections.values()) {
      observe(connection, nowMs);
      if (isUnread(connection) && connection.sinceMs < nowMs - UNREAD_MS) turns.end(connection);
    }
    admission.refuseOlder(nowMs - WAIT_MS);
    const wishes = [
      ...admission.wishes(),
      ...Array.from({ length: memory.takeRefusals() }, () => admission.isUnderWay),
    ];
    if (wishes.length === 0) return;
    const inactive = findInactive(turns, nowMs - UNREAD_CROWDED_MS);
    for (const isWished of wishes) {
      const at = inactive.findIndex(({ current }) => current !== null && isWished(current));
      if (at !== -1) inactive.splice(at, 1).forEach(turns.end);
    }
  };
  const sweeping = setInterval(sweep, SWEEP_MS).unref();
  server.on('close', () => clearInterval(sweeping));
  return {
    memory,
    chunkPace: paces.chunks,
    findRefusal: (request) => refusals.get(request),
    takeLast: turns.takeLast,
    sweep,
  };
};

/** Addresses outside of the caps: their answers are small, or need an admin key. */
const keepsRoom = (url: string, basePath: string): boolean => {
  if (url.startsWith(`${basePath}/content/`)) return false;
  const { path } = splitUrl(rewriteTarget(url, basePath));
  return (
    path === '/health' ||
    path.startsWith(`${basePath}/admin/`) ||
    path.startsWith(`${basePath}/hooks/`)
  );
};

/** The connection that ends for `newest`: one whose client is waited for, if there is one. */
const findOldest = ({ connections }: Turns, newest: Connection): Connection | null => {
  let oldest: Connection | null = null;
  for (const connection of connections.values()) {
    if (connection !== newest && (oldest === null || endsBefore(connection, oldest))) {
      oldest = connection;
    }
  }
  return oldest;
};

const endsBefore = (one: Connection, other: Connection): boolean => {
  const isInactive = isWaitingForClient(one);
  return isInactive === isWaitingForClient(other) ? byAge(one, other) < 0 : isInactive;
};

/** Connections whose client has neither sent nor read since `beforeMs`, the oldest first. */
const findInactive = ({ connections }: Turns, beforeMs: number): Connection[] =>
  [...connections.values()]
    .filter((connection) => isWaitingForClient(connection) && connection.sinceMs < beforeMs)
    .sort(byAge);

const byAge = (one: Connection, other: Connection): number => one.sinceMs - other.sinceMs;
