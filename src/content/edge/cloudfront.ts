// The CloudFront function for viewer requests: rewrites an address to its file and takes the query away,
// so that all its spellings share one object of the cache. Written so that runtime 1.0 can run it.

import { canonicalPath } from '../paths/canonical-path.ts';
import { contentPath } from '../paths/content-path.ts';
import type { Resource } from '../paths/endpoints.ts';
import { originalOf } from '../paths/files.ts';
import {
  JSON_TYPE,
  preflightHeaders,
  REDIRECT_CACHE,
  REFUSED_CACHE,
  SHARED_HEADERS,
} from '../paths/headers.ts';
import { isFileName } from '../paths/plain-segment.ts';
import { problemBody } from '../paths/problem-body.ts';
import { findKey, KEY_UNKNOWN } from '../paths/problems.ts';
import { type Resolution, resolve } from '../paths/resolve.ts';
import { type DefaultQuery, isDefaultQuery, isWhole } from './default-query.ts';
import {
  type EdgeSite,
  encodeFile,
  isDisguised,
  isExplorer,
  isGuarded,
  isHostile,
  plainFile,
} from './edge-site.ts';

/** What is put into the function when it is bundled. */
export type CloudFrontSite = EdgeSite & {
  /** Record variants without a file: resource, slash, variant -> the one that is sent instead. */
  readonly sent: Readonly<Record<string, string>>;
  readonly lists: Readonly<Record<Resource, DefaultQuery>>;
  /** Pages of lists that are files; 0: all. */
  readonly pages: number;
  /** The setting `lists.max`. */
  readonly max: number;
  /** Pictures lie there in sizes; else the original is sent. */
  readonly hasSizes: boolean;
  readonly otherQueries: 'refuse' | 'ignore' | 'pass';
  /** Body of the answer to queries that have no file. */
  readonly refusal: string;
  /** The content folder of the companion server. */
  readonly companionPath: string;
};

declare const PREPRESS_SITE: CloudFrontSite;

/** Of a text, in hexadecimal; the bundle brings it. */
declare const sha256: (text: string) => string;

/** Has the request answered by the companion server; the bundle brings it. */
declare const passOn: () => void;

type QueryValue = { readonly value: string; readonly multiValue?: readonly { value: string }[] };

export type CloudFrontRequest = {
  method: string;
  uri: string;
  querystring: Record<string, QueryValue>;
  /** Names in small letters. */
  headers: Record<string, { value: string } | undefined>;
};

export type CloudFrontResponse = {
  statusCode: number;
  statusDescription: string;
  headers: Record<string, { value: string }>;
  body?: { encoding: 'text'; data: string };
};

export const handler = (event: {
  readonly request: CloudFrontRequest;
}): CloudFrontRequest | CloudFrontResponse => {
  const request = event.request;
  const path = canonicalPath(request.uri) || '';
  const rest = contentPath(path, PREPRESS_SITE.basePath);
  if (rest === null) {
    return isDisguised(PREPRESS_SITE, request.uri) ? toFile(request, ABSENT) : toPage(request);
  }
  if (request.method === 'OPTIONS') {
    const asked = request.headers['access-control-request-headers'];
    return answer(204, 'No Content', preflightHeaders(asked?.value));
  }
  const query = rawQuery(request.querystring);
  // The bundle has no code for keys where none is asked for.
  const refusal = PREPRESS_SITE.keyHashes === null ? null : findRefusal(rest, query);
  if (refusal !== null) return refusal;
  if (isRefused(request.method, path)) return toFile(request, ABSENT);
  const found = findFile(path, query);
  // What is no address is a plain file, or nothing: the store says which.
  if (found === null) return toFile(request, otherFile(path, rest));
  return found.kind === 'redirect' ? redirectTo(found.path, query) : toFound(request, found, rest);
};

const otherFile = (path: string, rest: string): string =>
  isExplorer(PREPRESS_SITE, path)
    ? 'index.html'
    : plainFile(PREPRESS_SITE.hasSizes ? rest : originalOf(rest)) || ABSENT;

const redirectTo = (path: string, query: string): CloudFrontResponse =>
  answer(301, 'Moved Permanently', [
    ['location', query === '' ? path : `${path}?${query}`],
    ['cache-control', REDIRECT_CACHE],
  ]);

const toFound = (
  request: CloudFrontRequest,
  found: Exclude<Resolution, { kind: 'redirect' }>,
  rest: string,
): CloudFrontRequest | CloudFrontResponse => {
  const mode = PREPRESS_SITE.otherQueries;
  const query = rawQuery(request.querystring);
  const list = found.list;
  if (mode === 'ignore' || !(list === null ? isPart(rest, query) : isOther(list, query)))
    return toFile(request, encodeFile(found.file));
  if (mode === 'refuse') return sendBody(400, PREPRESS_SITE.refusal);
  request.uri = `${PREPRESS_SITE.companionPath}/${rest}`;
  passOn();
  return request;
};

/** A companion server answers a part of a record; other hosts send all of it. */
const isPart = (rest: string, query: string): boolean => {
  const shape = PREPRESS_SITE.lists[rest.split('/')[0] as Resource];
  return (
    PREPRESS_SITE.otherQueries === 'pass' &&
    shape !== undefined &&
    !isWhole(query, shape.hasFormats)
  );
};

const isRefused = (method: string, path: string): boolean =>
  (method !== 'GET' && method !== 'HEAD') || isHostile(path);

/** No file answers the query. */
const isOther = (resource: Resource, query: string): boolean =>
  !isDefaultQuery({
    query: query,
    shape: PREPRESS_SITE.lists[resource],
    max: PREPRESS_SITE.max,
    pages: PREPRESS_SITE.pages,
  });

const findFile = (path: string, query: string): Resolution | null =>
  resolve(path, query, {
    basePath: PREPRESS_SITE.basePath,
    // No name of the prototype has a slash.
    storedSegment: (resource, slug) =>
      PREPRESS_SITE.names[`${resource}/${slug}`] || hashedName(slug),
    sentVariant: (resource, variant) => PREPRESS_SITE.sent[`${resource}/${variant}`] || variant,
    isPaged: (resource) => PREPRESS_SITE.paged.indexOf(resource) !== -1,
  });

/** Computed, since a list of all names would soon be larger than a function may be. */
const hashedName = (slug: string): string | undefined =>
  isFileName(slug) || /^~[0-9a-f]{32}$/.test(slug) ? undefined : `~${sha256(slug).slice(0, 32)}`;

/** No file has this name. */
const ABSENT = '.absent';

/** A store knows no folders. */
const toPage = (request: CloudFrontRequest): CloudFrontRequest => {
  request.uri = request.uri.replace(/\/$/, '/index.html');
  return request;
};

const toFile = (request: CloudFrontRequest, file: string): CloudFrontRequest => {
  request.uri = `${PREPRESS_SITE.basePath}/content/${file}`;
  request.querystring = {};
  return request;
};

const rawQuery = (parameters: Record<string, QueryValue>): string =>
  Object.keys(parameters)
    .map((name) => {
      const given = parameters[name];
      const values = given === undefined ? [] : given.multiValue || [given];
      return values.map((one) => `${name}=${one.value}`).join('&');
    })
    .join('&');

const findRefusal = (rest: string, query: string): CloudFrontResponse | null => {
  if (!isGuarded(PREPRESS_SITE, rest)) return null;
  const key = findKey(query);
  const known = PREPRESS_SITE.keyHashes || [];
  if (typeof key === 'string' && known.indexOf(sha256(key)) !== -1) return null;
  const problem = typeof key === 'string' ? KEY_UNKNOWN : key;
  return sendBody(problem.status, problemBody(problem));
};

const sendBody = (status: number, body: string): CloudFrontResponse => {
  const response = answer(status, 'Refused', [
    ['content-type', JSON_TYPE],
    ['cache-control', REFUSED_CACHE],
  ]);
  response.body = { encoding: 'text', data: body };
  return response;
};

const answer = (
  statusCode: number,
  statusDescription: string,
  list: readonly (readonly [string, string])[],
): CloudFrontResponse => {
  const headers: Record<string, { value: string }> = {};
  SHARED_HEADERS.concat(list).forEach((header) => {
    headers[header[0].toLowerCase()] = { value: header[1] };
  });
  return { statusCode: statusCode, statusDescription: statusDescription, headers: headers };
};
