// Cloudflare Pages with its own asset server and worker runtime, as wrangler runs them: what is absent must not be
// the home page, which Pages sends for every unknown address of a site without a 404.html.
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cloudflarePagesFiles } from '../../src/hosts/cloudflare-pages/files.ts';
import { type Ask, askAt } from './ask.ts';
import { hostTrials } from './check-host.ts';
import { QUERY_PATHS, queryTrials } from './check-queries.ts';
import { hostSiteOf } from './host-site.ts';
import { type Configuration, startHosts } from './hosts-of-file.ts';
import { placeFiles } from './place-files.ts';
import { freePort, type RunningProgram, startProgram } from './program.ts';
import { rawByteExceptions } from './rule-exceptions.ts';
import { holdAll } from './trials.ts';

/** The path of wrangler 4.86.0, the last for Node.js 20; it is no dependency, because it brings another workerd. */
const wrangler = process.env.PREPRESS_TEST_WRANGLER;
const reason =
  wrangler === undefined
    ? 'set PREPRESS_TEST_WRANGLER to node_modules/wrangler/bin/wrangler.js of wrangler 4.86.0'
    : '';

const start: Configuration<Wrangler>['start'] = async (site, companion) => {
  const folder = join(dirname(site.output), 'wrangler');
  const served = join(folder, 'site');
  mkdirSync(folder);
  cpSync(site.output, served, { recursive: true });
  placeFiles(served, await cloudflarePagesFiles(hostSiteOf(site)));
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
  return { ...program, port, companion: askAt((await companion()).port) };
};

type Wrangler = RunningProgram & { readonly port: number; readonly companion: Ask };

describe.skipIf(reason !== '')(`wrangler's Pages ${reason}`, () => {
  const hosts = startHosts([
    { title: 'Pages', start },
    { title: 'Pages', basePath: '/blog', start },
  ]);

  test('documents and addresses', () =>
    holdAll(
      hosts().flatMap((host) =>
        hostTrials(host, {
          answersAll: true,
          exceptions: (request) =>
            /content%2F|%2e%2e/.test(request.path)
              ? 'it leads out of /content, where the home page stands for everything'
              : rawByteExceptions(request),
        }),
      ),
    ));

  test('queries', () =>
    holdAll(
      hosts()
        .slice(0, 1)
        .flatMap((host) => queryTrials(host, host.companion, QUERY_PATHS)),
    ));

  test('the home page is there for what is no address of the interface', async () => {
    for (const { ask } of hosts()) {
      const { status, body } = await ask({ path: '/none' });
      expect([status, body.toString()]).toEqual([200, 'The home page.']);
    }
  });
});
