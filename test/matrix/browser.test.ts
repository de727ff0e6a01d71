// The official client in a browser, on a page of another origin: it sends Accept-Version, for which browsers
// ask first. Against nginx and the worker; and against nginx with a flaw, which has to be noticed.
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { bundleEdge } from '../../src/hosts/bundle.ts';
import { hostSiteOf } from './host-site.ts';
import { NGINX_INSTALL, nginxRules, startNginx } from './nginx-process.ts';
import { CHROMIUM_FLAGS, findProgram, missing } from './program.ts';
import { buildMatrixSite, LONG_SLUG, type MatrixSite, UNICODE_SLUG } from './site.ts';
import { startWorkerd } from './workerd-process.ts';

const reason = missing('chromium', 'apt-get install chromium') ?? missing('nginx', NGINX_INSTALL);

const CLIENT = createRequire(import.meta.url).resolve(
  '@tryghost/content-api/umd/content-api.min.js',
);

type Found = {
  readonly pages: number;
  readonly slugs: string[];
  readonly author: string;
  readonly tags: number;
};

/** Runs in the page. */
const readAll = async ({ url, slug }: { url: string; slug: string }): Promise<Found> => {
  type Post = { slug: string; primary_author: { slug: string } };
  type Api = {
    posts: {
      browse: (options: object) => Promise<Post[] & { meta: { pagination: { pages: number } } }>;
      read: (data: object, options: object) => Promise<Post>;
    };
    tags: { browse: (options: object) => Promise<object[]> };
  };
  const { GhostContentAPI } = globalThis as unknown as {
    GhostContentAPI: new (options: object) => Api;
  };
  const api = new GhostContentAPI({ url, key: '0123456789abcdef0123456789', version: 'v6.0' });
  const { meta } = await api.posts.browse({ include: ['tags', 'authors'] });
  const posts = await api.posts.browse({ page: 4, include: ['tags', 'authors'] });
  const post = await api.posts.read({ slug }, { include: ['authors'] });
  const tags = await api.tags.browse({ filter: 'visibility:public', include: 'count.posts' });
  return {
    pages: meta.pagination.pages,
    slugs: posts.map((one) => one.slug),
    author: post.primary_author.slug,
    tags: tags.length,
  };
};

describe.skipIf(reason !== null)(`a page of another origin ${reason ?? ''}`, () => {
  let site: MatrixSite;
  let browser: Browser;
  let page: Page;
  let server: Server;
  const folderOf = (name: string): string => join(dirname(site.output), name);

  beforeAll(async () => {
    site = await buildMatrixSite();
    server = createServer((request, response) => {
      const isScript = request.url === '/client.js';
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
      response.end(isScript ? readFileSync(CLIENT) : '<script src="/client.js"></script>');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    browser = await chromium.launch({
      executablePath: findProgram('chromium'),
      args: CHROMIUM_FLAGS,
    });
    page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    return async () => {
      await browser.close();
      server.close();
      site.remove();
    };
  });

  const read = (port: number): Promise<Found> =>
    page.evaluate(readAll, { url: `http://127.0.0.1:${port}`, slug: UNICODE_SLUG });

  const expectAll = ({ pages, slugs, author, tags }: Found): void => {
    expect([pages, slugs]).toEqual([5, [LONG_SLUG, UNICODE_SLUG]]);
    expect([author, tags]).toEqual(['author-1', 2]);
  };

  const onNginx = async <T>(
    work: (port: number) => Promise<T>,
    change?: (text: string) => string,
  ): Promise<T> => {
    const folder = folderOf('nginx');
    const nginx = await startNginx({ folder, ...nginxRules(site, folder, change) });
    try {
      return await work(nginx.port);
    } finally {
      await nginx.end();
    }
  };

  test('reads from nginx', async () => {
    expectAll(await onNginx(read));
  });

  test('reads from workerd', async () => {
    const worker = await bundleEdge({ entry: 'worker', site: hostSiteOf(site) });
    mkdirSync(folderOf('workerd'));
    const folder = folderOf('workerd');
    const workerd = await startWorkerd({ folder, output: site.output, worker });
    try {
      expectAll(await read(workerd.port));
    } finally {
      await workerd.end();
    }
  });

  test.each([
    ['preflights that do not allow Accept-Version', /Accept-Version, /g],
    ['answers that let no other site read', /add_header Access-Control-Allow-Origin "\*" always;/g],
  ])('notices %s', async (_, flaw) => {
    let places = 0;
    const change = (text: string): string =>
      text.replace(flaw, () => {
        places += 1;
        return '';
      });
    await onNginx((port) => expect(read(port)).rejects.toThrow(/Network|fetch/i), change);
    expect(places).toBeGreaterThan(0);
  });
});
