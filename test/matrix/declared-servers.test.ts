// Declared queries on the servers that read rules: each with the same publication, and three ways with what is undeclared.
import { dirname, join } from 'node:path';
import GhostContentAPI from '@tryghost/content-api';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Undeclared } from '../../src/config/schemas.ts';
import { apacheFiles } from '../../src/hosts/apache/files.ts';
import { APACHE_INSTALL, startApache } from './apache-process.ts';
import { askAt } from './ask.ts';
import { CADDY_INSTALL, startCaddy } from './caddy-process.ts';
import {
  checkDeclared,
  checkIgnoring,
  checkLoops,
  checkPassing,
  checkRecords,
  checkRefusals,
  type DeclaredHost,
} from './check-declared.ts';
import { type RunningCompanion, startCompanion } from './companion-process.ts';
import { buildDeclaredSite, declaredHostQueries } from './declared-site.ts';
import { hostSiteOf } from './host-site.ts';
import { NGINX_INSTALL, nginxRules, startNginx } from './nginx-process.ts';
import { placeFiles } from './place-files.ts';
import { missing, type RunningProgram } from './program.ts';
import type { MatrixSite } from './site.ts';
import { startVarnish, VARNISH_INSTALL } from './varnish-process.ts';

type Start = (
  site: MatrixSite,
  undeclared: Undeclared,
) => Promise<RunningProgram & { readonly port: number }>;

const SERVERS: Readonly<Record<string, { readonly reason: string | null; readonly start: Start }>> =
  {
    nginx: {
      reason: missing('nginx', NGINX_INSTALL),
      start: async (site, undeclared) => {
        const folder = join(dirname(site.output), `nginx-${undeclared.slice(0, 4)}`);
        const rules = nginxRules(site, folder, (text) => text, declaredHostQueries(undeclared));
        return startNginx({ folder, ...rules });
      },
    },
    Caddy: {
      reason: missing('caddy', CADDY_INSTALL),
      start: async (site, undeclared) =>
        startCaddy(site, { hostSite: declaredHostQueries(undeclared) }),
    },
    Apache: {
      reason: missing('apache2', APACHE_INSTALL),
      start: async (site, undeclared) => {
        placeFiles(site.output, apacheFiles(hostSiteOf(site, declaredHostQueries(undeclared))));
        return startApache({ output: site.output, modules: ['proxy', 'proxy_http'] });
      },
    },
    Varnish: {
      reason: missing('varnishd', VARNISH_INSTALL) ?? missing('nginx', NGINX_INSTALL),
      start: async (site, undeclared) => {
        const folder = join(dirname(site.output), `origin-${undeclared.slice(0, 4)}`);
        const server = `root ${site.output}; merge_slashes off;`;
        const origin = await startNginx({ folder, server });
        const varnish = await startVarnish(site, origin.port, declaredHostQueries(undeclared));
        return { ...varnish, end: () => varnish.end().then(origin.end) };
      },
    },
  };

type Running = { readonly site: MatrixSite; readonly companion: RunningCompanion };

const publications = new Map<string, Running>();

/** One publication for each base path, and the companion server of each. */
beforeAll(async () => {
  for (const basePath of ['', '/blog']) {
    const site = await buildDeclaredSite(basePath);
    publications.set(basePath, { site, companion: await startCompanion(site) });
  }
  return async () => {
    for (const { site, companion } of publications.values()) {
      await companion.end();
      site.remove();
    }
  };
});

const running = (basePath: string): Running => {
  const found = publications.get(basePath);
  if (found === undefined) throw new Error(`There is no publication at "${basePath}".`);
  return found;
};

const NAMES = Object.keys(SERVERS);

describe.each(NAMES.map((name) => ({ name, ...SERVERS[name] })))('$name', ({ reason, start }) => {
  describe.skipIf(reason !== null).each([
    { mode: 'refuse', basePath: '' },
    { mode: 'pass on', basePath: '/blog' },
    { mode: 'ignore', basePath: '/blog' },
  ] as const)(
    `${reason ?? ''} told to $mode what is undeclared, at "$basePath"`,
    ({ mode, basePath }) => {
      let host: DeclaredHost;
      let url: string;

      beforeAll(async () => {
        const { site, companion } = running(basePath);
        const address = `http://127.0.0.1:${companion.port}` as const;
        const server = await start?.(site, mode === 'pass on' ? address : mode);
        host = {
          ask: askAt(server?.port ?? 0),
          companion: askAt(companion.port),
          base: `${basePath}/content`,
        };
        url = `http://127.0.0.1:${server?.port}${basePath}`;
        return () => server?.end();
      });

      test.each([
        { limit: 2 },
        { include: 'tags' },
        { filter: 'tag: news', include: 'authors,tags', limit: 2 },
      ])("Ghost's own client reaches the last page of %j", async (options) => {
        const api = new GhostContentAPI({
          url,
          key: '0123456789abcdef0123456789',
          version: 'v6.0',
        });
        const ids: string[] = [];
        for (let page: number | null = 1; page !== null; ) {
          const posts = await api.posts.browse({ ...options, page });
          ids.push(...posts.map(({ id }) => id));
          page = posts.meta.pagination.next;
        }
        expect([ids.length, new Set(ids).size]).toEqual('filter' in options ? [5, 5] : [9, 9]);
      });

      if (mode !== 'ignore') checkDeclared(() => host);
      checkLoops(() => host);
      if (mode !== 'ignore') checkRecords(() => host, { refuses: mode === 'refuse' });
      if (mode === 'refuse') checkRefusals(() => host);
      if (mode === 'pass on') checkPassing(() => host);
      if (mode === 'ignore') checkIgnoring(() => host);
    },
  );
});
