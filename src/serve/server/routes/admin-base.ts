// The public addresses of this server, for Location headers, mailed links and unsubscribe_url.
import type { FastifyRequest } from 'fastify';
import { prefixIn } from '../addresses.ts';
import type { ServerDeps } from '../server-deps.ts';

type Deps = Pick<ServerDeps, 'adminOrigin' | 'config'>;

/** Origin and base path, without a trailing slash; adminUrl may name the base path or leave it out. */
export const publicBase = ({ adminOrigin, config: { basePath } }: Deps): string => {
  const origin = adminOrigin();
  return origin.endsWith(basePath) ? origin : `${origin}${basePath}`;
};

/** The address of the admin interface as it was asked, without a trailing slash. */
export const adminBase = (deps: Deps, { originalUrl }: FastifyRequest): string =>
  `${publicBase(deps)}${prefixIn(originalUrl, deps.config.basePath)}/admin`;
