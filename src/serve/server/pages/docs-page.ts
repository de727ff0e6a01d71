// The documentation at /docs/: a page of swagger-ui over both OpenAPI documents, all served from here. The
// page loads nothing from elsewhere; the documents hold no data of the publication. What is tried out is signed by the
// desk's code, with the key of the browser's tab.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { contentOpenApi } from '../../../content/contract/openapi/content-document.ts';
import { NOT_FOUND } from '../../../content/paths/problems.ts';
import { adminOpenApi } from '../../contract/operations/admin-document.ts';
import { ProblemError } from '../problems/problem.ts';
import type { ServerDeps } from '../server-deps.ts';
import { createOpenApiAnswer } from './openapi-answer.ts';
import { sendStatic } from './send-static.ts';

const ASSETS: readonly string[] = [
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'swagger-ui-standalone-preset.js',
  'favicon-32x32.png',
];

const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

const PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Interface</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="favicon-32x32.png"><link rel="stylesheet" href="swagger-ui.css">
<link rel="stylesheet" href="../desk/docs-style.css"></head>
<body><noscript><p>This page needs JavaScript.</p></noscript><form id="sign-in"><label for="key">Admin key</label>
<input id="key" type="password" autocomplete="current-password" spellcheck="false">
<button id="enter">Sign in</button><p id="said" role="status"></p><a href="../desk/">To the desk</a></form>
<div id="page"></div>
<script src="swagger-ui-bundle.js"></script><script src="swagger-ui-standalone-preset.js"></script>
<script type="module" src="../desk/docs.js"></script></body></html>
`;

export const docsPage = (app: FastifyInstance, deps: ServerDeps): void => {
  const base = `${deps.config.basePath}/docs`;
  const folder = findAssetFolder();
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(HEADERS);
  });
  app.get(base, async (request, reply) => {
    const isSlashed = /\/(?:\?|$)/.test(request.originalUrl);
    if (!isSlashed) return reply.redirect(`${base}/`, 301);
    return reply.type('text/html; charset=utf-8').send(PAGE);
  });
  const { shape } = deps.config;
  const content: typeof contentOpenApi = (options) => contentOpenApi({ shape, ...options });
  const documents = { content, admin: adminOpenApi };
  for (const [name, make] of Object.entries(documents)) {
    const send = createOpenApiAnswer(deps, make);
    app.get(`${base}/${name}.json`, async (_request, reply) =>
      send(reply.header('cache-control', 'no-cache')),
    );
  }
  for (const file of ASSETS) {
    app.get(`${base}/${file}`, async (_request, reply) =>
      sendStatic(reply, file, { root: folder }),
    );
  }
  app.get(`${base}/*`, async () => {
    throw new ProblemError(NOT_FOUND);
  });
};

/** Beside the bundled program, or in the project's dist/ when it runs from its sources. */
const findAssetFolder = (place = import.meta.dirname): string =>
  [join(place, 'swagger-ui'), join(place, '../../../../dist/swagger-ui')].find(existsSync) ?? place;
