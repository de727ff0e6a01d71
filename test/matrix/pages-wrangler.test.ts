// Cloudflare Pages with its own asset server and worker runtime, as wrangler runs them: what is absent must not be
// the home page, which Pages sends for every unknown address of a site without a 404.html.
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { cloudflarePagesFiles } from '../../src/hosts/cloudflare-pages/files.ts';
import { askAt } from './ask.ts';
import { checkHost, type HostUnderTest } from './check-host.ts';
import { expectSame, QUERY_PATHS } from './check-queries.ts';
import { type RunningCompanion, startCompanion } from './companion-process.ts';
import { hostSiteOf } from './host-site.ts';
import { freePort, startProgram } from './program.ts';
import { rawByteExceptions } from './rule-exceptions.ts';
import { buildMatrixSite } from './site.ts';

/** The path of wrangler 4.86.0, the last for Node.js 20; it is no dependency, because it brings another workerd. */
const wrangler = process.env.PREPRESS_TEST_WRANGLER;
const reason =
  wrangler === undefined
    ? 'set PREPRESS_TEST_WRANGLER to node_modules/wrangler/bin/wrangler.js of wrangler 4.86.0'
    : '';

describe.skipIf(reason !== '').each(['', '/blog'])(
  `wrangler's Pages ${reason} at "%s"`,
  (basePath) => {
    let running: HostUnderTest;
    let companion: RunningCompanion | undefined;

    beforeAll(async () => {
      const site = await buildMatrixSite(basePath);
      const folder = join(dirname(site.output), 'wrangler');
      const served = join(folder, 'site');
      mkdirSync(folder);
      cpSync(site.output, served, { recursive: true });
      for (const { path, text } of await cloudflarePagesFiles(hostSiteOf(site)))
        writeFileSync(join(served, path), text);
      writeFileSync(join(served, 'index.html'), 'The home page.');
      const port = await freePort();
      const program = await startProgram(
        [
          process.execPath,
          wrangler ?? '',
          ...['pages', 'dev', served, '--ip', '127.0.0.1', '--port', String(port)],
          ...['--compatibility-date', '2026-04-01', '--show-interactive-dev-session=false'],
        ],
        {
          cwd: folder,
          port,
          environment: { HOME: folder, CI: '1', WRANGLER_SEND_METRICS: 'false' },
        },
      );
      running = { site, ask: askAt(port) };
      return async () => {
        await Promise.all([program.end(), companion?.end()]);
        site.remove();
      };
    });

    checkHost(() => running, {
      answersAll: true,
      exceptions: (request) =>
        /content%2F|%2e%2e/.test(request.path)
          ? 'it leads out of /content, where the home page stands for everything'
          : rawByteExceptions(request),
    });

    test.each(basePath === '' ? QUERY_PATHS : [])(
      '%s is what the companion server answers',
      async (path) => {
        const { ask, site } = running;
        companion ??= await startCompanion(site);
        await expectSame({ ask, companion: askAt(companion.port) }, `/content/${path}`);
      },
    );

    test('the home page is there for what is no address of the interface', async () => {
      const { status, body } = await running.ask({ path: '/none' });
      expect([status, body.toString()]).toEqual([200, 'The home page.']);
    });
  },
);
