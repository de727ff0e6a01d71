// The public addresses of this server, for Location headers, mailed links and unsubscribe_url.
import type { ServerDeps } from '../ports.ts';

type Deps = Pick<ServerDeps, 'adminOrigin' | 'config'>;

/** Origin and base path, without a trailing slash; adminUrl may name the base path or leave it out. */
export const publicBase = ({ adminOrigin, config: { basePath } }: Deps): string => {
  const origin = adminOrigin();
  return origin.endsWith(basePath) ? origin : `${origin}${basePath}`;
};

/** The address of the admin interface, without a trailing slash. */
export const adminBase = (deps: Deps): string => `${publicBase(deps)}/admin`;
