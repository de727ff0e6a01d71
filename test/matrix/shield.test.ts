// Rules in the site of a Ghost: the content interface is answered from files, all else is Ghost's.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { askAt } from './ask.ts';
import { CADDY_INSTALL, startCaddy } from './caddy-process.ts';
import { startCompanion } from './companion-process.ts';
import { buildListSite, listSiteQueries } from './list-site.ts';
import { NGINX_INSTALL, nginxRules, startNginx } from './nginx-process.ts';
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
    reason: missing('caddy', CADDY_INSTALL),
    start: (ghost: number) =>
      startCaddy(site, { others: `	reverse_proxy 127.0.0.1:${ghost}`, hostSite: HOST_SITE }),
  },
];

const startGhost = async (): Promise<number> => {
  const server = createServer((request, response) => response.end(`Ghost: ${request.url}`));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
};

const OURS = [
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
  '/ghost/',
];

describe.each(HOSTS)('$name', ({ reason, start }) => {
  test.skipIf(reason !== null)('takes the content interface, and nothing else', async () => {
    const server = await start(await startGhost());
    onTestFinished(() => server.end());
    const companion = await startCompanion(site);
    onTestFinished(() => companion.end());
    const ask = async (path: string) => {
      const { status, headers, body } = await askAt(server.port)({ path });
      return { status, headers, body: body.toString() };
    };
    for (const path of OURS) {
      const expected = await askAt(companion.port)({ path });
      const { status, headers, body } = await ask(path);
      expect([status, body], path).toEqual([200, expected.body.toString()]);
      expect(headers['access-control-allow-origin'], path).toBe('*');
    }
    for (const path of GHOSTS) expect((await ask(path)).body, path).toBe(`Ghost: ${path}`);
    const slashless = await ask('/ghost/api/content/posts?limit=all');
    expect(slashless.status).toBe(301);
    expect(slashless.headers.location).toBe('/ghost/api/content/posts/?limit=all');
    const filtered = await ask('/ghost/api/content/posts/?filter=featured:true');
    expect([filtered.status, JSON.parse(filtered.body).errors.length]).toEqual([400, 1]);
    for (const path of ['newsletters/', '', 'posts%2f']) {
      const { status, body } = await ask(`/ghost/api/content/${path}`);
      expect([status, JSON.parse(body).errors.length], path).toEqual([404, 1]);
    }
  });
});
