// The desk at /desk/: a page that edits the publication in a browser, with the admin interface alone. Its files are
// bundled into dist/desk/; it loads nothing from elsewhere, and nobody may frame it. /admin/ leads a browser here.
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { NOT_FOUND } from '../../../content/paths/problems.ts';
import { ENCODINGS, sidecarOf } from '../../../content/paths/sidecars.ts';
import { acceptedEncoding } from '../content/accepted-encoding.ts';
import { ProblemError } from '../problems/problem.ts';
import { asksForPage } from '../problems/requested-type.ts';
import type { ServerDeps } from '../server-deps.ts';
import { deskPolicy } from './desk-policy.ts';
import { sendStatic } from './send-static.ts';

const HEADERS = {
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex',
  'cross-origin-opener-policy': 'same-origin',
} as const;

const pageOf = (nonce: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Desk</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,"><link rel="stylesheet" href="desk.css"></head>
<body><div id="desk"><noscript>The desk is a program in this page: please allow JavaScript.</noscript></div>
<script type="module" src="desk.js" nonce="${nonce}"></script></body></html>
`;

export const deskPage = (app: FastifyInstance, { config }: ServerDeps): void => {
  const base = `${config.basePath}/desk`;
  const folder = findDeskFolder();
  // Names that requests may ask for: no path of a request reaches the disk.
  const files = new Set(folder === null ? [] : readdirSync(folder));
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(HEADERS).header('content-security-policy', deskPolicy(null));
  });
  app.get(base, async (request, reply) => {
    if (folder === null) throw new ProblemError(NOT_FOUND);
    const isSlashed = /\/(?:\?|$)/.test(request.originalUrl);
    if (!isSlashed) return reply.redirect(`${base}/`, 301);
    reply.header('cache-control', 'no-cache');
    const nonce = randomBytes(16).toString('base64url');
    reply.header('content-security-policy', deskPolicy(nonce));
    return reply.type('text/html; charset=utf-8').send(pageOf(nonce));
  });
  app.get<{ Params: { name: string } }>(`${base}/:name`, async (request, reply) => {
    const { name } = request.params;
    if (folder === null || !files.has(name)) throw new ProblemError(NOT_FOUND);
    reply.header('cache-control', HASHED.test(name) ? KEPT_CACHE : 'no-cache');
    reply.header('vary', 'accept-encoding');
    const made = ENCODINGS.filter((one) => files.has(sidecarOf(name, one)));
    const encoding = acceptedEncoding(request.headers['accept-encoding'], made);
    const sent = { root: folder, cacheControl: false, contentType: encoding === null };
    if (encoding === null) return sendStatic(reply, name, sent);
    reply.header('content-encoding', encoding).type(TYPES[extname(name)] ?? '');
    return sendStatic(reply, sidecarOf(name, encoding), sent);
  });
  app.get(`${config.basePath}/admin`, async (request, reply) => {
    if (folder === null || !asksForPage(request)) throw new ProblemError(NOT_FOUND);
    return reply.header('cache-control', 'no-store').redirect(`${base}/`, 302);
  });
};

/** Of what is compressed. */
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'application/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/** Parts whose name changes with their bytes. */
const HASHED = /-[A-Z0-9]{8}\.js$/;
const KEPT_CACHE = 'public, max-age=31536000, immutable';

/** Beside the bundled program, or in the project's dist/ when it runs from its sources; null: it was not bundled. */
export const findDeskFolder = (place = import.meta.dirname): string | null =>
  [join(place, 'desk'), join(place, '../../../../dist/desk')].find((folder) =>
    existsSync(join(folder, 'desk.js')),
  ) ?? null;
