// Headers that every answer under /content carries, errors and redirects too: any site may read them.
import type { FastifyReply } from 'fastify';
import { versionIn } from '../addresses.ts';

/** The version of Ghost whose clients are served. */
export const CONTENT_VERSION = 'v6.65';

export const CONTENT_VARY = 'Accept-Version';

const CONTENT_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Content-Version, ETag',
  'content-version': CONTENT_VERSION,
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
  vary: CONTENT_VARY,
} as const;

export const setContentHeaders = (reply: FastifyReply, basePath: string): void => {
  reply.headers(CONTENT_HEADERS);
  setDeprecation(reply, basePath);
};

/** Tells clients that name a version in the address that this is deprecated (facts 4.3). */
export const setDeprecation = (reply: FastifyReply, basePath: string): void => {
  const version = versionIn(reply.request.originalUrl, basePath);
  if (version !== null) reply.header('deprecation', `version="${version}"`);
};

export const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': 'GET, HEAD, OPTIONS',
  'access-control-allow-headers': 'Accept-Version, Content-Type, If-None-Match, Range',
  'access-control-max-age': '86400',
} as const;
