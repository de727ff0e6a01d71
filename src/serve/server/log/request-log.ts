// One line for each answered request. Never a query (it may hold a content key), never a token or an
// e-mail address of a path (the route's pattern stands for it), never a header.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { canonicalTarget, splitUrl } from '../addresses.ts';

export const logRequests = (app: FastifyInstance): void => {
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        path: pathOf(request),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
      },
      'request',
    );
  });
};

const PATH_CHARACTERS_MAX = 200;

const pathOf = (request: FastifyRequest): string => {
  const { url: pattern } = request.routeOptions;
  if (pattern !== undefined && /:(?:token|email)/.test(pattern)) return pattern;
  return loggedPath(splitUrl(canonicalTarget(request.originalUrl)).path);
};

/** Whatever the route is, also none: what looks like somebody's address or a long secret is not written. */
export const loggedPath = (path: string): string =>
  path
    .slice(0, PATH_CHARACTERS_MAX)
    .replace(/[^/]*(?:@|%40)[^/]*/gi, '[address]')
    .replace(/[0-9a-f]{26,}/gi, '[secret]')
    // A token of JSON: base64 of `{"`.
    .replace(/eyJ[\w-]{10}[^/]*/g, '[secret]');
