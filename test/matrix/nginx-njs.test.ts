// A real nginx with njs, the oldest that distributions have: the conformance list, generated queries against an oracle, and
// status, headers and bytes of consumers' queries against the companion server.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { nginxNjs } from '../../src/hosts/nginx-njs/host.ts';
import { RESOURCES } from '../../src/paths/endpoints.ts';
import { consumerQueries, REFUSED_QUERIES } from '../helpers/consumer-queries.ts';
import { SEED } from '../helpers/random.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';
import { type Answer, type Ask, askAt } from './ask.ts';
import { checkGenerated, GENERATED, writePacked } from './check-generated.ts';
import { checkHost, type HostUnderTest } from './check-host.ts';
import { KNOWN, ODD_INCLUDES, QUERY_PATHS } from './check-queries.ts';
import { startCompanion } from './companion-process.ts';
import { hostSiteOf } from './host-site.ts';
import { NJS_INSTALL, NJS_MODULE, njsRules, startNginx } from './nginx-process.ts';
import { findProgram, missing, missingFile } from './program.ts';
import { ruleExceptions } from './rule-exceptions.ts';
import { buildMatrixSite, type MatrixSite, POST_ID, UNICODE_SLUG } from './site.ts';

const reason = missing('nginx', NJS_INSTALL) ?? missingFile(NJS_MODULE, NJS_INSTALL);

const startOver = async (site: MatrixSite) => {
  const folder = join(dirname(site.output), 'nginx-njs');
  return startNginx({ folder, ...(await njsRules(hostSiteOf(site), folder)) });
};

describe.skipIf(reason !== null).each(['', '/blog'])(
  `nginx with njs ${reason ?? ''} at "%s"`,
  (basePath) => {
    let running: HostUnderTest;
    let companion: Ask;

    beforeAll(async () => {
      const site = await buildMatrixSite(basePath);
      const nginx = await startOver(site);
      const server = await startCompanion(site);
      running = { site, ask: askAt(nginx.port) };
      companion = askAt(server.port);
      return async () => {
        await nginx.end();
        await server.end();
        site.remove();
      };
    });

    checkHost(() => running, {
      exceptions: (request) =>
        /posts\/\?limit=5|filter=(?:tag:|visibility:internal)|page=9999|page=x/.test(request.path)
          ? 'queries are answered'
          : ruleExceptions(request),
      sends: ['gzip'],
    });

    const HEADERS = ['content-type', 'cache-control', 'access-control-allow-origin'].concat([
      'content-version',
      'deprecation',
      'retry-after',
      'content-length',
    ]);
    const PROBLEM_ID = /"id":"[0-9a-f-]{36}","ghostErrorCode"/;
    const shown = ({ status, headers, body }: Answer, names = HEADERS) => ({
      status,
      headers: Object.fromEntries(
        names.map((name) => [
          name,
          name === 'content-length' && status >= 400 ? '' : headers[name],
        ]),
      ),
      body: body.toString('utf8').replace(PROBLEM_ID, '"id":null,"ghostErrorCode"'),
    });
    const both = async (path: string, method = 'GET', headers = {}): Promise<Answer[]> => {
      const asked = { path: `${basePath}${path}`, method, headers };
      return Promise.all([running.ask(asked), companion(asked)]);
    };
    const expectSame = async (path: string, method = 'GET'): Promise<Answer> => {
      const [ours, theirs] = (await both(path, method)) as [Answer, Answer];
      expect(shown(ours), path).toEqual(shown(theirs));
      expect(ours.headers.vary).toContain('Accept-Version');
      return ours;
    };

    test("consumers' queries, and refusals, are the companion server's", async () => {
      for (const { resource, raw } of consumerQueries(KNOWN)) {
        expect((await expectSame(`/content/${resource}/?${raw}`)).status).toBe(200);
      }
      for (const { resource, raw, status } of REFUSED_QUERIES) {
        expect((await expectSame(`/content/${resource}/?${raw}`)).status).toBe(status);
      }
    });

    test('what may be read in two ways is read as the companion server does', async () => {
      for (const value of ODD_INCLUDES) {
        for (const path of ['posts', `posts/${POST_ID}`, 'posts/slug/welcome'])
          await expectSame(`/content/${path}/?include=${value}`);
      }
    });

    test('records with fields and formats, HEAD, 404, and addresses of other versions', async () => {
      const slug = encodeURIComponent(UNICODE_SLUG);
      await expectSame(`/content/posts/slug/${slug}/?fields=title,html`);
      await expectSame(`/content/posts/${POST_ID}/?formats=plaintext&include=tags`);
      await expectSame('/content/tags/slug/quiet%231/?fields=name');
      await expectSame(`/ghost/api/v4/content/posts/?filter=featured:false&limit=1`);
      expect((await expectSame('/content/posts/slug/none/?fields=title')).status).toBe(404);
      expect((await expectSame(`/content/posts/${POST_ID}/?formats=pdf`)).status).toBe(422);
      const head = await expectSame('/content/posts/?filter=tag:news&limit=1', 'HEAD');
      expect([head.status, head.body.length]).toEqual([200, 0]);
    });

    test('an answer has the tag of its body, and is not sent to whom has it', async () => {
      const path = '/content/posts/?filter=tag:news&limit=2&fields=title';
      const [ours, theirs] = (await both(path)) as [Answer, Answer];
      expect(ours.headers.etag).toBe(theirs.headers.etag);
      for (const known of [`${ours.headers.etag}`, `"other", W/${ours.headers.etag}`, '*']) {
        const [again, same] = (await both(path, 'GET', { 'if-none-match': known })) as [
          Answer,
          Answer,
        ];
        expect(shown(again)).toEqual(shown(same));
        expect([again.status, again.headers.etag]).toEqual([304, theirs.headers.etag]);
      }
    });

    test('nginx tries the rules before it is reloaded', () => {
      const rules = join(dirname(running.site.output), 'nginx-njs');
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

    test('a loop over pages ends', async () => {
      const seen: string[] = [];
      for (let page: number | null = 1; page !== null; ) {
        const path = `${basePath}/content/posts/?page=${page}&fields=slug`;
        const { body } = await running.ask({ path });
        const { posts, meta } = JSON.parse(body.toString('utf8'));
        seen.push(...(posts as { slug: string }[]).map((post) => post.slug));
        page = meta.pagination.next;
      }
      expect(new Set(seen).size).toBe(9);
      expect((await expectSame('/content/posts/?page=6')).status).toBe(200);
      expect((await expectSame('/content/posts/?page=99&include=tags')).status).toBe(200);
    });
  },
);

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
    for (const [at, path] of paths.entries()) expect(answers[at], path).toBe(expected[at]);
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
    checkGenerated(async (tree) => {
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
