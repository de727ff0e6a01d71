// Apache: one .htaccess for mod_rewrite and mod_headers, also on shared hosting.
import type { Host } from '../host.ts';
import { lostNames, NO_KEY_CHECK, NO_NORMAL_FORMS, otherQueryNotes } from '../limitations.ts';
import { companionOf } from '../other-queries.ts';
import { apacheFiles, isReachable } from './files.ts';

const NEEDS_PROXY =
  'What is passed on needs mod_proxy and mod_proxy_http, and for an https address mod_ssl with "SSLProxyEngine On" in the configuration of the server.';

export const apache: Host = {
  name: 'apache',
  title: 'Apache (.htaccess)',
  place: 'output',
  limits: {},
  use: 'Serve the output with "AllowOverride All", mod_rewrite and mod_headers (Debian: a2enmod rewrite headers).',
  limitations: (site) => [
    'Paths with %2F, %00, a malformed escape or a name over 255 bytes are refused by the server before it reads this file: with its own page, without CORS headers. Where that matters use caddy, cloudflare or the companion server.',
    'Redirects of a missing slash name the scheme, host and port that Apache itself was asked with: behind a proxy that ends TLS, ask with the slash, as clients do.',
    ...otherQueryNotes(site, 'any'),
    ...(companionOf(site) === null ? [] : [NEEDS_PROXY]),
    NO_KEY_CHECK,
    NO_NORMAL_FORMS,
    ...lostNames(site.names, isReachable),
  ],
  files: async (site) => apacheFiles(site),
};
