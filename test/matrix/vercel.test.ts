// Vercel's routes and middleware, played; Vercel's own package checks the syntax of the routes.
import { dirname, join } from 'node:path';
import { normalizeRoutes } from '@vercel/routing-utils';
import { describe, expect, test } from 'vitest';
import type { Selection } from '../../src/content/paths/selection.ts';
import { vercelFiles } from '../../src/publish/hosts/vercel/files.ts';
import { askAt } from './ask.ts';
import { hostTrials } from './check-host.ts';
import { holdPages } from './check-pages.ts';
import { queryTrials } from './check-queries.ts';
import type { RunningCompanion } from './companion-process.ts';
import { hostSiteOf } from './host-site.ts';
import { startHosts } from './hosts-of-file.ts';
import { rawByteExceptions } from './rule-exceptions.ts';
import type { MatrixSite } from './site.ts';
import { uploadTo } from './start-worker.ts';
import { holdAll } from './trials.ts';
import { routesIn, startVercel } from './vercel-process.ts';

const PACKED: Selection = { profile: 'packed', variants: null };

/** Explicit names of lists and records. */
const LISTED = /content\/(?:posts|pages|tags|authors)\/.*[.]json$/;

const outputOf = (site: MatrixSite): string => {
  if (site.selection !== PACKED) return site.output;
  const served = join(dirname(site.output), 'served');
  const ignored = ['posts', 'pages', 'tags', 'authors'].map(
    (name) => `${site.basePath}/content/${name}/`,
  );
  uploadTo(site, { served, ignored: ignored.join('\n') });
  return served;
};

const start = async (site: MatrixSite, companion: () => Promise<RunningCompanion>) => ({
  ...(await startVercel(outputOf(site), await vercelFiles(hostSiteOf(site)))),
  companion: askAt((await companion()).port),
});

describe('Vercel', () => {
  const hosts = startHosts([
    { title: 'every file', start },
    { title: 'the packed tree only', basePath: '/blog', selection: PACKED, start },
  ]);

  test('documents and addresses', () =>
    holdAll(
      hosts().flatMap((host) =>
        hostTrials(host, {
          answersAll: true,
          exceptions: (request) => {
            if (host.site.selection === PACKED && LISTED.test(request.path))
              return 'these files are left out';
            return request.path === '/content'
              ? 'its rules are of what lies below'
              : rawByteExceptions(request);
          },
        }),
      ),
    ));

  test('queries', () => holdAll(hosts().flatMap((host) => queryTrials(host, host.companion))));

  test('who takes compressed answers can read them', async () => {
    for (const { site, port } of hosts()) {
      const response = await fetch(`http://127.0.0.1:${port}${site.basePath}/content/posts/`);
      expect(response.headers.get('content-encoding')).toBe('gzip');
      const read = await response.text().catch((error: Error) => error.message);
      expect(read).toMatch(/^\{"posts":\[/);
    }
  });

  test('pages for readers', () => holdPages(hosts().slice(0, 1), { isPlayed: true }));

  test('are routes to their own package', async () => {
    for (const { site } of hosts()) {
      const routes = routesIn(await vercelFiles(hostSiteOf(site)));
      expect(normalizeRoutes(routes as never).error).toBeNull();
    }
  });
});
