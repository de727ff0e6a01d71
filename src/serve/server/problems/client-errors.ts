// Answers requests that are no HTTP, come too slowly or have too large a head. The parser gives up before a route is reached,
// so the answer is written to the connection, in the same nine keys, after the answers that are under way there.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { problemBody } from './problem.ts';
import { CLIENT_PROBLEMS, EXPECTATION, type Problem, UNREADABLE } from './problems.ts';

type TakeLast = (socket: Socket, say: () => void) => void;

export const answerClientError = (
  error: Error & { code?: string },
  socket: Socket,
  takeLast: TakeLast,
): void => {
  if (error.code === 'ECONNRESET' || !socket.writable || socket.destroyed) {
    socket.destroy();
    return;
  }
  takeLast(socket, () => answer(socket, CLIENT_PROBLEMS[error.code ?? ''] ?? UNREADABLE));
};

/** What Node.js would answer by itself and without a body: expectations, and tunnels. */
export const answerOddRequests = (server: Server, takeLast: TakeLast): void => {
  server.on('checkExpectation', ({ socket }) =>
    takeLast(socket, () => answer(socket, EXPECTATION)),
  );
  server.on('connect', (_request, socket: Socket) =>
    takeLast(socket, () => answer(socket, UNREADABLE)),
  );
};

const answer = (socket: Duplex, problem: Problem & { readonly reason: string }): void => {
  const body = JSON.stringify(problemBody(problem));
  socket.end(
    [
      `HTTP/1.1 ${problem.status} ${problem.reason}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      'cache-control: no-store',
      'x-content-type-options: nosniff',
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
};
