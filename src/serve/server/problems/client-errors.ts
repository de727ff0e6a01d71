// Answers requests that are no HTTP, come too slowly or have too large a head: the parser gives up before
// any route is reached, so the answer is written to the connection, in the same nine keys, after the answers
// that are under way there.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Problem, problemBody } from './problem.ts';

const PROBLEMS: Readonly<Record<string, Problem & { readonly reason: string }>> = {
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    reason: 'Request Timeout',
    type: 'RequestTimeoutError',
    message: 'The request did not arrive in time.',
  },
  HPE_HEADER_OVERFLOW: {
    status: 431,
    reason: 'Request Header Fields Too Large',
    type: 'BadRequestError',
    message: 'The address or the headers of the request are too large.',
  },
};

const UNREADABLE = {
  status: 400,
  reason: 'Bad Request',
  type: 'BadRequestError',
  message: 'The request cannot be understood.',
} as const;

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
  takeLast(socket, () => answer(socket, PROBLEMS[error.code ?? ''] ?? UNREADABLE));
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

const EXPECTATION = {
  status: 417,
  reason: 'Expectation Failed',
  type: 'BadRequestError',
  message: 'The request expects something that is not done here.',
} as const;

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
