// Hosts with a flaw of safety, each of which the list has to notice: a list that sees nothing would pass on every host.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, test } from 'vitest';
import { bundleEdge } from '../../src/publish/hosts/bundles/bundle.ts';
import { askAt } from './ask.ts';
import { requestTrial } from './check-host.ts';
import { REQUESTS, type Request } from './conformance.ts';
import { hostSiteOf } from './host-site.ts';
import type { HostUnderTest } from './hosts-of-file.ts';
import { OTHER_HTTP, OTHER_SERVER } from './nginx-others.ts';
import { NGINX_INSTALL, nginxRules, startNginx } from './nginx-process.ts';
import { missing } from './program.ts';
import { BOOK, buildMatrixSite, type MatrixSite } from './site.ts';
import type { RunningProgram } from './start-program.ts';
import { BROKEN, findDifferences, holdAll, type Trial } from './trials.ts';
import { startWorkerd } from './workerd-process.ts';

const CSP = /add_header Content-Security-Policy [^\n]*/g;

/** What is wrong, the text that makes it so, and the requests that must notice. */
type Flaw = readonly [what: string, from: RegExp, to: string, notice: readonly string[]];

const NGINX: readonly Flaw[] = [
  ['encoded slashes are decoded', /\|%2\[fF\]/g, '', ['/content/posts/slug%2fwelcome/']],
  ['doubled slashes are merged', /\(\?:\/\/\|/g, '(?:', ['/content//posts/']],
  ['files are documents', CSP, '', ['/content/images/drawing.svg', `/ghost/api/content/${BOOK}`]],
  ['absent is kept for an hour', /max-age=10"/g, 'max-age=3600"', ['/content/posts/slug/none/']],
  [
    'a redirect loses the query',
    /\$is_args\$args/,
    '',
    ['/content/posts?include=tags%2Cauthors&key=1'],
  ],
  ['no asked headers', /\$http_access_control_request_headers/g, 'x', ['/content/posts/']],
  ['no other site may read', / always;/g, ';', ['/content/posts/slug/none/']],
];

const WORKER: readonly Flaw[] = [
  ['the home page is absent', /\/\^text\\\/html\//, '/^none/', ['/content/posts/slug/none/']],
];

const reason = missing('nginx', NGINX_INSTALL);

const inserted = (text: string, [, from, to]: Flaw): string =>
  text.replace(from, to.replaceAll('$', '$$$$'));

const flawed = (text: string, flaw: Flaw): string => {
  const result = inserted(text, flaw);
  if (result === text) throw new Error(`The text has no place for this flaw: ${flaw[0]}.`);
  return result;
};

const requestsFor = (notice: string): Request[] => REQUESTS.filter(({ path }) => path === notice);

/** The requests of a flaw that must notice it and do not: each must differ at one method at least. */
const unnoticed = async (host: HostUnderTest, [, , , notices]: Flaw): Promise<string[]> => {
  const found = await Promise.all(
    notices.map(async (notice) => {
      const trials = requestsFor(notice).map((request) => requestTrial(host, request));
      const differences = await findDifferences(trials);
      return differences.some(({ what }) => what !== BROKEN) ? [] : [notice];
    }),
  );
  return found.flat();
};

/** One row for each flaw; the list that every host is held to has to see all of them. */
const holdNoticed = async (
  flaws: readonly Flaw[],
  start: (flaw: Flaw) => Promise<HostUnderTest & RunningProgram>,
): Promise<void> => {
  const trials = flaws.map(
    (flaw): Trial => ({
      host: flaw[0],
      request: 'flaw',
      hold: async (compare) => {
        const host = await start(flaw);
        compare('unnoticed by', await unnoticed(host, flaw).finally(host.end), []);
      },
    }),
  );
  await holdAll(trials, 2);
};

let site: MatrixSite;

beforeAll(async () => {
  site = await buildMatrixSite();
  return () => site.remove();
});

test.skipIf(reason !== null)(`the list notices flaws of nginx ${reason ?? ''}`, () => {
  return holdNoticed(NGINX, async (flaw) => {
    const folder = mkdtempSync(join(dirname(site.output), 'nginx-'));
    const texts: string[] = [];
    const rules = nginxRules(site, folder, (text) => {
      texts.push(text);
      return inserted(text, flaw);
    });
    // In one of the two files at least.
    flawed(texts.join(''), flaw);
    const nginx = await startNginx({
      folder,
      http: `${OTHER_HTTP} ${rules.http}`,
      server: `${OTHER_SERVER} ${rules.server}`,
    });
    return { ...nginx, title: flaw[0], site, ask: askAt(nginx.port) };
  });
});

test('the list notices flaws of the worker', async () => {
  writeFileSync(join(site.output, 'index.html'), 'The home page.');
  const bundled = await bundleEdge({ entry: 'worker', site: hostSiteOf(site) });
  await holdNoticed(WORKER, async (flaw) => {
    const folder = mkdtempSync(join(dirname(site.output), 'workerd-'));
    const worker = flawed(bundled, flaw);
    const workerd = await startWorkerd({ folder, output: site.output, worker });
    return { ...workerd, title: flaw[0], site, ask: askAt(workerd.port) };
  });
});
