// One request to edge code, the files that its host has, and the answers that are made of them with the headers of the
// interface.

import { answerTags } from '../paths/cache-tags.ts';
import {
  CACHE_TAG,
  cacheOf,
  type Header,
  isMedia,
  JSON_TYPE,
  MEDIA_POLICY,
  NOT_FOUND_CACHE,
  REFUSED_CACHE,
  SHARED_HEADERS,
  treeType,
} from '../paths/headers.ts';
import { problemBody } from '../paths/problem-body.ts';
import type { StatusProblem } from '../paths/problems.ts';
import type { WorkerSite } from './worker-site.ts';

export type EdgeHost = {
  /** Answers from the files of the site, whatever code the host runs for their addresses. */
  readonly fetchFile: (request: Request) => Promise<Response>;
  /** Work that the answer does not wait for. */
  readonly after: (work: Promise<unknown>) => void;
};

export type EdgeRequest = {
  readonly site: WorkerSite;
  readonly host: EdgeHost;
  readonly request: Request;
  /** Canonical. */
  readonly path: string;
  readonly query: string;
  /** What follows `/content/` in the path. */
  readonly rest: string;
};

export type EdgeBody = ConstructorParameters<typeof Response>[0];

/** `file` is a path in the content folder, encoded; null where there is none, or none that the host can read. */
export const fetchContent = async (
  { site, host, request }: Pick<EdgeRequest, 'site' | 'host' | 'request'>,
  file: string,
  init: RequestInit = {},
): Promise<Response | null> => {
  const url = new URL(`${site.basePath}/content/${file}`, request.url);
  const response = await host.fetchFile(new Request(url, init));
  const isThere = response.ok || response.status === 304;
  return isThere && !isHomePage(response, file) ? response : null;
};

/** On a site without a 404.html, Pages answers the address of an absent file with the home page and 200. */
const isHomePage = (response: Response, file: string): boolean =>
  /^text\/html/.test(response.headers.get('content-type') ?? '') && !/^$|\.html?$/.test(file);

export const sendFile = async (asked: EdgeRequest, file: string): Promise<Response | null> => {
  const { method, headers } = asked.request;
  const found = await fetchContent(asked, file, { method, headers });
  if (found === null) return null;
  const response = new Response(found.body, found);
  for (const [name, value] of SHARED_HEADERS) response.headers.set(name, value);
  response.headers.set('Cache-Control', cacheOf(file, asked.site.keyHashes !== null));
  if (isMedia(file)) response.headers.set(...MEDIA_POLICY);
  const tags = answerTags(decodeURIComponent(file));
  if (tags.length > 0) response.headers.set(CACHE_TAG, tags.join());
  const type = treeType(file);
  if (type !== null && found.status !== 304) response.headers.set('Content-Type', type);
  return response;
};

export const sendNotFound = async (
  asked: Pick<EdgeRequest, 'site' | 'host' | 'request'>,
): Promise<Response> => {
  const method = asked.request.method === 'HEAD' ? 'HEAD' : 'GET';
  const found = await fetchContent(asked, '404.json', { method });
  return answerWith(found?.body ?? null, 404, [
    ['Content-Type', JSON_TYPE],
    ['Cache-Control', NOT_FOUND_CACHE],
  ]);
};

export const sendRefusal = (refusal: StatusProblem): Response =>
  sendProblem(refusal.status, problemBody(refusal));

/** What is wrong for the moment may be asked again soon. */
export const sendProblem = (status: number, body: string): Response =>
  answerWith(body, status, [
    ['Content-Type', JSON_TYPE],
    ['Cache-Control', REFUSED_CACHE],
    ...(status === 503 ? [['Retry-After', '1'] as const] : []),
  ]);

export const answerWith = (body: EdgeBody, status: number, headers: readonly Header[]): Response =>
  new Response(body, { status, headers: [...SHARED_HEADERS, ...headers] as [string, string][] });
