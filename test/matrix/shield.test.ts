// Rules in the site of a Ghost: the content interface is answered from files, all else is Ghost's.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { apacheFiles } from '../../src/publish/hosts/apache/files.ts';
import { APACHE_INSTALL, startApache } from './apache-process.ts';
import { askAt } from './ask.ts';
import { CADDY_INSTALL, startCaddy } from './caddy-process.ts';
import { startCompanion } from './companion-process.ts';
import { hostSiteOf } from './host-site.ts';
import { buildListSite, listSiteQueries } from './list-site.ts';
import { NGINX_INSTALL, nginxRules, startNginx } from './nginx-process.ts';
import { placeFiles } from './place-files.ts';
import { missing } from './program.ts';
import type { MatrixSite } from './site.ts';

let site: MatrixSite;

beforeAll(async () => {
  site = await buildListSite();
  return () => site.remove();
});

const HOST_SITE = { ...listSiteQueries('refuse'), isShield: true };

const HOSTS = [
  {
    name: 'nginx',
    refusesSlashes: false,
    reason: missing('nginx', NGINX_INSTALL),
    start: (ghost: number) => {
      const folder = join(dirname(site.output), 'nginx-shield');
      const { http, server } = nginxRules(site, folder, (text) => text, HOST_SITE);
      const others = `location / { proxy_pass http://127.0.0.1:${ghost}; }`;
      return startNginx({ folder, http, server: `${server} ${others}` });
    },
  },
  {
    name: 'Caddy',
    refusesSlashes: false,
    reason: missing('caddy', CADDY_INSTALL),
    start: (ghost: number) =>
      startCaddy(site, { others: `	reverse_proxy 127.0.0.1:${ghost}`, hostSite: HOST_SITE }),
  },
  ...['ProxyPass "/" "http://GHOST/"', 'RewriteRule "^/(.*)$" "http://GHOST/$1" [P]'].map(
    (pass) => ({
      name: `Apache with ${pass}`,
      /** With its own page. */
      refusesSlashes: true,
      reason: missing('apache2', APACHE_INSTALL),
      start: (ghost: number) => {
        const folder = join(dirname(site.output), 'apache-shield');
        const files = apacheFiles(hostSiteOf(site, HOST_SITE));
        placeFiles(
          folder,
          files.filter(({ isInOutput }) => isInOutput !== true),
        );
        placeFiles(
          site.output,
          files.filter(({ isInOutput }) => isInOutput === true),
        );
        return startApache({
          output: site.output,
          modules: ['alias', 'proxy', 'proxy_http'],
          directives: `Include ${folder}/prepress-shield.conf
${pass.replace('GHOST', `127.0.0.1:${ghost}`)}`,
        });
      },
    }),
  ),
];

const startGhost = async (): Promise<number> => {
  const server = createServer((request, response) => response.end(`Ghost: ${request.url}`));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
};

const OWN_NAMES = [
  '/ghost/api/content/posts/?include=tags,authors',
  '/ghost/api/content/posts/slug/welcome/',
  '/ghost/api/v4/content/settings/',
  '/ghost/api/content/tags/?filter=visibility:public&limit=all',
];
const GHOSTS = [
  '/',
  '/welcome/',
  '/content/images/2026/01/a.png',
  '/content/images/size/w600/a.png',
  '/ghost/api/admin/site/',
  '/ghost/api/v4/admin/posts/?filter=slug:[a,b]&include=tags',
  '/ghost/',
];

/** Spellings of the content interface that Ghost, or what stands between, could take for it. */
const KEPT = [
  '/ghost/api/Content/posts/?filter=x',
  '/GHOST/API/content/posts/?filter=x',
  '/ghost/api/v3/Content/posts/',
  '/ghost/api/Canary/content/posts/',
  '//ghost/api/content/posts/?filter=x',
  '/ghost//api//content//posts/',
  '/ghost/api/%63ontent/posts/?filter=x',
  '/%67host/api/Content/posts/',
  // Ghost drops the version that its query names.
  '/ghost/api/cov3/ntent/posts/?ghost/api/v3/content/',
  '/ghost/api/v5/content/posts/',
  '/ghost/api/content;x/posts/',
  '/ghost/api/content./posts/',
  // One segment to Express, and a way out of the folder to others.
  '/ghost/api/Content/posts/..%2f..%2f..%2f..%2f..%2fx',
  '/ghost/api/content/posts/%2e%2e%2f%2e%2e%2f%2e%2e%2f%2e%2e%2fcontent%2fimages/a.png',
  '/ghost/api/content/posts/../../../../x',
  '/x/../ghost/api/Content/posts/',
  '/ghost\\api/content/posts/#',
  '/ghost/api/admin/../content/posts/',
  '/ghost/api/Admin/..%2fcontent/posts/',
];

describe.each(HOSTS)('$name', ({ reason, refusesSlashes, start }) => {
  test.skipIf(reason !== null)('takes the content interface, and nothing else', async () => {
    const server = await start(await startGhost());
    onTestFinished(() => server.end());
    const companion = await startCompanion(site);
    onTestFinished(() => companion.end());
    const ask = async (path: string) => {
      const { status, headers, body } = await askAt(server.port)({ path });
      return { status, headers, body: body.toString() };
    };
    for (const path of OWN_NAMES) {
      const expected = await askAt(companion.port)({ path });
      const { status, headers, body } = await ask(path);
      expect([status, body], path).toEqual([200, expected.body.toString()]);
      expect(headers['access-control-allow-origin'], path).toBe('*');
    }
    for (const path of GHOSTS) expect((await ask(path)).body, path).toBe(`Ghost: ${path}`);
    const slashless = await ask('/ghost/api/content/posts?limit=all');
    expect(slashless.status).toBe(301);
    // Apache names the origin, too.
    const { pathname, search } = new URL(slashless.headers.location ?? '', 'http://localhost');
    expect(`${pathname}${search}`).toBe('/ghost/api/content/posts/?limit=all');
    const filtered = await ask('/ghost/api/content/posts/?filter=featured:true');
    expect([filtered.status, JSON.parse(filtered.body).errors.length]).toEqual([400, 1]);
    for (const path of ['newsletters/', '', ...(refusesSlashes ? [] : ['posts%2f'])]) {
      const { status, body } = await ask(`/ghost/api/content/${path}`);
      expect([status, JSON.parse(body).errors.length], path).toEqual([404, 1]);
    }
  });

  test.skipIf(reason !== null)('keeps every spelling of it from Ghost', async () => {
    const server = await start(await startGhost());
    onTestFinished(() => server.end());
    const passed: string[] = [];
    for (const method of ['GET', 'POST']) {
      for (const path of KEPT) {
        const { body } = await askAt(server.port)({ path, method });
        if (body.toString().startsWith('Ghost:')) passed.push(`${method} ${path}`);
      }
    }
    expect(passed).toEqual([]);
  });
});
