// Queries on the servers that read rules: each with the same publication, and three ways with what has no file.
import { dirname, join } from 'node:path';
import GhostContentAPI from '@tryghost/content-api';
import { describe, test } from 'vitest';
import { apacheFiles } from '../../src/hosts/apache/files.ts';
import type { HostSite } from '../../src/hosts/host.ts';
import { APACHE_INSTALL, startApache } from './apache-process.ts';
import { askAt } from './ask.ts';
import { CADDY_INSTALL, startCaddy } from './caddy-process.ts';
import { declaredTrials } from './check-declared.ts';
import { listTrials, type Mode, type RuleHost, undeclaredOf } from './check-lists.ts';
import { buildDeclaredSite, declaredHostQueries } from './declared-site.ts';
import { hostSiteOf } from './host-site.ts';
import { startHosts } from './hosts-of-file.ts';
import { NGINX_INSTALL, nginxRules, startNginx } from './nginx-process.ts';
import { placeFiles } from './place-files.ts';
import { missing, type RunningProgram } from './program.ts';
import type { MatrixSite } from './site.ts';
import { holdAll, type Trial } from './trials.ts';
import { startVarnish, VARNISH_INSTALL } from './varnish-process.ts';

type Server = {
  readonly reason: string | null;
  readonly start: (
    site: MatrixSite,
    told: Partial<HostSite>,
    name: string,
  ) => Promise<RunningProgram & { readonly port: number }>;
};

const SERVERS: Readonly<Record<string, Server>> = {
  nginx: {
    reason: missing('nginx', NGINX_INSTALL),
    start: (site, told, name) => {
      const folder = join(dirname(site.output), `nginx-${name}`);
      return startNginx({ folder, ...nginxRules(site, folder, (text) => text, told) });
    },
  },
  Caddy: {
    reason: missing('caddy', CADDY_INSTALL),
    start: (site, hostSite) => startCaddy(site, { hostSite }),
  },
  Apache: {
    reason: missing('apache2', APACHE_INSTALL),
    // Several read their rules in one output.
    start: (site, told, name) => {
      const files = apacheFiles(hostSiteOf(site, told));
      const rules = `.htaccess-${name}`;
      placeFiles(
        site.output,
        files.map((file) => (file.path === '.htaccess' ? { ...file, path: rules } : file)),
      );
      return startApache({
        output: site.output,
        modules: ['proxy', 'proxy_http'],
        directives: `AccessFileName ${rules}`,
      });
    },
  },
  Varnish: {
    reason: missing('varnishd', VARNISH_INSTALL) ?? missing('nginx', NGINX_INSTALL),
    start: async (site, told, name) => {
      const folder = join(dirname(site.output), `origin-${name}`);
      const origin = await startNginx({
        folder,
        server: `root ${site.output}; merge_slashes off;`,
      });
      const varnish = await startVarnish(site, origin.port, told);
      return { ...varnish, end: () => varnish.end().then(origin.end) };
    },
  },
};

const MODES = [
  { mode: 'refuse', basePath: '' },
  { mode: 'pass on', basePath: '/blog' },
  { mode: 'ignore', basePath: '/blog' },
] as const;

/** Ghost's own client reaches the last page. */
const clientTrials = ({ title, site, port }: RuleHost & { readonly port: number }): Trial[] =>
  [
    { limit: 2 },
    { include: 'tags' },
    { filter: 'tag: news', include: 'authors,tags', limit: 2 },
  ].map((options) => ({
    host: title,
    request: `Ghost's own client with ${JSON.stringify(options)}`,
    hold: async (compare) => {
      const url = `http://127.0.0.1:${port}${site.basePath}`;
      const key = '0123456789abcdef0123456789';
      const api = new GhostContentAPI({ url, key, version: 'v6.0' });
      const ids: string[] = [];
      for (let page: number | null = 1; page !== null; ) {
        const posts = await api.posts.browse({ ...options, page });
        ids.push(...posts.map(({ id }) => id));
        page = posts.meta.pagination.next;
      }
      const total = 'filter' in options ? 5 : 9;
      compare('posts', [ids.length, new Set(ids).size], [total, total]);
    },
  }));

describe.each(Object.entries(SERVERS))('%s', (_, { reason, start }) => {
  describe.skipIf(reason !== null)(reason ?? '', () => {
    const hosts = startHosts(
      MODES.map(({ mode, basePath }) => ({
        title: mode,
        basePath,
        start: async (site, companion) => {
          const { port } = await companion();
          const told = declaredHostQueries(undeclaredOf(mode, port));
          const server = await start(site, told, mode.replace(' ', '-'));
          return { ...server, mode: mode as Mode, companion: askAt(port) };
        },
      })),
      buildDeclaredSite,
    );

    test('default lists and records', () => holdAll(hosts().flatMap((host) => listTrials(host))));

    test('declared queries', () =>
      holdAll(hosts().flatMap((host) => [...declaredTrials(host), ...clientTrials(host)])));
  });
});
