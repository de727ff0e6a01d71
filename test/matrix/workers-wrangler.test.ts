// Cloudflare Workers with its own asset server, as wrangler runs it: with the profile packed, whatever wrangler leaves out by
// the list of what is not uploaded is answered by the worker.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { cloudflareFiles } from '../../src/hosts/cloudflare/files.ts';
import type { HostSite } from '../../src/hosts/host.ts';
import { SEED } from '../helpers/random.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';
import { askAt } from './ask.ts';
import { checkGenerated, GENERATED, writePacked } from './check-generated.ts';
import type { HostUnderTest } from './check-host.ts';
import { expectSame, QUERY_PATHS } from './check-queries.ts';
import { type RunningCompanion, startCompanion } from './companion-process.ts';
import { hostSiteOf } from './host-site.ts';
import { freePort, startProgram } from './program.ts';
import { buildMatrixSite, type MatrixSite } from './site.ts';

const wrangler = process.env.PREPRESS_TEST_WRANGLER;
const reason =
  wrangler === undefined
    ? 'set PREPRESS_TEST_WRANGLER to node_modules/wrangler/bin/wrangler.js of wrangler 4.86.0'
    : '';

const PACKED = { profile: 'packed', variants: null } as const;

/** The site stays. */
const startWrangler = async (site: MatrixSite, given: Partial<HostSite> = {}) => {
  const folder = join(dirname(site.output), 'wrangler');
  mkdirSync(folder);
  for (const { path, text, isInOutput } of await cloudflareFiles(hostSiteOf(site, given)))
    writeFileSync(join(isInOutput === true ? site.output : folder, path), text);
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
  return { ask: askAt(port), end: program.end };
};

describe.skipIf(reason !== '')(`wrangler's Workers ${reason}`, () => {
  let running: HostUnderTest;
  let companion: RunningCompanion;

  beforeAll(async () => {
    const site = await buildMatrixSite('', PACKED);
    companion = await startCompanion(site);
    const { ask, end } = await startWrangler(site);
    running = { site, ask };
    return async () => {
      await Promise.all([end(), companion.end()]);
      site.remove();
    };
  });

  test(`${GENERATED} generated queries are what an oracle works out (seed ${SEED})`, () =>
    checkGenerated(async (tree) => {
      const { path: folder, remove } = suiteFolder();
      const output = join(folder, 'output');
      writePacked(output, tree);
      const site = { ...running.site, output };
      const { ask, end } = await startWrangler(site, { names: [], selection: PACKED });
      return { ask, end: () => end().then(remove) };
    }));

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
