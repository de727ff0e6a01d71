// The content interface: addresses resolved to documents of the tree, with key, redirect, ETag and CORS
// (decisions, Addresses). What the endpoint table does not know is looked for among the plain files.
import { existsSync } from 'node:fs';
import type { OutgoingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hasSummary } from '../../emit/open-session.ts';
import { NOT_FOUND_FILE } from '../../paths/files.ts';
import {
  isMedia,
  JSON_TYPE,
  MEDIA_POLICY,
  NOT_FOUND_CACHE,
  REDIRECT_CACHE,
  VARY,
} from '../../paths/headers.ts';
import { locate } from '../../paths/locate.ts';
import { type Encoding, hasSidecars, sidecarOf } from '../../paths/sidecars.ts';
import { slashed, splitUrl } from '../addresses.ts';
import type { AnswerMemory } from '../connections/answer-memory.ts';
import { notBuilt } from '../not-built.ts';
import type { ServerDeps } from '../ports.ts';
import { NO_ROUTE, type Problem, ProblemError, problemBody } from '../problem.ts';
import { asksForPage } from '../wanted-type.ts';
import { acceptedEncoding } from './accepted-encoding.ts';
import type { AnswerCache } from './answer-cache.ts';
import { PREFLIGHT_FIELDS, setContentHeaders } from './content-headers.ts';
import { createContentQueries, NOT_PACKED } from './content-queries.ts';
import { FILE_BYTES_MAX, fileDocument } from './documents.ts';
import { createFileCache, type OpenFile } from './file-cache.ts';
import { createKeyCheck, isDocument } from './key-check.ts';
import { oncePerTurn } from './once-per-turn.ts';
import { createPlainFiles } from './plain-files.ts';
import { type Document, decideAnswer, holdDocument } from './send-file.ts';
import { createPageSender } from './send-page.ts';
import { createTreeSource } from './tree-source.ts';

/** Headers depend on the kind of a file alone, and all lists and records are of one. */
const DOCUMENT = 'index.json';

const CACHE_BYTES_MAX = 64 * 1024 * 1024;

type Options = { readonly answers: AnswerCache | null; readonly memory: AnswerMemory };

export const contentRoutes = (
  app: FastifyInstance,
  deps: ServerDeps,
  { answers, memory }: Options,
): void => {
  const { basePath, contentKey, output, precompress: encodings } = deps.config;
  const root = join(output, basePath, 'content');
  const cache = createFileCache({
    bytesMax: CACHE_BYTES_MAX,
    fileBytesMax: FILE_BYTES_MAX,
    version: deps.tree && oncePerTurn(deps.tree.version),
    findWritten: (path) => deps.tree?.file(path.slice(root.length + 1)),
    memory,
  });
  const read = (file: string): Promise<OpenFile | null> => cache.read(join(root, file));
  const keys = createKeyCheck(deps.context.store, app.keySeen);
  const plainFiles = createPlainFiles(root);
  /** A document in an encoding, or as it is where it has no such sidecar. */
  const readIn = async (encoding: Encoding | null, file: string): Promise<Document | null> => {
    // A sidecar never stands for a document that is gone.
    const isAsked = encoding !== null && hasSidecars(file) && existsSync(join(root, file));
    const sidecar = isAsked ? await read(sidecarOf(file, encoding)) : null;
    if (sidecar !== null) return fileDocument(sidecar, encoding);
    const plain = await read(file);
    return plain && fileDocument(plain, null);
  };
  const queries = createContentQueries({
    tree: createTreeSource({ folder: root, cache, memory, noTree: () => findFault(NOT_PACKED) }),
    listMax: deps.config['lists.max'],
    read,
    readIn,
    memory,
    seen: app.queriesSeen,
    now: deps.context.clock.now,
  });

  const sendPage = createPageSender(deps);

  /** Before the first tree nothing else is wrong. */
  const findFault = (otherwise: Problem): ProblemError =>
    new ProblemError(hasSummary(root) ? otherwise : notBuilt(deps.publisher.firstBuild()));
  const isGuarded = (path: string): boolean => contentKey === 'required' && isDocument(path);
  const sendNotFound = async (reply: FastifyReply): Promise<FastifyReply> => {
    if (hasSummary(root) && asksForPage(reply.request)) throw new ProblemError(NO_ROUTE);
    const file = await read(NOT_FOUND_FILE);
    await file?.handle?.close();
    if (file === null && !hasSummary(root)) throw findFault(NO_ROUTE);
    reply.code(404).type(JSON_TYPE).header('cache-control', NOT_FOUND_CACHE);
    return reply.send(file?.body ?? JSON.stringify(problemBody(NO_ROUTE, null)));
  };
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    setContentHeaders(reply, basePath);
    if (encodings.length > 0) reply.header('vary', `${VARY[1]}, Accept-Encoding`);
    const version = answers?.version() ?? '';
    const { path, query } = splitUrl(request.raw.url ?? '/');
    const found = locate(path, { basePath, storedSegment: deps.storedSegment });
    const rest = path.slice(basePath.length + '/content/'.length);
    if (isGuarded(rest)) await keys.check(query);
    if (found === null) {
      const isExplorer = rest === '' && (await plainFiles.find('index.html')) !== null;
      if (isExplorer) return sendPage(reply, 'content/index.html');
      const file = await plainFiles.find(rest);
      if (file === null) return sendNotFound(reply);
      // A link, or a disk that ignores case, leads to a file under another name.
      if (isGuarded(file)) await keys.check(query);
      if (isMedia(rest)) reply.header(...MEDIA_POLICY);
      return plainFiles.send(reply, file);
    }
    if (found.kind === 'redirect') {
      reply.header('cache-control', REDIRECT_CACHE);
      return reply.redirect(slashed(request.originalUrl), 301);
    }
    const encoding = acceptedEncoding(request.headers['accept-encoding'], encodings);
    const answered = await queries.find({ found, rawQuery: query, encoding });
    if (answered === null) return sendNotFound(reply);
    const { document, note } = answered;
    const { method, headers: sent } = request;
    const file = found.kind === 'file' ? found.file : DOCUMENT;
    const asking = { method, headers: sent, file, isGuarded: isGuarded(rest) };
    const { status, headers, hasBody } = decideAnswer(asking, document);
    if (hasBody) await holdDocument(reply.raw, document, memory);
    else await document.close();
    note();
    reply.code(status).headers(headers);
    if (!hasBody) return reply.send();
    const { body } = document;
    if (body === null) return reply.send(document.stream());
    const asked = { url: request.originalUrl, headers: request.headers };
    const all = reply.getHeaders() as OutgoingHttpHeaders;
    answers?.keep(asked, { version, headers: all, body, onGiven: note });
    return reply.send(body);
  };

  for (const url of [`${basePath}/content`, `${basePath}/content/*`]) {
    app.route({ method: ['GET', 'HEAD'], url, handler: answer });
    app.options(url, async (_request, reply) => {
      setContentHeaders(reply, basePath);
      return reply.code(204).headers(PREFLIGHT_FIELDS).send();
    });
    app.route({
      method: ['POST', 'PUT', 'PATCH', 'DELETE'],
      url,
      // Answered before a body is read.
      onRequest: async (_request, reply) => {
        setContentHeaders(reply, basePath);
        return sendNotFound(reply);
      },
      handler: async (_request, reply) => sendNotFound(reply),
    });
  }
};
