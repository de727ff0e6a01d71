// How long a request may take to arrive. Node.js has one limit for all requests of a server, and an upload needs more than
// others.
import type { IncomingMessage } from 'node:http';
import { REQUEST_MS_MAX, UPLOAD_MS_MAX } from '../../../base/limits.ts';
import type { Connection } from './connection.ts';

const uploads = new WeakSet<IncomingMessage>();

/** The request brings a file. */
export const giveTime = (request: IncomingMessage): void => {
  uploads.add(request);
};

/** Whether the rest of the last request should have come by now, answered or not. */
export const isOverdue = (connection: Connection, nowMs: number): boolean => {
  const { current, request, askedMs, sinceMs } = connection;
  if (request === null || request.complete) return false;
  if (!uploads.has(request)) return nowMs - askedMs > REQUEST_MS_MAX;
  // Of a file that was refused nothing more is wanted.
  return current === null ? nowMs - sinceMs > REQUEST_MS_MAX : nowMs - askedMs > UPLOAD_MS_MAX;
};
