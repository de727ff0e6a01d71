// The content interface: addresses resolved to files of the tree, with key, redirect, ETag and CORS
// (decisions, Addresses). What the endpoint table does not know is looked for among the plain files.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { OutgoingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { SHAPES } from '../../paths/endpoints.ts';
import { NOT_FOUND_FILE } from '../../paths/files.ts';
import { type Resolution, resolve } from '../../paths/resolve.ts';
import { type Encoding, sidecarOf } from '../../paths/sidecars.ts';
import { slashed, splitUrl } from '../addresses.ts';
import type { ServerDeps } from '../ports.ts';
import { NO_ROUTE, problemBody } from '../problem.ts';
import { acceptedEncoding } from './accepted-encoding.ts';
import type { AnswerCache } from './answer-cache.ts';
import { CONTENT_VARY, PREFLIGHT_HEADERS, setContentHeaders } from './content-headers.ts';
import { createFileCache, type OpenFile } from './file-cache.ts';
import { createKeyCheck } from './key-check.ts';
import { createListParts, parsePartQuery } from './list-part.ts';
import { oncePerTurn } from './once-per-turn.ts';
import { createPlainFiles } from './plain-files.ts';
import { sendFile } from './send-file.ts';

const CACHE_BYTES_MAX = 64 * 1024 * 1024;
const CACHE_FILE_BYTES_MAX = 1024 * 1024;
const REDIRECT_CACHE = 'public, max-age=31536000';
/** Folders of the tree whose files are documents: they ask for the key like their addresses. */
const GUARDED = new Set([...Object.keys(SHAPES), 'settings']);

type Encoded = { readonly file: OpenFile | null; readonly encoding: Encoding | null };

export const contentRoutes = (
  app: FastifyInstance,
  deps: ServerDeps,
  answers: AnswerCache | null,
): void => {
  const { basePath, contentKey, output, precompress: encodings } = deps.config;
  const root = join(output, basePath, 'content');
  const cache = createFileCache({
    bytesMax: CACHE_BYTES_MAX,
    fileBytesMax: CACHE_FILE_BYTES_MAX,
    version: deps.tree && oncePerTurn(deps.tree.version),
    findWritten: (path) => deps.tree?.file(path.slice(root.length + 1)),
  });
  const read = (file: string): Promise<OpenFile | null> => cache.read(join(root, file));
  const keys = createKeyCheck(deps.context.store);
  const parts = createListParts();
  const plainFiles = createPlainFiles(root);
  /** A document in an encoding, or as it is where it has no such sidecar. */
  const readIn = async (encoding: Encoding | null, file: string): Promise<Encoded> => {
    // A sidecar never stands for a document that is gone.
    const isAsked = encoding !== null && existsSync(join(root, file));
    const sidecar = isAsked ? await read(sidecarOf(file, encoding)) : null;
    if (sidecar !== null) return { file: sidecar, encoding };
    return { file: await read(file), encoding: null };
  };

  const sendNotFound = async (reply: FastifyReply): Promise<FastifyReply> => {
    const file = await read(NOT_FOUND_FILE);
    reply.code(404).type('application/json; charset=utf-8').header('cache-control', 'no-cache');
    return reply.send(file?.body ?? JSON.stringify(problemBody(NO_ROUTE, null)));
  };
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    setContentHeaders(reply, basePath);
    if (encodings.length > 0) reply.header('vary', `${CONTENT_VARY}, Accept-Encoding`);
    const version = answers?.version() ?? '';
    const { path, query } = splitUrl(request.raw.url ?? '/');
    const found = resolve(path, query, { basePath, storedSegment: deps.storedSegment });
    const rest = path.slice(basePath.length + '/content/'.length);
    const isGuarded = contentKey === 'required' && GUARDED.has(rest.split('/')[0] ?? '');
    if (isGuarded) await keys.check(query);
    if (found === null) {
      const file = await plainFiles.find(rest);
      return file === null ? sendNotFound(reply) : plainFiles.send(reply, file);
    }
    if (found.kind === 'redirect') {
      reply.header('cache-control', REDIRECT_CACHE);
      return reply.redirect(slashed(request.originalUrl), 301);
    }
    const accepted = acceptedEncoding(request.headers['accept-encoding'], encodings);
    const part = await partOf(found, query);
    const { file, encoding } =
      part === null ? await readIn(accepted, found.file) : { file: part, encoding: null };
    if (file === null) return sendNotFound(reply);
    const sent = sendFile(reply, file, encoding);
    if (request.method === 'GET' && reply.statusCode === 200 && file.body !== null) {
      const headers = reply.getHeaders() as OutgoingHttpHeaders;
      const asked = { url: request.originalUrl, headers: request.headers };
      answers?.keep(asked, { version, headers, body: file.body });
    }
    return sent;
  };
  const partOf = async (
    found: Extract<Resolution, { kind: 'file' }>,
    query: string,
  ): Promise<OpenFile | null> => {
    const asked = found.list === null ? null : parsePartQuery(query);
    if (found.list === null || asked === null) return null;
    const variant = found.file.slice(found.list.length + 1, -'.json'.length);
    const body = await parts.body({ resource: found.list, variant, read }, asked);
    if (body === null) return null;
    const digest = createHash('sha256').update(body).digest('base64url');
    return { bytes: body.length, etag: `"${digest.slice(0, 27)}"`, body, handle: null };
  };

  for (const url of [`${basePath}/content`, `${basePath}/content/*`]) {
    app.route({ method: ['GET', 'HEAD'], url, handler: answer });
  }
  app.options(`${basePath}/content/*`, async (_request, reply) => {
    setContentHeaders(reply, basePath);
    return reply.code(204).headers(PREFLIGHT_HEADERS).send();
  });
  app.route({
    method: ['POST', 'PUT', 'PATCH', 'DELETE'],
    url: `${basePath}/content/*`,
    // Answered before a body is read.
    onRequest: async (_request, reply) => {
      setContentHeaders(reply, basePath);
      return sendNotFound(reply);
    },
    handler: async (_request, reply) => sendNotFound(reply),
  });
};
