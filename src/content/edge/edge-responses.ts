// Answers of the executor at the edge. Where the host has a cache, an answer is kept there under the hash of the root that it
// was read from, so it is never given for another one; what depends on the time of asking is not kept.

import { answerTags } from '../paths/cache-tags.ts';
import { entityTag, knowsTag } from '../paths/entity-tags.ts';
import { CACHE_TAG, DOCUMENT_CACHE, JSON_TYPE } from '../paths/headers.ts';
import { queryValues } from '../paths/query-values.ts';
import { answerAddress } from '../queries/answer-address.ts';
import { answerWith, type EdgeBody, type EdgeRequest, sendProblem } from './edge-request.ts';
import { digestOf, type EdgeTree } from './edge-tree.ts';

/** The cache of a place of Cloudflare's; other hosts have none of this name. */
type HostCache = {
  readonly match: (key: string) => Promise<Response | undefined>;
  readonly put: (key: string, response: Response) => Promise<void>;
};
declare const caches: { readonly default?: HostCache } | undefined;

/** `folder`: that of the files of the list or record. */
export type Answered = EdgeRequest & { readonly folder: string };

/** `address` is a canonical path after `/content/`. Null: there is no such record. Rejects with what reading rejects with. */
export const sendAnswer = async (
  asked: Answered,
  tree: EdgeTree,
  address: string,
): Promise<Response | null> => {
  await tree.root(false);
  const cache = isLasting(asked.query) ? findCache() : null;
  const kept = await findKept(cache, keyOf(asked, tree, address));
  if (kept !== null) return sendBody(asked, kept);
  const question = { path: address, rawQuery: asked.query, nowMs: Date.now() };
  const answer = await answerAddress(tree, question);
  if (answer === null) return null;
  if (answer.kind === 'problem') return sendProblem(answer.status, answer.body);
  const body = await new Blob(answer.pieces as Uint8Array<ArrayBuffer>[]).arrayBuffer();
  const length = String(body.byteLength);
  const etag = entityTag(await digestOf(body));
  if (cache !== null) {
    const headers = { etag, 'cache-control': KEPT, 'content-length': length };
    // By now the root may be a newer one.
    const work = cache.put(keyOf(asked, tree, address), new Response(body, { headers }));
    asked.host.after(work.catch(ignore));
  }
  return sendBody(asked, { body, length, etag });
};

/** A day; nobody asks for it once there is another root. */
const KEPT = 'public, max-age=86400';

const ignore = (): undefined => undefined;

type Body = { readonly body: EdgeBody; readonly length: string | null; readonly etag: string };

const sendBody = ({ request, folder }: Answered, { body, length, etag }: Body): Response => {
  const validators = [
    ['ETag', etag],
    ['Cache-Control', DOCUMENT_CACHE],
    [CACHE_TAG, answerTags(`${folder}/index.json`).join()],
  ] as const;
  if (knowsTag(request.headers.get('if-none-match'), etag)) {
    return answerWith(null, 304, validators);
  }
  return answerWith(request.method === 'HEAD' ? null : body, 200, [
    ...validators,
    ['Content-Type', JSON_TYPE],
    ...(length === null ? [] : [['Content-Length', length] as const]),
  ]);
};

/** Where there is one; a cache that fails is none. */
const findCache = (): HostCache | null =>
  (typeof caches === 'undefined' ? undefined : caches.default) ?? null;

const findKept = async (cache: HostCache | null, key: string): Promise<Body | null> => {
  const kept = await cache?.match(key).catch(ignore);
  const etag = kept?.headers.get('etag');
  return kept && etag
    ? { body: kept.body, length: kept.headers.get('content-length'), etag }
    : null;
};

/** A request for this address would come to the worker, which has no names that begin with a dot. Keys were checked. */
const keyOf = ({ site, request, query }: EdgeRequest, tree: EdgeTree, address: string): string => {
  const meant = query.split('&').filter((pair) => !/^(?:key|slug)=/.test(pair));
  const path = `${site.basePath}/content/.prepress-answers/${tree.rootKey()}/${address}`;
  return new URL(`${path}?${meant.join('&')}`, request.url).href;
};

/** Times relative to now are others tomorrow. */
const isLasting = (query: string): boolean => !/now/i.test(queryValues(query, 'filter').join());
