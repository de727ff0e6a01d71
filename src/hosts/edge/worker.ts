// The worker of Cloudflare Workers and Pages: finds the file of an address among the assets, and sends it
// with the headers of the interface. What is not below `/content` is left to the assets. Bundled by
// bundle.ts, which puts the site in.

import { problemBody } from '../../base/problem-body.ts';
import { canonicalPath } from '../../paths/canonical-path.ts';
import type { Resource } from '../../paths/endpoints.ts';
import {
  cacheOf,
  deprecation,
  JSON_TYPE,
  NOT_FOUND_CACHE,
  PREFLIGHT_HEADERS,
  REDIRECT_CACHE,
  REFUSED_CACHE,
  SHARED_HEADERS,
  treeType,
} from '../../paths/headers.ts';
import { contentPath, versionOf } from '../../paths/resolve.ts';
import { type EdgeProblem, keyOf, UNKNOWN_KEY } from './edge-problem.ts';
import {
  type EdgeSite,
  encodeFile,
  isDisguised,
  isGuarded,
  isHostile,
  plainFile,
  resolveAtEdge,
} from './edge-site.ts';
import { shardFileOf } from './slug-shard.ts';

declare const PREPRESS_SITE: EdgeSite;

type Env = { readonly ASSETS: { readonly fetch: (request: Request) => Promise<Response> } };

export default {
  fetch: async (request: Request, env: Env): Promise<Response> => {
    const [address = '', query = ''] = splitOnce(request.url, '?');
    const sent = address.replace(/^[a-z]+:\/\/[^/]*/, '') || '/';
    const path = canonicalPath(sent) ?? '';
    const rest = contentPath(path, PREPRESS_SITE.basePath);
    if (rest === null && !isDisguised(PREPRESS_SITE, sent)) return env.ASSETS.fetch(request);
    const response =
      request.method === 'OPTIONS'
        ? answer(null, 204, PREFLIGHT_HEADERS)
        : await serve({ request, env, path, query, rest });
    const version = versionOf(path, PREPRESS_SITE.basePath);
    if (version !== null) response.headers.set(...deprecation(version));
    return response;
  },
};

type Asked = {
  readonly request: Request;
  readonly env: Env;
  /** Canonical. */
  readonly path: string;
  readonly query: string;
  /** Null for what is refused. */
  readonly rest: string | null;
};

const serve = async (asked: Asked): Promise<Response> => {
  const { request, path, query, rest } = asked;
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (!isRead || rest === null || isHostile(path)) return notFound(asked);
  const problem = isGuarded(PREPRESS_SITE, rest) ? await findProblem(query) : null;
  if (problem !== null) return sendProblem(problem);
  const found = resolveAtEdge(PREPRESS_SITE, { path, query });
  if (found?.kind === 'redirect') {
    const location = query === '' ? found.path : `${found.path}?${query}`;
    return answer(null, 301, [
      ['Location', location],
      ['Cache-Control', REDIRECT_CACHE],
    ]);
  }
  const file = found === null ? plainFile(rest) : await assetOf(asked, found.file);
  return file === null ? notFound(asked) : sendAsset(asked, file);
};

const BY_SLUG = /^([a-z]+)\/slug\/([^/]+)(\/.+)$/;

/** The path of a file among the assets, where those by slug may be kept by id only; null for none. */
const assetOf = async (asked: Asked, file: string): Promise<string | null> => {
  const [, resource = '', segment = '', rest = ''] = BY_SLUG.exec(file) ?? [];
  if (!PREPRESS_SITE.isById || segment === '') return encodeFile(file);
  const ids = await fetchAsset(asked, shardFileOf(resource as Resource, segment), {});
  const found =
    ids.ok &&
    !isFallback(ids, 'ids.json') &&
    new Map(Object.entries((await ids.json()) as Record<string, string>)).get(segment);
  return found ? encodeFile(`${resource}/${found}${rest}`) : null;
};

const sendAsset = async (asked: Asked, file: string): Promise<Response> => {
  const { method, headers } = asked.request;
  const asset = await fetchAsset(asked, file, { method, headers });
  if (asset.status !== 304 && asset.status !== 206 && asset.status !== 200) return notFound(asked);
  if (isFallback(asset, file)) return notFound(asked);
  const response = new Response(asset.body, asset);
  for (const [name, value] of SHARED_HEADERS) response.headers.set(name, value);
  response.headers.set('Cache-Control', cacheOf(file, PREPRESS_SITE.keyHashes !== null));
  const type = treeType(file);
  if (type !== null && asset.status !== 304) response.headers.set('Content-Type', type);
  return response;
};

/** On a site without a 404.html, Pages answers the address of an absent file with the home page and 200. */
const isFallback = (asset: Response, file: string): boolean =>
  /^text\/html/.test(asset.headers.get('content-type') ?? '') && !/\.html?$/.test(file);

const notFound = async (asked: Asked): Promise<Response> => {
  const method = asked.request.method === 'HEAD' ? 'HEAD' : 'GET';
  const { body } = await fetchAsset(asked, '404.json', { method });
  return answer(body, 404, [
    ['Content-Type', JSON_TYPE],
    ['Cache-Control', NOT_FOUND_CACHE],
  ]);
};

const fetchAsset = ({ request, env }: Asked, file: string, init: RequestInit): Promise<Response> =>
  env.ASSETS.fetch(
    new Request(new URL(`${PREPRESS_SITE.basePath}/content/${file}`, request.url), init),
  );

const answer = (
  body: ConstructorParameters<typeof Response>[0],
  status: number,
  headers: readonly (readonly [string, string])[],
): Response =>
  new Response(body, { status, headers: [...SHARED_HEADERS, ...headers].map(([a, b]) => [a, b]) });

const findProblem = async (query: string): Promise<EdgeProblem | null> => {
  const key = keyOf(query);
  if (typeof key !== 'string') return key;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key));
  const hash = [...new Uint8Array(digest)]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
  return PREPRESS_SITE.keyHashes?.includes(hash) ? null : UNKNOWN_KEY;
};

const sendProblem = (problem: EdgeProblem): Response =>
  answer(problemBody(problem), problem.status, [
    ['Content-Type', JSON_TYPE],
    ['Cache-Control', REFUSED_CACHE],
  ]);

const splitOnce = (text: string, mark: string): string[] => {
  const at = text.indexOf(mark);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
};
