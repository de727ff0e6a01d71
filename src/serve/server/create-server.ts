// The companion server: content tree, admin interface, build hook and pages for people behind one Fastify
// instance with one error answer. It listens, and is closed, by whoever made it.
import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import fastifyHelmet from '@fastify/helmet';
import Fastify, { type FastifyInstance, type FastifyRequest, LogController } from 'fastify';
import { PrepressError } from '../../base/errors.ts';
import { REQUEST_BODY_BYTES_MAX, REQUEST_HEAD_BYTES_MAX } from '../../base/limits.ts';
import { createMailer, type Mailer } from '../../base/mail/mailer.ts';
import { NOT_FOUND } from '../../content/paths/problems.ts';
import { addressAtSite } from '../../publication/documents/interface-settings.ts';
import { describeClock } from '../../publish/cycle/clock-line.ts';
import { dataPathsOf } from '../../settings/data-paths.ts';
import { createPreviews } from '../admin/posts/previews.ts';
import { OPERATIONS } from '../contract/operations/operations.ts';
import { countHosts, rewriteTarget } from './addresses.ts';
import { buildHook } from './build-hook.ts';
import { boundResponses, type ResponseBounds } from './connections/bound-responses.ts';
import { trustOf } from './connections/client-address.ts';
import { paceStreams } from './connections/pace-streams.ts';
import { responseLimits } from './connections/response-limits.ts';
import { contentRoutes } from './content/content-routes.ts';
import { oncePerTick } from './content/once-per-tick.ts';
import { previewRoutes } from './content/preview-routes.ts';
import { createResponseCache, type ResponseCache } from './content/response-cache.ts';
import { createHandlers } from './handlers/create-handlers.ts';
import { registerOperations } from './handlers/register.ts';
import { createUploadAddresses } from './handlers/upload-addresses.ts';
import { createKeyLastUsed } from './key-last-used.ts';
import { logRequests } from './log/request-log.ts';
import { deskPage } from './pages/desk-page.ts';
import { docsPage } from './pages/docs-page.ts';
import { createSendMessage } from './pages/message-page.ts';
import { readerPages } from './pages/reader-pages.ts';
import { unsubscribeRoutes } from './pages/unsubscribe.ts';
import { verifyPage } from './pages/verify-page.ts';
import { answerClientError, answerOddRequests } from './problems/client-errors.ts';
import { ProblemError, toProblem } from './problems/problem.ts';
import { BUSY } from './problems/problems.ts';
import { createSendProblem, type SendProblem } from './problems/send-problem.ts';
import { publicBase } from './routes/admin-base.ts';
import { answerUnknownAdmin, createAuthFailures, guardAdminScope } from './routes/admin-scope.ts';
import type { ServerDeps } from './server-deps.ts';

declare module 'fastify' {
  interface FastifyInstance {
    keySeen: (id: string) => void;
  }
}

const HEADERS_TIMEOUT_MS = 10_000;
const CONNECTIONS_CHECK_MS = 2_000;
const KEEP_ALIVE_MS = 5_000;

export const createServer = (deps: ServerDeps): FastifyInstance => {
  const { basePath } = deps.config;
  const sendProblem = createSendProblem(basePath, createSendMessage(deps.context));
  const isTrusted = trustOf(deps.config.trustProxy);
  const app = Fastify({
    ...(deps.logger === undefined ? { logger: false } : { loggerInstance: deps.logger }),
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: REQUEST_BODY_BYTES_MAX,
    // Each request has its own (connections/request-time.ts).
    requestTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    forceCloseConnections: 'idle',
    // A request whose body is under way is answered; its connection ends after that.
    return503OnClosing: false,
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: CONNECTIONS_CHECK_MS,
      maxHeaderSize: REQUEST_HEAD_BYTES_MAX,
      // Answered below, in the nine keys.
      requireHostHeader: false,
    },
    trustProxy: isTrusted,
    routerOptions: { maxParamLength: 2048, ignoreTrailingSlash: true },
    rewriteUrl: (request) => rewriteTarget(request.url ?? '/', basePath),
    genReqId: (request) => requestId(request.headers['x-request-id']),
    clientErrorHandler: (error, socket) => answerClientError(error, socket, bounds.takeLast),
    frameworkErrors: (error, request, reply) => sendProblem(request, reply, toProblem(error, null)),
  });
  // All of them count: what Node.js leaves out of the count could be a second host. Their bytes have a limit.
  app.server.maxHeadersCount = 0;
  const answers = createAnswers(deps);
  const bounds = boundResponses(app.server, {
    limits: responseLimits(deps.config),
    basePath,
    isTrusted,
    answerKept: (exchange, memory) => answers?.give(exchange, memory) ?? false,
  });
  app.addHook('preClose', async () => bounds.beginClosing());
  answerOddRequests(app.server, bounds.takeLast);
  app.removeContentTypeParser('text/plain');
  app.decorateRequest('adminKeyId', '');
  const sightings = createKeyLastUsed(deps.context);
  app.decorate('keySeen', sightings.note);
  app.addHook('onClose', sightings.close);
  answerErrors(app, sendProblem);
  if (deps.logsRequests !== false) logRequests(app);
  paceStreams(app, bounds.chunkPace);
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'x-request-id': request.id, 'x-content-type-options': 'nosniff' });
    const refusal = bounds.findRefusal(request.raw);
    if (refusal !== undefined) throw new ProblemError(refusal);
    const hosts = countHosts(request.raw.rawHeaders);
    if (hosts > 1 || (hosts === 0 && request.raw.httpVersion === '1.1')) {
      const sentence = `The request names ${hosts === 0 ? 'no host' : 'more than one host'}.`;
      throw new PrepressError('BAD_REQUEST', sentence);
    }
  });
  app.addHook('preParsing', async (request, reply) => {
    const exchange = { request: request.raw, response: reply.raw };
    const { bodyLimit = REQUEST_BODY_BYTES_MAX } = request.routeOptions;
    if (!bounds.holdRequest(exchange, bodyLimit)) throw new ProblemError(BUSY);
  });
  registerRoutes(app, deps, { answers, memory: bounds.memory });
  return app;
};

type Shared = { readonly answers: ResponseCache | null; readonly memory: ResponseBounds['memory'] };

const registerRoutes = (app: FastifyInstance, given: ServerDeps, shared: Shared): void => {
  const addresses = createUploadAddresses(given);
  const deps = { ...given, context: addresses.context };
  const failures = createAuthFailures(deps);
  const mailer = createServerMailer(app, deps);
  const sendMessage = createSendMessage(deps.context);
  const context = { ...deps.context, publicUrl: () => publicBase(deps), mailer };
  const previews = createPreviews(deps);
  app.get('/health', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    const { store, clock } = deps.context;
    // Who asks whether the server answers is answered, whatever is wrong with the database.
    const behind = await describeClock(store, clock.now()).catch(() => null);
    return { status: 'ok', ...(behind !== null && { clock: behind }) };
  });
  app.register(async (scope) => contentRoutes(scope, deps, shared));
  if (deps.context.store.isReader) {
    app.register(async (scope) => readerPages(scope, deps, sendMessage));
    return;
  }
  app.register(async (scope) => previewRoutes(scope, { ...deps, previews }, sendMessage));
  app.register(async (scope) => {
    await scope.register(fastifyHelmet, JSON_POLICY);
    guardAdminScope(scope, deps, failures);
    const handlers = createHandlers(scope, deps, { context, addresses, previews });
    registerOperations(scope, deps, { table: OPERATIONS, handlers });
  });
  app.register(
    async (scope) => {
      await scope.register(fastifyHelmet, JSON_POLICY);
      answerUnknownAdmin(scope);
    },
    { prefix: `${deps.config.basePath}/admin` },
  );
  app.register(async (scope) => buildHook(scope, deps, failures));
  app.register(async (scope) => unsubscribeRoutes(scope, deps, sendMessage));
  app.register(async (scope) => verifyPage(scope, deps, sendMessage));
  app.register(async (scope) => docsPage(scope, deps));
  app.register(async (scope) => deskPage(scope, deps));
  app.register(async (scope) => readerPages(scope, deps, sendMessage));
};

const createAnswers = (deps: ServerDeps): ResponseCache | null => {
  const { tree, context, config } = deps;
  const logger = ['info', 'debug'].includes(config.logLevel) ? deps.logger : undefined;
  if (tree === undefined) return null;
  const version = oncePerTick(() => `${tree.version()} ${context.store.dataVersion()}`);
  const { precompress: encodings } = config;
  return createResponseCache({ version, encodings, requestId, logger });
};

/** Answers of the admin interface are data, never a page. */
const JSON_POLICY = {
  contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"] } },
  referrerPolicy: { policy: 'no-referrer' },
} as const;

const REQUEST_ID = /^[A-Za-z0-9-]{1,64}$/;

const requestId = (given: string | string[] | undefined): string =>
  typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();

const answerErrors = (app: FastifyInstance, send: SendProblem): void => {
  app.setErrorHandler((error, request, reply) => {
    const { config, bodyLimit } = request.routeOptions;
    const problem = toProblem(error, config.operation?.action ?? null, bodyLimit);
    const isMeant = error instanceof ProblemError;
    // The framework closes the connection. Clients that are still sending then see no answer, but a broken pipe.
    if (problem.status === 413) reply.removeHeader('connection');
    if (hasLeft(request)) request.log.info('client left');
    else if (problem.status >= 500 && !isMeant) request.log.error({ err: error }, 'request failed');
    return send(request, reply, problem);
  });
  app.setNotFoundHandler((request, reply) => send(request, reply, NOT_FOUND));
};

/** The connection ended on the way of the request, which fails what reads its body. */
const hasLeft = ({ raw }: FastifyRequest): boolean => raw.destroyed && !raw.complete;

/** Sends from the site's own address; closed with the server. The link in a mail is a secret, which no log holds. */
const createServerMailer = (
  app: FastifyInstance,
  { config, context }: Pick<ServerDeps, 'config' | 'context'>,
): Mailer => {
  const mailer = createMailer({
    smtp: config.smtp,
    folder: join(dirname(dataPathsOf(config).database), 'mail'),
    from: async () => config.mailFrom ?? addressAtSite('noreply', (await context.site()).siteUrl),
    onKept: (file) => app.log.warn({ file }, 'no mail server is set: the mail was kept as a file'),
  });
  app.addHook('onClose', async () => mailer.close());
  return mailer;
};
