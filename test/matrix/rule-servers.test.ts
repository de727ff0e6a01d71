// Queries on the servers that read rules: each with the same publication, and three ways with what has no file.
import GhostContentAPI from '@tryghost/content-api';
import { describe, test } from 'vitest';
import { askAt } from './ask.ts';
import { declaredTrials } from './check-declared.ts';
import { listTrials, type Mode, type RuleHost, undeclaredOf } from './check-lists.ts';
import { buildDeclaredSite, declaredHostQueries } from './declared-site.ts';
import { startHosts } from './hosts-of-file.ts';
import { SERVERS } from './servers.ts';
import { holdAll, type Trial } from './trials.ts';

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

describe.each(SERVERS)('$name', ({ reason, start }) => {
  describe.skipIf(reason !== null)(reason ?? '', () => {
    const hosts = startHosts(
      MODES.map(({ mode, basePath }) => ({
        title: mode,
        basePath,
        start: async (site, companion) => {
          const { port } = await companion();
          const hostSite = declaredHostQueries(undeclaredOf(mode, port));
          const server = await start(site, { hostSite, name: mode.replace(' ', '-') });
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
