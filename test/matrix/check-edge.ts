// Netlify's edge function, run as Netlify runs it: the list that every host is held to, and every query as the companion
// server answers it.
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Selection } from '../../src/content/paths/selection.ts';
import { netlifyEdgeFiles } from '../../src/publish/hosts/netlify-edge/files.ts';
import { type Ask, askAt } from './ask.ts';
import { holdGuarded } from './check-guarded.ts';
import { hostTrials } from './check-host.ts';
import { pageTrials, putPages } from './check-pages.ts';
import { queryTrials } from './check-queries.ts';
import { type RunningEdge, startEdge } from './edge-process.ts';
import { hostSiteOf } from './host-site.ts';
import { type Configuration, startHosts } from './hosts-of-file.ts';
import { rawByteExceptions } from './rule-exceptions.ts';
import type { MatrixSite } from './site.ts';
import { uploadTo } from './start-worker.ts';
import { holdAll } from './trials.ts';

/** Explicit names of lists and records. */
const LISTED = /content\/(?:posts|pages|tags|authors)\/.*[.]json$/;
const PACKED: Selection = { profile: 'packed', variants: null };

/** `deno` is the path of Deno's program; without it the function runs in this process. */
export const checkEdge = (deno?: string): void => {
  const start = async (site: MatrixSite, keys?: readonly string[]): Promise<RunningEdge> => {
    const keyHashes = keys?.map((key) => createHash('sha256').update(key).digest('hex')) ?? null;
    const files = await netlifyEdgeFiles(hostSiteOf(site, { keyHashes }));
    const text = files.find(({ path }) => path.endsWith('.js'))?.text ?? '';
    const folder = dirname(site.output);
    const { basePath, selection } = site;
    if (selection.profile !== 'packed')
      return startEdge(text, { folder, output: site.output, deno });
    const served = join(folder, 'served');
    const ignored = ['posts', 'pages', 'tags', 'authors'].map(
      (name) => `${basePath}/content/${name}/`,
    );
    uploadTo(site, { served, ignored: ignored.join('\n') });
    return startEdge(text, { folder, output: served, deno });
  };
  const started: Configuration<RunningEdge & { readonly companion: Ask }>['start'] = async (
    site,
    companion,
  ) => ({ ...(await start(site)), companion: askAt((await companion()).port) });
  const hosts = startHosts([
    { title: 'every file', start: started },
    { title: 'the packed tree only', basePath: '/blog', selection: PACKED, start: started },
  ]);

  test('documents and addresses', () =>
    holdAll(
      hosts().flatMap((host) =>
        hostTrials(host, {
          answersAll: true,
          exceptions: (request) => {
            if (host.site.selection === PACKED && LISTED.test(request.path))
              return 'these files are left out';
            return /%2e%2e\/$/.test(request.path)
              ? 'a Request has no dot segments left in its URL'
              : rawByteExceptions(request);
          },
        }),
      ),
    ));

  test('queries', () =>
    holdAll(
      hosts()
        .slice(0, 1)
        .flatMap((host) => queryTrials(host, host.companion)),
    ));

  test('asked for content keys, it is called for every path, and no spelling passes them', async () => {
    const [{ site } = { site: null }] = hosts();
    if (site === null) throw new Error('There is no host.');
    const routesOf = async (keyHashes: readonly string[] | null): Promise<string> => {
      const [edge] = await netlifyEdgeFiles(hostSiteOf(site, { keyHashes }));
      return /routes:(\[[^\]]*\])/.exec(edge?.text ?? '')?.[1] ?? '';
    };
    expect(await routesOf(null)).toBe('["/content","/content/*","/ghost/api/*"]');
    expect(await routesOf(['0'.repeat(64)])).toBe('["/*"]');
    const guarded = await start(site, ['right']);
    onTestFinished(guarded.end);
    await holdGuarded(askAt(guarded.port));
  });

  test('pages for readers', async () => {
    for (const { site } of hosts()) {
      putPages(site);
      const served = join(dirname(site.output), 'served');
      if (site.selection === PACKED) putPages({ ...site, output: served });
    }
    await holdAll(hosts().flatMap((host) => pageTrials(host, { isPlayed: true })));
  });
};
