// Netlify's edge function, run as Netlify runs it: the list that every host is held to, and every query as the companion
// server answers it.
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { netlifyEdgeFiles } from '../../src/hosts/netlify-edge/files.ts';
import type { Selection } from '../../src/paths/selection.ts';
import { askAt } from './ask.ts';
import { checkHost, type HostUnderTest } from './check-host.ts';
import { checkPages, putPages } from './check-pages.ts';
import { expectSame, QUERY_PATHS } from './check-queries.ts';
import { startCompanion } from './companion-process.ts';
import { DISGUISES } from './conformance.ts';
import { type RunningEdge, startEdge } from './edge-process.ts';
import { hostSiteOf } from './host-site.ts';
import { rawByteExceptions } from './rule-exceptions.ts';
import { buildMatrixSite, type MatrixSite } from './site.ts';
import { uploadTo } from './start-worker.ts';

/** Explicit names of lists and records. */
const LISTED = /content\/(?:posts|pages|tags|authors)\/.*[.]json$/;
const PACKED: Selection = { profile: 'packed', variants: null };

const start = async (site: MatrixSite, keys?: readonly string[]): Promise<RunningEdge> => {
  const keyHashes = keys?.map((key) => createHash('sha256').update(key).digest('hex')) ?? null;
  const files = await netlifyEdgeFiles(hostSiteOf(site, { keyHashes }));
  const text = files.find(({ path }) => path.endsWith('.js'))?.text ?? '';
  const folder = dirname(site.output);
  const { basePath, selection } = site;
  if (selection.profile !== 'packed') return startEdge(text, { folder, output: site.output });
  const served = join(folder, 'served');
  const ignored = ['posts', 'pages', 'tags', 'authors'].map(
    (name) => `${basePath}/content/${name}/`,
  );
  uploadTo(site, { served, ignored: ignored.join('\n') });
  return startEdge(text, { folder, output: served });
};

describe.each([
  { title: 'with every file', basePath: '', selection: undefined },
  { title: 'below a base path, with the packed tree only', basePath: '/blog', selection: PACKED },
])('the edge function $title', ({ basePath, selection }) => {
  let running: HostUnderTest;
  let server: Awaited<ReturnType<typeof startCompanion>>;

  beforeAll(async () => {
    const site = await buildMatrixSite(basePath, selection);
    const edge = await start(site);
    server = await startCompanion(site);
    running = { site, ask: askAt(edge.port) };
    return async () => {
      await Promise.all([edge.end(), server.end()]);
      site.remove();
    };
  });

  checkHost(() => running, {
    answersAll: true,
    exceptions: (request) => {
      if (selection === PACKED && LISTED.test(request.path)) return 'these files are left out';
      return /%2e%2e\/$/.test(request.path)
        ? 'a Request has no dot segments left in its URL'
        : rawByteExceptions(request);
    },
  });

  test.each(basePath === '' ? QUERY_PATHS : [])(
    '%s is what the companion server answers',
    async (path) => {
      const { ask } = running;
      await expectSame({ ask, companion: askAt(server.port) }, `/content/${path}`);
    },
  );

  describe('with pages', () => {
    beforeAll(() => {
      const { site } = running;
      putPages(site);
      if (selection === PACKED) putPages({ ...site, output: join(dirname(site.output), 'served') });
    });

    checkPages(() => running, { isPlayed: true });
  });
});

test('asked for content keys, it is called for every path', async () => {
  const site = await buildMatrixSite();
  const routesOf = async (keyHashes: readonly string[] | null): Promise<string> => {
    const [edge] = await netlifyEdgeFiles(hostSiteOf(site, { keyHashes }));
    return /routes:(\[[^\]]*\])/.exec(edge?.text ?? '')?.[1] ?? '';
  };
  expect(await routesOf(null)).toBe('["/content","/content/*","/ghost/api/*"]');
  expect(await routesOf(['0'.repeat(64)])).toBe('["/*"]');
  site.remove();
});

test('no spelling of a path passes the content key', async () => {
  const site = await buildMatrixSite();
  const guarded = await start(site, ['right']);
  try {
    const ask = askAt(guarded.port);
    expect((await ask({ path: '/content/posts/?limit=1&key=right' })).status).toBe(200);
    for (const path of ['/content/posts/?limit=1', ...DISGUISES]) {
      expect((await ask({ path })).status, path).toBeOneOf([403, 404]);
    }
  } finally {
    await guarded.end();
    site.remove();
  }
});
