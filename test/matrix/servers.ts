// The servers that read generated rules, each in the plainest configuration that serves the interface and pages beside it.
import { dirname, join } from 'node:path';
import { apacheFiles } from '../../src/publish/hosts/apache/files.ts';
import type { HostSite } from '../../src/publish/hosts/host.ts';
import { APACHE_INSTALL, startApache } from './apache-process.ts';
import { CADDY_INSTALL, startCaddy } from './caddy-process.ts';
import type { CheckOptions } from './check-host.ts';
import { hostSiteOf } from './host-site.ts';
import { NGINX_INSTALL, nginxRules, startNginx } from './nginx-process.ts';
import { placeFiles } from './place-files.ts';
import { missing } from './program.ts';
import type { MatrixSite } from './site.ts';
import type { RunningProgram } from './start-program.ts';
import { startVarnish, VARNISH_INSTALL } from './varnish-process.ts';

type Told = {
  /** As the host is told it, where it is told more than usual. */
  readonly hostSite?: Partial<HostSite>;
  /** Several over one site have different names. */
  readonly name?: string;
};

export type Server = {
  readonly name: string;
  /** Why it cannot be started. */
  readonly reason: string | null;
  readonly missingHeaders?: CheckOptions['missingHeaders'];
  readonly start: (
    site: MatrixSite,
    told?: Told,
  ) => Promise<RunningProgram & { readonly port: number }>;
};

export const SERVERS: readonly Server[] = [
  {
    name: 'nginx',
    reason: missing('nginx', NGINX_INSTALL),
    start: (site, { hostSite, name = 'usual' } = {}) => {
      const folder = join(dirname(site.output), `nginx-${name}`);
      const { http, server } = nginxRules(
        site,
        folder,
        (text) => text.replaceAll('/var/cache/', `${folder}/cache-`),
        hostSite,
      );
      return startNginx({ folder, http, server: `root ${site.output}; ${server}` });
    },
  },
  {
    name: 'Caddy',
    reason: missing('caddy', CADDY_INSTALL),
    start: (site, { hostSite = {} } = {}) =>
      startCaddy(site, { others: `	root * ${site.output}\n	file_server`, hostSite }),
  },
  {
    name: 'Apache',
    reason: missing('apache2', APACHE_INSTALL),
    missingHeaders: ['relative location'],
    // Several read their rules in one output.
    start: (site, { hostSite = {}, name = '' } = {}) => {
      const rules = `.htaccess${name}`;
      const files = apacheFiles(hostSiteOf(site, hostSite));
      placeFiles(
        site.output,
        files.map((file) => (file.path === '.htaccess' ? { ...file, path: rules } : file)),
      );
      return startApache({
        output: site.output,
        asUsual: name === '',
        modules: name === '' ? [] : ['proxy', 'proxy_http'],
        directives: `AccessFileName ${rules}${name === '' ? '' : '\nProxyTimeout 5'}`,
      });
    },
  },
  {
    name: 'Varnish in front of nginx',
    reason: missing('varnishd', VARNISH_INSTALL) ?? missing('nginx', NGINX_INSTALL),
    start: async (site, { hostSite = {}, name = 'usual' } = {}) => {
      const folder = join(dirname(site.output), `origin-${name}`);
      const origin = await startNginx({
        folder,
        server: `root ${site.output}; merge_slashes off;`,
      });
      const varnish = await startVarnish(site, origin.port, hostSite);
      return { ...varnish, end: () => varnish.end().then(origin.end) };
    },
  },
];
