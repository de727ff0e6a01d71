// Pages for readers beside the interface on servers with generated rules, in the plainest configuration that serves both, and
// behind a cache. What plays another host is asked in the tests of that host.
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe } from 'vitest';
import { apacheFiles } from '../../src/hosts/apache/files.ts';
import { APACHE_INSTALL, startApache } from './apache-process.ts';
import { askAt } from './ask.ts';
import { CADDY_INSTALL, startCaddy } from './caddy-process.ts';
import type { HostUnderTest } from './check-host.ts';
import { checkPages, putPages } from './check-pages.ts';
import { hostSiteOf } from './host-site.ts';
import { NGINX_INSTALL, nginxRules, startNginx } from './nginx-process.ts';
import { missing, type RunningProgram } from './program.ts';
import { buildMatrixSite, type MatrixSite } from './site.ts';
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
      for (const { path, text } of apacheFiles(hostSiteOf(site))) {
        writeFileSync(join(site.output, path), text);
      }
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

for (const { name, reason, start } of HOSTS) {
  describe.skipIf(reason !== null).each(['', '/blog'])(
    `${name} ${reason ?? ''} at "%s"`,
    (base) => {
      let running: HostUnderTest;

      beforeAll(async () => {
        const site = await buildMatrixSite(base);
        putPages(site);
        const program = await start(site);
        running = { site, ask: askAt(program.port) };
        return async () => {
          await program.end();
          site.remove();
        };
      });

      checkPages(() => running);
    },
  );
}
