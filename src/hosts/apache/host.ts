// Apache: one .htaccess for mod_rewrite and mod_headers, also on shared hosting.
import { existsSync } from 'node:fs';
import { quoted } from '../addresses.ts';
import type { Host, HostTest, TestPlace } from '../host.ts';
import { lostNames, NO_KEY_CHECK, NO_NORMAL_FORMS, otherQueryNotes } from '../limitations.ts';
import { companionOf } from '../other-queries.ts';
import { apacheFiles, isReachable } from './files.ts';

const NEEDS_PROXY =
  'What is passed on needs mod_proxy and mod_proxy_http, and for an https address mod_ssl with "SSLProxyEngine On" in the configuration of the server. Set "ProxyTimeout 5" there: a companion server that hangs holds readers for so long, else for a minute or more.';

/** Debian's folder; elsewhere nothing is tried. */
const MODULES = '/usr/lib/apache2/modules';
const USED = [
  'mpm_event',
  'authz_core',
  'mime',
  'dir',
  'rewrite',
  'headers',
  'proxy',
  'proxy_http',
];

/** What a .htaccess may hold is read as it is in a folder's section. */
const testRules = ({ rules, folder, config }: TestPlace): HostTest => ({
  text: `${USED.map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.so\n`).join('')}
ServerName 127.0.0.1
ServerRoot ${quoted(folder)}
PidFile ${quoted(`${folder}/pid`)}
ErrorLog /dev/stderr
TypesConfig /dev/null
Listen 127.0.0.1:80
<Directory ${quoted(folder)}>
  Include ${quoted(`${rules}/.htaccess`)}
</Directory>
`,
  command: existsSync(MODULES) ? ['apache2', '-t', '-f', config] : ['true'],
});

export const apache: Host = {
  name: 'apache',
  title: 'Apache (.htaccess)',
  place: 'output',
  test: testRules,
  limits: {},
  use: `Serve the output with "AllowOverride All", mod_rewrite and mod_headers (Debian: a2enmod rewrite headers). Or, beside directives of your own:
  <Directory {folder}>
    AllowOverride None
    Include {folder}/.htaccess
  </Directory>
Then reload Apache after a change of the file.`,
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
