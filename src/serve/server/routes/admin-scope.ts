// The admin interface: who asks is known before a body is read, answers are never kept by anyone, and each
// route says what it does, for its errors. Routes are registered by the files beside this one.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PrepressError } from '../../../base/errors.ts';
import { counted } from '../../../base/text/counted.ts';
import { whileAsked } from '../../../base/threads/asking-client.ts';
import { CONTENT_VERSION, VARY } from '../../../content/paths/headers.ts';
import type { Registered } from '../../contract/operations/operations.ts';
import { slashed, splitUrl } from '../addresses.ts';
import { setDeprecation } from '../content/content-headers.ts';
import { ProblemError } from '../problems/problem.ts';
import { type Problem, TOO_MANY_ATTEMPTS, UNAUTHORIZED } from '../problems/problems.ts';
import type { ServerDeps } from '../server-deps.ts';
import { createAuthenticate } from './authenticate.ts';
import { createFailureLimit, type FailureLimit } from './failure-limit.ts';
import { readJsonBodies } from './json-text.ts';
import { refusalOf } from './refused-calls.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Id of the admin key that signed the request; empty outside of the admin interface. */
    adminKeyId: string;
  }
  interface FastifyContextConfig {
    /** What the route was registered for. */
    readonly operation?: Registered;
  }
}

const ADMIN_HEADERS = {
  'cache-control': 'no-cache, private, no-store, must-revalidate',
  'content-version': CONTENT_VERSION,
  vary: VARY[1],
} as const;

export const guardAdminScope = (
  app: FastifyInstance,
  deps: ServerDeps,
  failures: FailureLimit,
): void => {
  const { basePath } = deps.config;
  const authenticate = createAuthenticate(deps.context);
  readJsonBodies(app);
  app.addHook('onRequest', (_request, reply, done) => {
    const left = new AbortController();
    reply.raw.once('close', () => left.abort());
    whileAsked(left.signal, done);
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(ADMIN_HEADERS);
    setDeprecation(reply, basePath);
    const { authorization } = request.headers;
    const { operation } = request.routeOptions.config;
    // A wrong key is refused there, too.
    if (operation?.keys === 'none' && authorization === undefined) {
      return redirectUnslashed(request, reply);
    }
    // Keys included: a client may have saved on another server.
    await deps.context.store.servers.becomeCurrent();
    const keyId = await authenticate(authorization);
    if (keyId === null) throw refusal(failures.fail(request.ip));
    request.adminKeyId = keyId;
    app.keySeen(keyId);
    return redirectUnslashed(request, reply);
  });
  app.addHook('preParsing', async (request) => refuseEncoded(request));
};

/** Throws UNSUPPORTED_MEDIA_TYPE for a body that has to be decoded first. Headers of a request without a body say nothing. */
const refuseEncoded = ({ headers }: FastifyRequest): void => {
  const coding = headers['content-encoding']?.trim() ?? '';
  const hasBody = 'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > 0;
  if (!hasBody || coding === '' || coding.toLowerCase() === 'identity') return;
  const named = JSON.stringify(`Content-Encoding: ${coding.slice(0, 100)}`);
  const sentence = `Send the body without ${named}: compressed bodies are not read.`;
  throw new PrepressError('UNSUPPORTED_MEDIA_TYPE', sentence);
};

/** What no admin route answers, with the headers of those that are there. */
export const answerUnknownAdmin = (app: FastifyInstance): void => {
  // A route, because the pages for people would answer it otherwise; before a body is read.
  app.all('/*', {
    onRequest: async (request, reply) => {
      reply.headers(ADMIN_HEADERS);
      const named = request.params as { readonly '*': string };
      throw refusalOf(request.method, named['*']);
    },
    handler: async () => null,
  });
};

/** The problem of a failed authentication; `waitSeconds` when there were too many. `context` says what to send. */
export const refusal = (
  waitSeconds: number | null,
  context: Problem['context'] = UNAUTHORIZED.context ?? null,
): ProblemError =>
  new ProblemError(
    waitSeconds === null
      ? { ...UNAUTHORIZED, context }
      : {
          ...TOO_MANY_ATTEMPTS,
          context: `Too many wrong keys came from this address. Try again in ${counted(waitSeconds, 'second')}.`,
          headers: { 'retry-after': String(waitSeconds) },
        },
  );

export const createAuthFailures = ({ config, context }: ServerDeps): FailureLimit =>
  createFailureLimit(config.authFailuresMax, context.clock);

const redirectUnslashed = (
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | undefined => {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const { path } = splitUrl(request.originalUrl);
  if (!isRead || path.endsWith('/') || path.endsWith('.json')) return undefined;
  return reply.redirect(slashed(request.originalUrl), 301);
};
