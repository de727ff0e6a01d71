// The content interface at the edge, on every host that runs workers: what has a file is sent from it, everything else is
// answered from the packed tree. What is not below `/content` is left to the host. The invariant: the content key is checked
// before anything is looked up.
import { canonicalPath } from '../paths/canonical-path.ts';
import { contentPath, versionOf } from '../paths/content-path.ts';
import { originalOf } from '../paths/files.ts';
import { deprecation, preflightHeaders, REDIRECT_CACHE } from '../paths/headers.ts';
import { locateIn } from '../paths/locate-path.ts';
import { findKey, KEY_UNKNOWN, type StatusProblem } from '../paths/problems.ts';
import { SETTINGS_NAMES } from '../paths/settings-names.ts';
import { type Found, findFile } from '../queries/plan-answer.ts';
import { encodeText } from '../tree/decode-chunk.ts';
import { refusalOf } from './edge-fault.ts';
import {
  answerWith,
  type EdgeHost,
  type EdgeRequest,
  fetchContent,
  sendFile,
  sendNotFound,
  sendRefusal,
} from './edge-request.ts';
import { sendAnswer } from './edge-responses.ts';
import {
  encodeFile,
  isDisguised,
  isExplorer,
  isGuarded,
  isHostile,
  isOfTree,
  plainFile,
} from './edge-site.ts';
import { createEdgeMemory, digestOf, type EdgeMemory } from './edge-tree.ts';
import { hasFile, segmentOf, slugsOf, type WorkerSite } from './worker-site.ts';

export type ServeEdge = (request: Request, host: EdgeHost) => Promise<Response>;

/** Once for an isolate. */
export const createServeEdge = (site: WorkerSite): ServeEdge => {
  const kept = { memory: createEdgeMemory(), slugs: slugsOf(site) };
  return async (request, host) => {
    // Hosts hand out the address as it was sent; parsed, it would be another one.
    const at = `${request.url}?`.indexOf('?');
    const sent = request.url.slice(0, at).replace(/^[a-z]+:\/\/[^/]*/, '') || '/';
    const query = request.url.slice(at + 1);
    const path = canonicalPath(sent) ?? '';
    const rest = contentPath(path, site.basePath);
    if (rest === null && !isDisguised(site, sent)) return host.fetchFile(request);
    const response = await serve({ site, host, request, path, query, rest }, kept);
    const version = versionOf(path, site.basePath);
    if (version !== null) response.headers.set(...deprecation(version));
    return response;
  };
};

type Kept = { readonly memory: EdgeMemory; readonly slugs: ReturnType<typeof slugsOf> };

/** `rest` is null for what is refused. */
type Incoming = Omit<EdgeRequest, 'rest'> & { readonly rest: string | null };

const serve = async (asked: Incoming, kept: Kept): Promise<Response> => {
  const { site, request, path, query, rest } = asked;
  const { method } = request;
  if (method === 'OPTIONS') {
    const asked = request.headers.get('access-control-request-headers') ?? '';
    return answerWith(null, 204, preflightHeaders(asked));
  }
  try {
    const isRead = method === 'GET' || method === 'HEAD';
    if (!isRead || rest === null || isHostile(path)) return await sendNotFound(asked);
    const problem = isGuarded(site, rest) ? await findProblem(site, query) : null;
    if (problem !== null) return sendRefusal(problem);
    const found = locateIn(path, site.basePath, segmentOf(site));
    if (found?.kind === 'redirect') return redirect(found.path, query);
    const sent = await sendFound({ ...asked, rest }, found, kept);
    return sent ?? (await sendNotFound(asked));
  } catch (error) {
    return sendRefusal(refusalOf(error));
  }
};

const redirect = (path: string, query: string): Response =>
  answerWith(null, 301, [
    ['Location', query === '' ? path : `${path}?${query}`],
    ['Cache-Control', REDIRECT_CACHE],
  ]);

/** What is no address: a plain file, or the original of a picture in a size. */
const sendPlain = async (asked: EdgeRequest): Promise<Response | null> => {
  // It has no page where the host sends one for every address without a file: no name begins with a dot.
  const isPage =
    isExplorer(asked.site, asked.path) &&
    !(await asked.host.fetchFile(new Request(new URL('.absent', asked.request.url)))).ok;
  const file = isPage ? '' : isClosed(asked.rest) ? null : plainFile(asked.rest);
  const sent = file === null ? null : await sendFile(asked, file);
  const original = file === null ? null : originalOf(file);
  return sent !== null || original === null || original === file ? sent : sendFile(asked, original);
};

/** Settings of hosts, and documents that lie compressed. */
const isClosed = (rest: string): boolean =>
  SETTINGS_NAMES.indexOf(rest) !== -1 || (/[.](?:br|gz)$/.test(rest) && isOfTree(rest));

const sendFound = async (
  asked: EdgeRequest,
  found: Found | null,
  { memory, slugs }: Kept,
): Promise<Response | null> => {
  if (found === null) return sendPlain(asked);
  const tree = memory.open((file, headers) => fetchContent(asked, file, { headers }));
  const root = found.kind === 'list' ? await tree.root(false) : null;
  const parsing = { max: root?.max ?? 0, nowMs: Date.now(), showsTiers: root?.tiers !== undefined };
  const file = findFile(found, asked.query, parsing);
  if (file !== null && hasFile(asked.site, found, file)) {
    const sent = await sendFile(asked, encodeFile(file));
    if (sent !== null) return sent;
  }
  if (found.kind === 'file') return null;
  const folder = found.kind === 'list' ? found.resource : found.folder;
  return sendAnswer({ ...asked, folder }, tree, addressOf(asked, found, slugs));
};

/** The address that the packed tree knows, which has slugs as they are and not the names of their files. */
const addressOf = ({ rest }: EdgeRequest, found: Found, slugs: Kept['slugs']): string => {
  const slug = found.kind === 'record' ? slugs[found.folder] : undefined;
  return slug === undefined ? rest : `${rest.split('/')[0]}/slug/${encodeURIComponent(slug)}/`;
};

const findProblem = async (site: WorkerSite, query: string): Promise<StatusProblem | null> => {
  const key = findKey(query);
  if (typeof key !== 'string') return key;
  const digest = await digestOf(encodeText(key) as Uint8Array<ArrayBuffer>);
  return site.keyHashes?.some((known) => known === digest) ? null : KEY_UNKNOWN;
};
