// Pages for readers beside the interface on servers with generated rules, in the plainest configuration that serves both, and
// behind a cache. What plays another host is asked in the tests of that host.
import { dirname, join } from 'node:path';
import { describe, test } from 'vitest';
import { apacheFiles } from '../../src/hosts/apache/files.ts';
import { APACHE_INSTALL, startApache } from './apache-process.ts';
import { CADDY_INSTALL, startCaddy } from './caddy-process.ts';
import { holdPages } from './check-pages.ts';
import { hostSiteOf } from './host-site.ts';
import { startHosts } from './hosts-of-file.ts';
import { NGINX_INSTALL, nginxRules, startNginx } from './nginx-process.ts';
import { placeFiles } from './place-files.ts';
import { missing, type RunningProgram } from './program.ts';
import type { MatrixSite } from './site.ts';
import { startVarnish, VARNISH_INSTALL } from './varnish-process.ts';

type Started = RunningProgram & { readonly port: number };

type Host = {
  readonly name: string;
  readonly reason: string | null;
  readonly start: (site: MatrixSite) => Promise<Started>;
};

const HOSTS: readonly Host[] = [
  {
    name: 'nginx',
    reason: missing('nginx', NGINX_INSTALL),
    start: (site) => {
      const folder = join(dirname(site.output), 'nginx');
      const { http, server } = nginxRules(site, folder);
      return startNginx({ folder, http, server: `root ${site.output}; ${server}` });
    },
  },
  {
    name: 'Caddy',
    reason: missing('caddy', CADDY_INSTALL),
    start: (site) => startCaddy(site, { others: `	root * ${site.output}\n	file_server` }),
  },
  {
    name: 'Apache',
    reason: missing('apache2', APACHE_INSTALL),
    start: (site) => {
      placeFiles(site.output, apacheFiles(hostSiteOf(site)));
      return startApache({ output: site.output, asUsual: true });
    },
  },
  {
    name: 'Varnish in front of nginx',
    reason: missing('varnishd', VARNISH_INSTALL) ?? missing('nginx', NGINX_INSTALL),
    start: async (site) => {
      const folder = join(dirname(site.output), 'nginx');
      const origin = await startNginx({
        folder,
        server: `root ${site.output}; merge_slashes off;`,
      });
      const varnish = await startVarnish(site, origin.port);
      const end = () => varnish.end().then(origin.end);
      return { ...varnish, end };
    },
  },
];

describe.each(HOSTS)('$name', ({ name, reason, start }) => {
  describe.skipIf(reason !== null)(reason ?? '', () => {
    const hosts = startHosts([
      { title: name, start },
      { title: name, basePath: '/blog', start },
    ]);

    test('pages for readers', () => holdPages(hosts()));
  });
});
