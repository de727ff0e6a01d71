// Answers one request of the content interface: an address of the endpoint table with its document, as the cache, the
// packed tree or a file has it; any other address with a plain file.
import type { OutgoingHttpHeaders } from 'node:http';
import { join, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { fileIn, originalOf } from '../../../content/paths/files.ts';
import { REDIRECT_CACHE, VARY } from '../../../content/paths/headers.ts';
import { type Located, locate } from '../../../content/paths/locate-path.ts';
import { findDocument } from '../../../content/paths/sidecars.ts';
import { isBlob } from '../../../content/tree/names.ts';
import type { Store } from '../../../publication/store/store.ts';
import { slashed, splitUrl } from '../addresses.ts';
import type { ResponseBuffers } from '../connections/response-buffers.ts';
import { createPlainFiles } from '../pages/plain-files.ts';
import { createPageSender } from '../pages/send-page.ts';
import type { ServerDeps } from '../server-deps.ts';
import { acceptedEncoding } from './accepted-encoding.ts';
import { type ContentFaults, createContentFaults } from './content-faults.ts';
import { setContentHeaders, staleHeaders, tagFields } from './content-headers.ts';
import { createContentQueries, NOT_PACKED } from './content-queries.ts';
import { createDocumentReader, FILE_BYTES_MAX } from './document-reader.ts';
import { createFileCache } from './file-cache.ts';
import { createKeyCheck, isDocument } from './key-check.ts';
import { oncePerTick } from './once-per-tick.ts';
import type { ResponseCache } from './response-cache.ts';
import { decideAnswer, holdDocument } from './send-file.ts';
import { createTreeSource } from './tree-source.ts';

/** Headers depend on the kind of a file alone, and all lists and records are of one. */
const DOCUMENT = 'index.json';

const CACHE_BYTES_MAX = 8 * 1024 * 1024;
/** How long a blob that is absent is waited for, where other servers give roots that name it. */
const BLOB_WAIT_MS = 1_000;
const BLOB_POLL_MS = 50;

export type ContentAnswerOptions = {
  readonly answers: ResponseCache | null;
  readonly memory: ResponseBuffers;
};

export type ContentAnswers = Pick<ContentFaults, 'sendNotFound'> & {
  readonly answer: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
};

export const createContentAnswers = (
  app: FastifyInstance,
  deps: ServerDeps,
  options: ContentAnswerOptions,
): ContentAnswers => {
  const parts = createParts(app, deps, options);
  return {
    answer: (request, reply) => answer(parts, request, reply),
    sendNotFound: parts.sendNotFound,
  };
};

const createParts = (
  app: FastifyInstance,
  deps: ServerDeps,
  { answers, memory }: ContentAnswerOptions,
) => {
  const { basePath, contentKey, output, precompress: encodings } = deps.config;
  const root = join(output, basePath, 'content');
  const cache = createFileCache({
    bytesMax: CACHE_BYTES_MAX,
    fileBytesMax: FILE_BYTES_MAX,
    version: deps.tree && oncePerTick(deps.tree.version),
    findWritten: (path) => deps.tree?.file(path.slice(root.length + 1)),
    memory,
  });
  const documents = createDocumentReader(root, cache);
  const { findFault, sendNotFound } = createContentFaults(root, deps, documents);
  const queries = createContentQueries({
    tree: createTreeSource({ folder: root, cache, memory, noTree: () => findFault(NOT_PACKED) }),
    listMax: deps.config['lists.max'],
    ...documents,
    memory,
    now: deps.context.clock.now,
  });
  return {
    ...{ answers, memory, basePath, encodings, queries, sendNotFound },
    store: deps.context.store,
    now: deps.context.clock.now,
    staleSecondsMax: deps.config.otherQueriesStaleSeconds,
    storedSegment: deps.storedSegment,
    /** A document that only clients with a key get. */
    isGuarded: (path: string) => contentKey === 'required' && isDocument(path),
    keys: createKeyCheck(deps.context.store, app.keySeen),
    plainFiles: createPlainFiles(root),
    sendPage: createPageSender(deps),
  };
};

type Parts = ReturnType<typeof createParts>;

const answer = async (
  parts: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const { basePath, encodings, storedSegment, isGuarded, keys, answers } = parts;
  setContentHeaders(reply, basePath);
  if (encodings.length > 0) reply.header('vary', `${VARY[1]}, Accept-Encoding`);
  const version = answers?.version() ?? '';
  const { path, query } = splitUrl(request.raw.url ?? '/');
  const found = locate(path, { basePath, storedSegment });
  const rest = path.slice(basePath.length + '/content/'.length);
  if (isGuarded(rest)) await keys.check(query);
  if (found === null) return answerPlain(parts, reply, { rest, query });
  if (found.kind === 'redirect') {
    reply.header('cache-control', REDIRECT_CACHE);
    return reply.redirect(slashed(request.originalUrl), 301);
  }
  return answerDocument(parts, { request, reply, found, query, rest, version });
};

/** `rest` is the path below the content folder. */
const answerPlain = async (
  { isGuarded, keys, plainFiles, sendNotFound, sendPage }: Parts,
  reply: FastifyReply,
  { rest, query }: { readonly rest: string; readonly query: string },
): Promise<FastifyReply> => {
  const isExplorer = rest === '' && (await plainFiles.find('index.html')) !== null;
  if (isExplorer) return sendPage(reply, 'content/index.html');
  const file = (await plainFiles.find(rest)) ?? (await plainFiles.find(originalOf(rest)));
  if (file === null || findDocument(file) !== null) return sendNotFound(reply);
  // A link, or a disk that ignores case, leads to a file under another name.
  if (isGuarded(file)) await keys.check(query);
  reply.headers(tagFields(file.split(sep).join('/')));
  return plainFiles.send(reply, file);
};

/** The plain document of an address, which has the tags of all its variants. */
const fileOf = (found: Asked['found']): string => {
  if (found.kind === 'file') return found.file;
  return fileIn(found.kind === 'list' ? found.resource : found.folder, 'index');
};

type Asked = {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly found: Exclude<Located, { kind: 'redirect' }>;
  readonly query: string;
  readonly rest: string;
  /** Of the tree, as the request came. */
  readonly version: string;
};

const answerDocument = async (
  parts: Parts,
  { request, reply, found, query, rest, version }: Asked,
): Promise<FastifyReply> => {
  const { answers, memory, encodings, isGuarded, queries, sendNotFound, store } = parts;
  const encoding = acceptedEncoding(request.headers['accept-encoding'], encodings);
  const known = request.headers['if-none-match'];
  const find = () => queries.find({ found, rawQuery: query, encoding, known });
  const isShared = store.postgres !== null && found.kind === 'file' && isBlob(found.file);
  const document = (await find()) ?? (isShared ? await findSoon(store, find) : null);
  if (document === null) return sendNotFound(reply);
  const { method, headers: sent } = request;
  const file = found.kind === 'file' ? found.file : DOCUMENT;
  const asking = { method, headers: sent, file, isGuarded: isGuarded(rest) };
  const { status, headers, hasBody } = decideAnswer(asking, document);
  if (hasBody) await holdDocument(reply.raw, document, memory);
  else await document.close();
  const stale = staleHeaders(sent, { nowMs: parts.now(), secondsMax: parts.staleSecondsMax });
  reply.code(status).headers({ ...headers, ...tagFields(fileOf(found)), ...stale });
  if (!hasBody) return reply.send();
  const { body } = document;
  if (body === null) return reply.send(document.stream());
  const asked = { url: request.originalUrl, headers: request.headers };
  const all = reply.getHeaders() as OutgoingHttpHeaders;
  if (stale === null) answers?.keep(asked, { version, headers: all, body });
  return reply.send(body);
};

const findSoon = async <T>(
  { servers }: Store,
  find: () => Promise<T | null>,
): Promise<T | null> => {
  const until = performance.now() + BLOB_WAIT_MS;
  await servers.becomeCurrent();
  for (;;) {
    const found = await find();
    if (found !== null || performance.now() > until) return found;
    await sleep(BLOB_POLL_MS);
  }
};
