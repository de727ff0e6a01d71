// Cloudflare Pages and Workers with their own asset server and worker runtime, as wrangler runs them. On Pages, what is absent
// must not be the home page, which Pages sends for every unknown address of a site without a 404.html. On Workers with the
// profile packed, the worker answers whatever wrangler leaves out by the list of what is not uploaded.
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cloudflareFiles } from '../../src/publish/hosts/cloudflare/files.ts';
import { cloudflarePagesFiles } from '../../src/publish/hosts/cloudflare-pages/files.ts';
import type { HostSite } from '../../src/publish/hosts/host.ts';
import { SEED } from '../helpers/random.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';
import { type Ask, askAt } from './ask.ts';
import { GENERATED, holdGenerated, writePacked } from './check-generated.ts';
import { hostTrials } from './check-host.ts';
import { queryTrials } from './check-queries.ts';
import type { RunningCompanion } from './companion-process.ts';
import { hostSiteOf } from './host-site.ts';
import { startHosts } from './hosts-of-file.ts';
import { placeFiles } from './place-files.ts';
import { freePort } from './program.ts';
import { rawByteExceptions } from './rule-exceptions.ts';
import type { MatrixSite } from './site.ts';
import { startProgram } from './start-program.ts';
import { holdAll } from './trials.ts';

/** The path of wrangler 4.86.0, the last for Node.js 20; it is no dependency, because it brings another workerd. */
const wrangler = process.env.PREPRESS_TEST_WRANGLER;
const reason =
  wrangler === undefined
    ? 'set PREPRESS_TEST_WRANGLER to node_modules/wrangler/bin/wrangler.js of wrangler 4.86.0'
    : '';

const PACKED = { profile: 'packed', variants: null } as const;

const folderOf = (site: MatrixSite): string => {
  const folder = join(dirname(site.output), 'wrangler');
  mkdirSync(folder);
  return folder;
};

const startWrangler = async (folder: string, args: readonly string[]) => {
  const port = await freePort();
  const place = ['--ip', '127.0.0.1', '--port', String(port)];
  const command = [process.execPath, wrangler ?? '', ...args, ...place];
  const environment = { HOME: folder, CI: '1', WRANGLER_SEND_METRICS: 'false' };
  const program = await startProgram([...command, '--show-interactive-dev-session=false'], {
    cwd: folder,
    port,
    environment,
  });
  return { ask: askAt(port), end: program.end };
};

const startPages = async (site: MatrixSite) => {
  const folder = folderOf(site);
  const served = join(folder, 'site');
  cpSync(site.output, served, { recursive: true });
  placeFiles(served, await cloudflarePagesFiles(hostSiteOf(site)));
  writeFileSync(join(served, 'index.html'), 'The home page.');
  return startWrangler(folder, ['pages', 'dev', served, '--compatibility-date', '2026-04-01']);
};

/** The site stays. */
const startWorkers = async (site: MatrixSite, given: Partial<HostSite> = {}) => {
  const folder = folderOf(site);
  for (const { path, text, isInOutput } of await cloudflareFiles(hostSiteOf(site, given)))
    writeFileSync(join(isInOutput === true ? site.output : folder, path), text);
  return startWrangler(folder, ['dev']);
};

type Started = Awaited<ReturnType<typeof startWrangler>> & { readonly companion: Ask };

const beside =
  (start: (site: MatrixSite) => ReturnType<typeof startWrangler>) =>
  async (site: MatrixSite, companion: () => Promise<RunningCompanion>): Promise<Started> => ({
    ...(await start(site)),
    companion: askAt((await companion()).port),
  });

describe.skipIf(reason !== '')(`wrangler's Pages ${reason}`, () => {
  const hosts = startHosts([
    { title: 'Pages', start: beside(startPages) },
    { title: 'Pages', basePath: '/blog', start: beside(startPages) },
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
        .flatMap((host) => queryTrials(host, host.companion)),
    ));

  test('the home page is there for what is no address of the interface', async () => {
    for (const { ask } of hosts()) {
      const { status, body } = await ask({ path: '/none' });
      expect([status, body.toString()]).toEqual([200, 'The home page.']);
    }
  });
});

describe.skipIf(reason !== '')(`wrangler's Workers ${reason}`, () => {
  const hosts = startHosts([
    { title: 'Workers', selection: PACKED, start: beside((site) => startWorkers(site)) },
  ]);

  test(`generated queries: ${GENERATED} are what an oracle works out (seed ${SEED})`, () =>
    holdGenerated('Workers', async (tree) => {
      const [host] = hosts();
      if (host === undefined) throw new Error('There is no host yet.');
      const { path: folder, remove } = suiteFolder();
      const output = join(folder, 'output');
      writePacked(output, tree);
      const site = { ...host.site, output };
      const { ask, end } = await startWorkers(site, { names: [], selection: PACKED });
      return { ask, end: () => end().then(remove) };
    }));

  test('lists and records are not among the assets', async () => {
    for (const { ask } of hosts()) {
      expect((await ask({ path: '/content/posts/index.json' })).status).toBe(404);
      expect((await ask({ path: '/content/packed/root.json' })).status).toBe(200);
    }
  });

  test('queries', () => holdAll(hosts().flatMap((host) => queryTrials(host, host.companion))));
});
