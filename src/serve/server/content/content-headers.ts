// Headers that every answer under /content carries, errors and redirects too: any site may read them.
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';
import { answerTags } from '../../../content/paths/cache-tags.ts';
import {
  CACHE_TAG,
  DOCUMENT_CACHE,
  deprecation,
  type Header,
  preflightHeaders,
  SHARED_HEADERS,
  STALE_HEADER,
  SURROGATE_KEY,
} from '../../../content/paths/headers.ts';
import { versionIn } from '../addresses.ts';

const fieldsOf = (list: readonly Header[]): Readonly<Record<string, string>> =>
  Object.fromEntries(list.map(([name, value]) => [name.toLowerCase(), value]));

const CONTENT_FIELDS = fieldsOf(SHARED_HEADERS);

export const setContentHeaders = (reply: FastifyReply, basePath: string): void => {
  reply.headers(CONTENT_FIELDS);
  setDeprecation(reply, basePath);
};

export const setPreflightHeaders = (reply: FastifyReply): void => {
  const asked = reply.request.headers['access-control-request-headers'];
  reply.headers(fieldsOf(preflightHeaders(asked)));
};

/** Tells clients that name a version in the address that this is deprecated (facts 4.3). */
export const setDeprecation = (reply: FastifyReply, basePath: string): void => {
  const version = versionIn(reply.request.originalUrl, basePath);
  if (version !== null) reply.header(...deprecation(version));
};

/** Of a document's answer, in the languages of all caches that may stand before the server. */
export const tagFields = (document: string): Readonly<Record<string, string>> => {
  const tags = answerTags(document);
  if (tags.length === 0) return {};
  return fieldsOf([
    [CACHE_TAG, tags.join(',')],
    [SURROGATE_KEY, tags.join(' ')],
  ]);
};

export const STALE_FIELD = STALE_HEADER.toLowerCase();

type StaleLimits = {
  readonly nowMs: number;
  /** The setting `otherQueriesStaleSeconds`: readers may send the header, too. */
  readonly secondsMax: number;
};

/**
 * For a cache that may send this answer while no newer one can be had, but has to ask again each time; null where none
 * asks. Fields in small letters.
 */
export const staleHeaders = (
  sent: IncomingHttpHeaders,
  { nowMs, secondsMax }: StaleLimits,
): Readonly<Record<string, string>> | null => {
  const header = String(sent[STALE_FIELD]);
  const [, asked, nginxSeconds] = /^(\d{1,5})(?: nginx (\d{1,11})[.]\d+)?$/.exec(header) ?? [];
  if (asked === undefined) return null;
  const seconds = Math.min(Number(asked), secondsMax);
  if (nginxSeconds === undefined)
    return { 'cache-control': `${DOCUMENT_CACHE}, stale-if-error=${seconds}` };
  // nginx keeps nothing of age 0, so this is a second old, by the earlier of both clocks. It reads its own header only where
  // no age is said before it; the last one is for any other cache.
  const expired = Math.min(Number(nginxSeconds), Math.floor(nowMs / 1_000)) - 1;
  return {
    'cache-control': `stale-if-error=${seconds + 1}`,
    'x-accel-expires': `@${expired}`,
    expires: '0',
  };
};
