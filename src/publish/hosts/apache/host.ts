// Apache: one .htaccess for mod_rewrite and mod_headers, also on shared hosting.
import { existsSync } from 'node:fs';
import type { Host, HostTest, TestPlace } from '../host.ts';
import {
  lostNames,
  NO_KEY_CHECK,
  NO_NORMAL_FORMS,
  otherQueryNotes,
} from '../limits/limitations.ts';
import { quoted } from '../rules/addresses.ts';
import { companionOf } from '../rules/other-queries.ts';
import { apacheFiles, isReachable } from './files.ts';
import { SHIELD_FILE } from './shield.ts';

const NEEDS_PROXY =
  'Queries that are passed on need mod_proxy and mod_proxy_http, and for an https address mod_ssl with "SSLProxyEngine On" in the configuration of the server. Set "ProxyTimeout 5" there, or a companion server that hangs keeps readers waiting for a minute or more.';

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

const testWith =
  (section: (rules: string, folder: string) => string, modules: readonly string[] = []) =>
  ({ rules, folder, config }: TestPlace): HostTest => ({
    text: `${[...USED, ...modules].map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.so\n`).join('')}
ServerName 127.0.0.1
ServerRoot ${quoted(folder)}
PidFile ${quoted(`${folder}/pid`)}
ErrorLog /dev/stderr
TypesConfig /dev/null
Listen 127.0.0.1:80
${section(rules, folder)}
`,
    command: existsSync(MODULES) ? ['apache2', '-t', '-f', config] : ['true'],
  });

const asShield: Partial<Host> = {
  place: 'aside',
  namesRoot: 'absolute',
  isReloaded: true,
  test: testWith((rules) => `Include ${quoted(`${rules}/${SHIELD_FILE}`)}`, ['alias']),
  use: `In the virtual host of Ghost, before its other rules and ProxyPass (with the modules rewrite, headers and alias):
  Include "{folder}/${SHIELD_FILE}"
Then: apachectl configtest && apachectl graceful`,
};

export const apache: Host = {
  name: 'apache',
  title: 'Apache (.htaccess)',
  place: 'output',
  redirects: 'all',
  // What a .htaccess may hold is read as it is in a folder's section.
  test: testWith(
    (rules, folder) =>
      `<Directory ${quoted(folder)}>\n  Include ${quoted(`${rules}/.htaccess`)}\n</Directory>`,
  ),
  asShield,
  limits: {},
  use: `Serve the output with "AllowOverride All", mod_rewrite and mod_headers (Debian: a2enmod rewrite headers). Or, beside directives of your own:
  <Directory "{root}">
    AllowOverride None
    Include "{folder}/.htaccess"
  </Directory>
Then reload Apache after a change of the file.`,
  limitations: (site) => [
    'Paths with %2F, %00, a malformed escape or a name over 255 bytes are refused by the server before it reads this file: with its own page, without CORS headers. If that matters, use caddy, cloudflare or the companion server.',
    'Redirects of a missing slash name the scheme, host and port that Apache itself was asked with: behind a proxy that ends TLS, ask with the slash, as clients do.',
    ...otherQueryNotes(site, 'any'),
    ...(companionOf(site) === null ? [] : [NEEDS_PROXY]),
    NO_KEY_CHECK,
    NO_NORMAL_FORMS,
    ...lostNames(site.names, isReachable),
  ],
  files: async (site) => apacheFiles(site),
};
