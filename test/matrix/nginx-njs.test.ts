// A real nginx with njs, the oldest that distributions have: the conformance list, generated queries against an oracle, and
// status, headers and bytes of consumers' queries against the companion server.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { RESOURCES } from '../../src/content/paths/endpoints.ts';
import { nginxNjs } from '../../src/publish/hosts/nginx-njs/host.ts';
import { bareHostSite } from '../helpers/host-site.ts';
import { SEED } from '../helpers/random.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';
import { type Answer, type Ask, askAt } from './ask.ts';
import { conditionTrials } from './check-conditions.ts';
import { encodingTrials } from './check-encodings.ts';
import { GENERATED, holdGenerated, writePacked } from './check-generated.ts';
import { hostTrials } from './check-host.ts';
import { QUERY_PATHS, queryTrials } from './check-queries.ts';
import { type RunningCompanion, startCompanion } from './companion-process.ts';
import { hostSiteOf } from './host-site.ts';
import { type HostUnderTest, startHosts } from './hosts-of-file.ts';
import { NJS_INSTALL, NJS_MODULE, njsRules, startNginx } from './nginx-process.ts';
import { findProgram, missing, missingFile } from './program.ts';
import { ruleExceptions } from './rule-exceptions.ts';
import { buildMatrixSite, type MatrixSite, UNICODE_SLUG } from './site.ts';
import { holdAll, type Trial } from './trials.ts';

const reason = missing('nginx', NJS_INSTALL) ?? missingFile(NJS_MODULE, NJS_INSTALL);

const startOver = async (site: MatrixSite) => {
  const folder = join(dirname(site.output), 'nginx-njs');
  return startNginx({ folder, ...(await njsRules(hostSiteOf(site), folder)) });
};

type NjsHost = HostUnderTest & { readonly companion: Ask };

/** njs 0.7.9 knows no normal forms: the page's slug is in NFD. */
const PATHS = QUERY_PATHS.filter((path) => !/%CC%8|^pages.slug/.test(path));

/** Where hosts get fewer variants, the file of a larger one is sent. */
const pathsOf = ({ site }: NjsHost): string[] =>
  site.selection.variants === null
    ? PATHS
    : PATHS.filter((path) => !/^[a-z]+\/[^?]+\?include=/.test(path));

/** An answer has the tag of its body, and is not sent to whom has it. */
const tagTrial = ({ title, site, ask }: NjsHost): Trial => ({
  host: title,
  request: 'the tag of a query',
  hold: async (compare) => {
    const path = `${site.basePath}/content/posts/?filter=tag:news&limit=2&fields=title`;
    const { etag } = (await ask({ path })).headers;
    for (const known of [`${etag}`, `"other", W/${etag}`, '*']) {
      const asked = { path, headers: { 'if-none-match': known } };
      const again = await ask(asked);
      compare(`body for ${known}`, again.body.length, 0);
      compare(`status, etag for ${known}`, [again.status, again.headers.etag], [304, etag]);
    }
    const other = await ask({ path, headers: { 'if-none-match': '"other"' } });
    compare('status for another tag', other.status, 200);
  },
});

const QUERIES_ANSWERED = /posts\/\?limit=5|filter=(?:tag:|visibility:internal)|page=9999|page=x/;

describe.skipIf(reason !== null)(`nginx with njs ${reason ?? ''}`, () => {
  const start = async (site: MatrixSite, companion: () => Promise<RunningCompanion>) => ({
    ...(await startOver(site)),
    companion: askAt((await companion()).port),
  });
  const hosts = startHosts([
    { title: 'njs', start },
    { title: 'njs', basePath: '/blog', start },
  ]);

  test('conditions and ranges', () => holdAll(hosts().flatMap(conditionTrials)));

  test('documents and addresses', () =>
    holdAll(
      hosts().flatMap((host) =>
        hostTrials(host, {
          exceptions: (request) =>
            QUERIES_ANSWERED.test(request.path) ? 'queries are answered' : ruleExceptions(request),
        }),
      ),
    ));

  test('encodings', () => holdAll(hosts().flatMap((host) => encodingTrials(host, ['gzip']))));

  test('queries', () =>
    holdAll(
      hosts().flatMap((host) => [
        ...queryTrials(host, host.companion, { paths: pathsOf(host), encodes: true }),
        tagTrial(host),
      ]),
    ));

  test('nginx tries the rules before it is reloaded', () => {
    const rules = join(dirname(hosts()[0]?.site.output ?? ''), 'nginx-njs');
    const folder = mkdtempSync(join(rules, 'test-'));
    const config = join(folder, 'config');
    const site = bareHostSite();
    const { text, command } = nginxNjs.test?.({ rules, folder, config }, site) ?? {
      text: '',
      command: [],
    };
    writeFileSync(config, text);
    const [program = '', ...args] = command;
    const tried = () => spawnSync(findProgram(program), args, { encoding: 'utf8' });
    expect(tried().status).toBe(0);
    writeFileSync(config, text.replace(/^load_module.*/, ''));
    expect(tried().stderr).toContain('js_path');
  });
});

test.skipIf(reason !== null)(
  `with the profile by-id, reads by slug are answered without their files ${reason ?? ''}`,
  async () => {
    const site = await buildMatrixSite('', { profile: 'by-id', variants: null });
    const paths = PATHS.filter((one) => one.includes('/slug/')).concat(SLUG_PATHS);
    const ask = (port: number): Promise<string[]> =>
      Promise.all(paths.map(async (path) => said(await askAt(port)({ path: `/content/${path}` }))));
    const server = await startCompanion(site);
    const expected = await ask(server.port);
    await server.end();
    for (const resource of RESOURCES)
      rmSync(join(site.content, resource, 'slug'), { recursive: true, force: true });
    const nginx = await startOver(site);
    const answers = await ask(nginx.port);
    await nginx.end();
    site.remove();
    await holdAll(
      paths.map((path, at) => ({
        host: 'njs by id',
        request: path,
        hold: (compare) => compare('answer', answers[at], expected[at]),
      })),
    );
    for (const status of ['200', '404', '422'])
      expect(expected.filter((one) => one.startsWith(status)).length).toBeGreaterThan(0);
  },
);

const SLUG_PATHS = ['', '?include=tags', '?include=authors,tags', '?include=tags%C2%A0'].flatMap(
  (query) =>
    ['welcome', encodeURIComponent(UNICODE_SLUG), 'con', 'none'].map(
      (slug) => `posts/slug/${slug}/${query}`,
    ),
);

const said = ({ status, body }: Answer): string =>
  `${status} ${body}`.replace(/"id":"[0-9a-f-]{36}"(?=,"ghostErrorCode")/, '"id":null');

test.skipIf(reason !== null)(
  `${GENERATED} queries are what an oracle works out (seed ${SEED}) ${reason ?? ''}`,
  () =>
    holdGenerated('njs', async (tree) => {
      const { path: folder, remove } = suiteFolder();
      const output = join(folder, 'output');
      writePacked(output, tree);
      const whole = await buildMatrixSite();
      const selection = { profile: 'packed', variants: null } as const;
      const site = hostSiteOf(whole, { output, root: output, names: [], selection });
      whole.remove();
      const nginx = await startNginx({ folder, ...(await njsRules(site, join(folder, 'rules'))) });
      const end = async (): Promise<void> => {
        await nginx.end();
        remove();
      };
      return { ask: askAt(nginx.port), end };
    }),
);
