// Headers that every answer under /content carries, errors and redirects too: any site may read them.
import type { FastifyReply } from 'fastify';
import {
  deprecation,
  type Header,
  PREFLIGHT_HEADERS,
  SHARED_HEADERS,
} from '../../paths/headers.ts';
import { versionIn } from '../addresses.ts';

const fieldsOf = (list: readonly Header[]): Readonly<Record<string, string>> =>
  Object.fromEntries(list.map(([name, value]) => [name.toLowerCase(), value]));

const CONTENT_FIELDS = fieldsOf(SHARED_HEADERS);
export const PREFLIGHT_FIELDS = fieldsOf(PREFLIGHT_HEADERS);

export const setContentHeaders = (reply: FastifyReply, basePath: string): void => {
  reply.headers(CONTENT_FIELDS);
  setDeprecation(reply, basePath);
};

/** Tells clients that name a version in the address that this is deprecated (facts 4.3). */
export const setDeprecation = (reply: FastifyReply, basePath: string): void => {
  const version = versionIn(reply.request.originalUrl, basePath);
  if (version !== null) reply.header(...deprecation(version));
};
