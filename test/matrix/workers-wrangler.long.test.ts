// Cloudflare Workers with its own asset server, as wrangler runs it: with the profile packed, whatever wrangler leaves out by
// the list of what is not uploaded is answered by the worker.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cloudflareFiles } from '../../src/hosts/cloudflare/files.ts';
import type { HostSite } from '../../src/hosts/host.ts';
import { SEED } from '../helpers/random.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';
import { askAt } from './ask.ts';
import { GENERATED, holdGenerated, writePacked } from './check-generated.ts';
import { QUERY_PATHS, queryTrials } from './check-queries.ts';
import { hostSiteOf } from './host-site.ts';
import { startHosts } from './hosts-of-file.ts';
import { freePort, startProgram } from './program.ts';
import type { MatrixSite } from './site.ts';
import { holdAll } from './trials.ts';

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
  const hosts = startHosts([
    {
      title: 'Workers',
      selection: PACKED,
      start: async (site, companion) => ({
        ...(await startWrangler(site)),
        companion: askAt((await companion()).port),
      }),
    },
  ]);

  test(`generated queries: ${GENERATED} are what an oracle works out (seed ${SEED})`, () =>
    holdGenerated('Workers', async (tree) => {
      const [host] = hosts();
      if (host === undefined) throw new Error('There is no host yet.');
      const { path: folder, remove } = suiteFolder();
      const output = join(folder, 'output');
      writePacked(output, tree);
      const site = { ...host.site, output };
      const { ask, end } = await startWrangler(site, { names: [], selection: PACKED });
      return { ask, end: () => end().then(remove) };
    }));

  test('lists and records are not among the assets', async () => {
    for (const { ask } of hosts()) {
      expect((await ask({ path: '/content/posts/index.json' })).status).toBe(404);
      expect((await ask({ path: '/content/packed/root.json' })).status).toBe(200);
    }
  });

  test('queries', () =>
    holdAll(hosts().flatMap((host) => queryTrials(host, host.companion, QUERY_PATHS))));
});
