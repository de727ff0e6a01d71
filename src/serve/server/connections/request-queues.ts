// Requests of one connection are answered one after the other: whatever a client pipelines, the next begins when the answer
// before it was handed to the system, and nothing more is read until then. The invariant: an answer is begun only when the
// connection is its own, so whatever it opens ends with the response's 'close'.
import type { Socket } from 'node:net';
import { REQUESTS_WAITING_MAX } from '../../../base/limits.ts';
import { type Connection, createConnection, type Exchange, type QueuedStep } from './connection.ts';
import { feed, feedInParts } from './feed-in-parts.ts';

export type RequestQueues = {
  readonly connections: ReadonlyMap<Socket, Connection>;
  /** Follows a new connection, to which Node.js listens already, until it closes. */
  readonly add: (socket: Socket, address: string | null) => Connection;
  /** How many connections of a client there are. */
  readonly countOf: (address: string) => number;
  /** Begins to answer, now or when the connection has answered what came before. */
  readonly take: (exchange: Exchange) => void;
  /** Sends a last message when the connection has answered what came before. */
  readonly takeLast: (socket: Socket, say: () => void) => void;
  /** Ends a connection, whatever it is doing. */
  readonly end: (connection: Connection) => void;
};

type Options = {
  readonly begin: (exchange: Exchange) => void;
  /** The answer was handed over, or its connection closed. */
  readonly end: (exchange: Exchange) => void;
  readonly now: () => number;
};

export const createRequestQueues = ({ begin, end, now }: Options): RequestQueues => {
  const connections = new Map<Socket, Connection>();
  const counts = new Map<string, number>();
  const count = (address: string | null, by: number): void => {
    if (address === null) return;
    const sum = (counts.get(address) ?? 0) + by;
    if (sum === 0) counts.delete(address);
    else counts.set(address, sum);
  };
  const forget = (connection: Connection): void => {
    if (!connections.delete(connection.socket)) return;
    count(connection.address, -1);
    connection.waiting.length = 0;
  };
  const endNow = (connection: Connection): void => {
    forget(connection);
    // By a reset the system gives up, too, what the client has not read.
    if (connection.current === null) connection.socket.destroy();
    else connection.socket.resetAndDestroy();
  };
  const answer = (connection: Connection, exchange: Exchange): void => {
    // The connection ends with an earlier answer: this one would never be sent.
    if (exchange.response.socket === null) return;
    connection.current = exchange;
    connection.request = exchange.request;
    connection.sinceMs = now();
    connection.askedMs = connection.sinceMs;
    exchange.response.on('close', () => {
      connection.current = null;
      connection.sinceMs = now();
      end(exchange);
      runNext(connection);
    });
    begin(exchange);
  };
  const run = (connection: Connection, step: QueuedStep): void => {
    if (typeof step !== 'function') answer(connection, step);
    else {
      connection.isEnding = true;
      step();
    }
  };
  const runNext = (connection: Connection): void => {
    const step = connection.waiting.shift();
    if (step !== undefined) run(connection, step);
    feed(connection);
  };
  const wait = (connection: Connection, step: QueuedStep): void => {
    connection.waiting.push(step);
    if (connection.waiting.length > REQUESTS_WAITING_MAX) endNow(connection);
  };
  const enter = (connection: Connection, step: QueuedStep): void => {
    if (connection.isEnding) return;
    if (connection.current === null) run(connection, step);
    else wait(connection, step);
  };
  return {
    connections,
    countOf: (address) => counts.get(address) ?? 0,
    add: (socket, address) => {
      const connection = createConnection(socket, address, now());
      connections.set(socket, connection);
      count(address, 1);
      feedInParts(connection);
      // Of a tunnel (CONNECT), Node.js leaves the faults to others; the stream ends by itself.
      socket.on('error', () => undefined);
      socket.on('close', () => forget(connection));
      return connection;
    },
    take: (exchange) => {
      const connection = connections.get(exchange.request.socket);
      if (connection !== undefined) enter(connection, exchange);
    },
    takeLast: (socket, say) => {
      const connection = connections.get(socket);
      const { request, response } = connection?.current ?? {};
      if (connection === undefined) say();
      else if (request?.complete !== false) enter(connection, say);
      // The rest of the request never comes, and so its answer may not, either.
      else if (response?.headersSent === true) socket.destroy();
      else run(connection, say);
    },
    end: endNow,
  };
};
