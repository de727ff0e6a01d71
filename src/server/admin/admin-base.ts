// The public address of the admin interface, for Location headers and mailed links.
import type { ServerDeps } from '../ports.ts';

/** Without a trailing slash; adminUrl may name the base path or leave it out. */
export const adminBase = ({ adminOrigin, config: { basePath } }: ServerDeps): string => {
  const origin = adminOrigin();
  return `${origin.endsWith(basePath) ? origin : `${origin}${basePath}`}/admin`;
};
