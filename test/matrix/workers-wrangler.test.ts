// Cloudflare Workers with its own asset server, as wrangler runs it: with the profile packed, whatever wrangler leaves out by
// the list of what is not uploaded is answered by the worker.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { cloudflareFiles } from '../../src/hosts/cloudflare/files.ts';
import { askAt } from './ask.ts';
import type { HostUnderTest } from './check-host.ts';
import { expectSame, QUERY_PATHS } from './check-queries.ts';
import { type RunningCompanion, startCompanion } from './companion-process.ts';
import { hostSiteOf } from './host-site.ts';
import { freePort, startProgram } from './program.ts';
import { buildMatrixSite } from './site.ts';

const wrangler = process.env.PREPRESS_TEST_WRANGLER;
const reason =
  wrangler === undefined
    ? 'set PREPRESS_TEST_WRANGLER to node_modules/wrangler/bin/wrangler.js of wrangler 4.86.0'
    : '';

describe.skipIf(reason !== '')(`wrangler's Workers ${reason}`, () => {
  let running: HostUnderTest;
  let companion: RunningCompanion;

  beforeAll(async () => {
    const site = await buildMatrixSite('', { profile: 'packed', variants: null });
    const folder = join(dirname(site.output), 'wrangler');
    mkdirSync(folder);
    for (const { path, text, isInOutput } of await cloudflareFiles(hostSiteOf(site)))
      writeFileSync(join(isInOutput === true ? site.output : folder, path), text);
    companion = await startCompanion(site);
    const port = await freePort();
    const program = await startProgram(
      [
        process.execPath,
        wrangler ?? '',
        ...['dev', '--ip', '127.0.0.1', '--port', String(port)],
        '--show-interactive-dev-session=false',
      ],
      {
        cwd: folder,
        port,
        environment: { HOME: folder, CI: '1', WRANGLER_SEND_METRICS: 'false' },
      },
    );
    running = { site, ask: askAt(port) };
    return async () => {
      await Promise.all([program.end(), companion.end()]);
      site.remove();
    };
  });

  test('lists and records are not among the assets', async () => {
    const { ask } = running;
    expect((await ask({ path: '/content/posts/index.json' })).status).toBe(404);
    expect((await ask({ path: '/content/packed/root.json' })).status).toBe(200);
  });

  test.each(QUERY_PATHS)('%s is what the companion server answers', async (path) => {
    const { ask } = running;
    await expectSame({ ask, companion: askAt(companion.port) }, `/content/${path}`);
  });
});
