// A real nginx with njs, the oldest that distributions have: the conformance list, generated queries against an oracle, and
// status, headers and bytes of consumers' queries against the companion server.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nginxNjs } from '../../src/hosts/nginx-njs/host.ts';
import { RESOURCES } from '../../src/paths/endpoints.ts';
import { consumerQueries, REFUSED_QUERIES } from '../helpers/consumer-queries.ts';
import { SEED } from '../helpers/random.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';
import { type Answer, type Ask, askAt } from './ask.ts';
import { encodingTrials } from './check-encodings.ts';
import { GENERATED, holdGenerated, writePacked } from './check-generated.ts';
import { hostTrials } from './check-host.ts';
import { KNOWN, ODD_INCLUDES, QUERY_PATHS } from './check-queries.ts';
import { type RunningCompanion, startCompanion } from './companion-process.ts';
import { hostSiteOf } from './host-site.ts';
import { type HostUnderTest, startHosts } from './hosts-of-file.ts';
import { NJS_INSTALL, NJS_MODULE, njsRules, startNginx } from './nginx-process.ts';
import { findProgram, missing, missingFile } from './program.ts';
import { ruleExceptions } from './rule-exceptions.ts';
import { buildMatrixSite, type MatrixSite, POST_ID, UNICODE_SLUG } from './site.ts';
import { holdAll, type Trial } from './trials.ts';

const reason = missing('nginx', NJS_INSTALL) ?? missingFile(NJS_MODULE, NJS_INSTALL);

const startOver = async (site: MatrixSite) => {
  const folder = join(dirname(site.output), 'nginx-njs');
  return startNginx({ folder, ...(await njsRules(hostSiteOf(site), folder)) });
};

const HEADERS = ['content-type', 'cache-control', 'access-control-allow-origin'].concat([
  'content-version',
  'deprecation',
  'retry-after',
  'content-length',
]);
const PROBLEM_ID = /"id":"[0-9a-f-]{36}"(?=,"ghostErrorCode")/;

/** What a client sees; errors of the server have an id of their own, and so another length. */
const shown = ({ status, headers, body }: Answer): Readonly<Record<string, unknown>> => ({
  status,
  ...Object.fromEntries(
    HEADERS.map((name) => [name, name === 'content-length' && status >= 400 ? '' : headers[name]]),
  ),
  body: body.toString().replace(PROBLEM_ID, '"id":null'),
});

type NjsHost = HostUnderTest & { readonly companion: Ask };

type Asking = {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** What the companion server answers. */
  readonly status?: number;
};

/** Answered as the companion server answers it. */
const sameTrial = (host: NjsHost, { status, path: address, method = 'GET' }: Asking): Trial => ({
  host: host.title,
  request: `${method} ${address}`,
  hold: async (compare) => {
    const path = `${host.site.basePath}${address}`;
    const ours = await host.ask({ path, method });
    const theirs = shown(await host.companion({ path, method }));
    const told = shown(ours);
    for (const [name, value] of Object.entries(theirs)) compare(name, told[name], value);
    compare('vary', ours.headers.vary, /Accept-Version/);
    if (status !== undefined) compare('status', ours.status, status);
    if (method === 'HEAD') compare('bytes', ours.body.length, 0);
  },
});

const slug = encodeURIComponent(UNICODE_SLUG);

const SAME: readonly Asking[] = [
  ...consumerQueries(KNOWN).map(({ resource, raw }) => ({
    path: `/content/${resource}/?${raw}`,
    status: 200,
  })),
  ...REFUSED_QUERIES.map(({ resource, raw, status }) => ({
    path: `/content/${resource}/?${raw}`,
    status,
  })),
  ...ODD_INCLUDES.flatMap((value) =>
    ['posts', `posts/${POST_ID}`, 'posts/slug/welcome'].map((path) => ({
      path: `/content/${path}/?include=${value}`,
    })),
  ),
  { path: `/content/posts/slug/${slug}/?fields=title,html` },
  { path: `/content/posts/${POST_ID}/?formats=plaintext&include=tags` },
  { path: '/content/tags/slug/quiet%231/?fields=name' },
  { path: `/ghost/api/v4/content/posts/?filter=featured:false&limit=1` },
  { path: '/content/posts/slug/none/?fields=title', status: 404 },
  { path: `/content/posts/${POST_ID}/?formats=pdf`, status: 422 },
  { path: '/content/posts/?filter=tag:news&limit=1', method: 'HEAD', status: 200 },
  { path: '/content/posts/?page=6', status: 200 },
  { path: '/content/posts/?page=99&include=tags', status: 200 },
];

/** An answer has the tag of its body, and is not sent to whom has it. */
const tagTrial = ({ title, site, ask, companion }: NjsHost): Trial => ({
  host: title,
  request: 'the tag of a query',
  hold: async (compare) => {
    const path = `${site.basePath}/content/posts/?filter=tag:news&limit=2&fields=title`;
    const { etag } = (await ask({ path })).headers;
    compare('etag', etag, (await companion({ path })).headers.etag);
    for (const known of [`${etag}`, `"other", W/${etag}`, '*']) {
      const asked = { path, headers: { 'if-none-match': known } };
      const again = await ask(asked);
      compare(`answer to ${known}`, shown(again), shown(await companion(asked)));
      compare(`status, etag for ${known}`, [again.status, again.headers.etag], [304, etag]);
    }
  },
});

/** A loop over pages ends. */
const loopTrial = ({ title, site, ask }: NjsHost): Trial => ({
  host: title,
  request: 'posts/?fields=slug, page by page',
  hold: async (compare) => {
    const seen: string[] = [];
    for (let page: number | null = 1; page !== null; ) {
      const path = `${site.basePath}/content/posts/?page=${page}&fields=slug`;
      const { posts, meta } = JSON.parse((await ask({ path })).body.toString());
      seen.push(...(posts as { slug: string }[]).map((post) => post.slug));
      page = meta.pagination.next;
    }
    compare('posts', new Set(seen).size, 9);
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
        ...SAME.map((asked) => sameTrial(host, asked)),
        tagTrial(host),
        loopTrial(host),
      ]),
    ));

  test('nginx tries the rules before it is reloaded', () => {
    const rules = join(dirname(hosts()[0]?.site.output ?? ''), 'nginx-njs');
    const folder = mkdtempSync(join(rules, 'test-'));
    const config = join(folder, 'config');
    const { text, command } = nginxNjs.test?.({ rules, folder, config }) ?? {
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
    // njs 0.7.9 knows no normal forms: the page's slug is in NFD.
    const paths = QUERY_PATHS.filter(
      (one) => one.includes('/slug/') && !/%CC%8|^pages/.test(one),
    ).concat(SLUG_PATHS);
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
