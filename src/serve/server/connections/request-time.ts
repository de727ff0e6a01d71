// How long a request may take to arrive. Node.js has one limit for all requests of a server, and an upload needs more than
// others.
import type { IncomingMessage } from 'node:http';
import type { Connection } from './connection.ts';

export const REQUEST_MS_MAX = 30_000;
/** Of a request that brings a file. */
const UPLOAD_MS_MAX = 60 * 60_000;

const uploads = new WeakSet<IncomingMessage>();

/** The request brings a file. */
export const giveTime = (request: IncomingMessage): void => {
  uploads.add(request);
};

/** Whether the rest of the request that is being answered should have come by now. */
export const isOverdue = ({ current, askedMs }: Connection, nowMs: number): boolean => {
  if (current === null || current.request.complete) return false;
  return nowMs - askedMs > (uploads.has(current.request) ? UPLOAD_MS_MAX : REQUEST_MS_MAX);
};
