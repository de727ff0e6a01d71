// The state of one connection: the request that is being answered, those that wait behind it, and since when
// its client has been inactive. It decides nothing and ends nothing.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export type Exchange = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The one that the answer counts for while it is under way; null: none. */
  address: string | null;
  /** It waits behind other answers of content. */
  isQueued: boolean;
};

export type Connection = {
  readonly socket: Socket;
  /** The client's; null: its connections are not counted. */
  readonly address: string | null;
  /** The request that is being answered; null: the connection is idle. */
  current: Exchange | null;
  /** The last one whose answer was begun; the rest of it may still come when that has ended. */
  request: IncomingMessage | null;
  /** When its head had come. */
  askedMs: number;
  /** What comes after the current answer. */
  readonly waiting: QueuedStep[];
  /** Nothing more is answered. */
  isEnding: boolean;
  /** When the client last read or sent something, or last waited for the server. */
  sinceMs: number;
  /** Bytes that the client had sent, and that the system had taken for it, by then. */
  movedBytes: number;
};

/** Another request, or a last message to the client. */
export type QueuedStep = Exchange | (() => void);

/** Fewer bytes are no progress, so a client that trickles counts as one that does not read. */
const PROGRESS_BYTES = 16 * 1024;

export const createConnection = (
  socket: Socket,
  address: string | null,
  nowMs: number,
): Connection => ({
  socket,
  address,
  current: null,
  request: null,
  askedMs: nowMs,
  waiting: [],
  isEnding: false,
  sinceMs: nowMs,
  movedBytes: 0,
});

/** Moves `sinceMs` on where there was progress, or where the client is not what is waited for. */
export const observe = (connection: Connection, nowMs: number): void => {
  if (connection.current === null) return;
  if (!isWaitingForClient(connection)) connection.sinceMs = nowMs;
  const moved = movedBytesOf(connection.socket);
  if (moved - connection.movedBytes < PROGRESS_BYTES) return;
  connection.movedBytes = moved;
  connection.sinceMs = nowMs;
};

/** The client is idle, has not sent its whole request, or does not read its answer. */
export const isWaitingForClient = (connection: Connection): boolean =>
  connection.current === null || isUnread(connection) || !connection.current.request.complete;

/** The system takes no more bytes of the answer, because the client does not. */
export const isUnread = ({ current, socket }: Connection): boolean =>
  current !== null && socket.writableLength > 0;

/** Further requests wait behind the one that is answered, parsed or not. */
export const hasSentMore = ({ current, waiting, socket }: Connection): boolean =>
  waiting.length > 0 || (current?.request.complete === true && socket.readableLength > 0);

/** A write is pending until its end, so long bodies are written in pieces (pieces.ts). */
const movedBytesOf = ({ bytesRead, bytesWritten, writableLength }: Socket): number =>
  bytesRead + bytesWritten - writableLength;
