// The official client in a browser, on a page of another origin: it sends Accept-Version, for which browsers
// ask first. Against nginx and the worker.
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { bundleEdge } from '../../src/publish/hosts/bundles/bundle.ts';
import { type BareFiles, serveBare } from '../helpers/bare-files.ts';
import { startChromium } from '../helpers/chromium.ts';
import { hostSiteOf } from './host-site.ts';
import { NGINX_INSTALL, nginxRules, startNginx } from './nginx-process.ts';
import { missing } from './program.ts';
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
  let files: BareFiles;
  const folderOf = (name: string): string => join(dirname(site.output), name);

  beforeAll(async () => {
    site = await buildMatrixSite();
    mkdirSync(folderOf('page'));
    copyFileSync(CLIENT, join(folderOf('page'), 'client.js'));
    writeFileSync(join(folderOf('page'), 'page.html'), '<script src="/client.js"></script>');
    files = await serveBare(folderOf('page'));
    browser = await startChromium();
    page = await browser.newPage();
    await page.goto(`${files.url}/page.html`);
    return async () => {
      await browser.close();
      await files.close();
      site.remove();
    };
  });

  const read = (port: number): Promise<Found> =>
    page.evaluate(readAll, { url: `http://127.0.0.1:${port}`, slug: UNICODE_SLUG });

  const expectAll = ({ pages, slugs, author, tags }: Found): void => {
    expect([pages, slugs]).toEqual([5, [LONG_SLUG, UNICODE_SLUG]]);
    expect([author, tags]).toEqual(['author-1', 2]);
  };

  test('reads from nginx', async () => {
    const folder = folderOf('nginx');
    const nginx = await startNginx({ folder, ...nginxRules(site, folder) });
    onTestFinished(nginx.end);
    expectAll(await read(nginx.port));
  });

  test('reads from workerd', async () => {
    const worker = await bundleEdge({ entry: 'worker', site: hostSiteOf(site) });
    mkdirSync(folderOf('workerd'));
    const folder = folderOf('workerd');
    const workerd = await startWorkerd({ folder, output: site.output, worker });
    onTestFinished(workerd.end);
    expectAll(await read(workerd.port));
  });
});
