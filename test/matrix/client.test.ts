// The client over the bare files of a site that was built: what it answers is what the companion server answers; and in a
// browser, on a page of another origin than the files.
import { copyFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Content, OpenContent } from '../../src/content/client/types.ts';
import { type BareFiles, serveBare } from '../helpers/bare-files.ts';
import { startChromium } from '../helpers/chromium.ts';
import { bundleClient } from '../helpers/client-bundle.ts';
import { consumerQueries, REFUSED_QUERIES } from '../helpers/consumer-queries.ts';
import { type Ask, askAt } from './ask.ts';
import { KNOWN } from './check-queries.ts';
import { startCompanion } from './companion-process.ts';
import { missing } from './program.ts';
import {
  buildMatrixSite,
  LONG_SLUG,
  NFD_SLUG,
  ODD_SLUG,
  POST_ID,
  RAW_SLUG,
  UNICODE_SLUG,
} from './site.ts';

const reason = missing('chromium', 'apt-get install chromium');
const STOCK = createRequire(import.meta.url).resolve(
  '@tryghost/content-api/umd/content-api.min.js',
);

let files: BareFiles;
let content: Content;
let ask: Ask;
let folder: string;

beforeAll(async () => {
  const site = await buildMatrixSite();
  folder = join(dirname(site.output), 'page');
  const bundle = await bundleClient(folder);
  const companion = await startCompanion(site);
  ask = askAt(companion.port);
  files = await serveBare(site.output);
  content = bundle.openContent(files.url);
  return async () => {
    await files.close();
    await companion.end();
    site.remove();
  };
});

const WITHOUT_ID = /"id":(?:null|"[0-9a-f-]{36}"),"ghostErrorCode"/;

/** Errors of the server have an id of their own. */
const expectSame = async (address: string, status = 200): Promise<void> => {
  const answered = await ask({ path: `/content/${address}` });
  const body = answered.body.toString('utf8').replace(WITHOUT_ID, '"id":null,"ghostErrorCode"');
  expect(await content.answer(address), address).toEqual({ status: answered.status, body });
  expect(answered.status, address).toBe(status);
};

test('queries of consumers, and what is refused', async () => {
  for (const { resource, raw } of consumerQueries(KNOWN)) await expectSame(`${resource}/?${raw}`);
  for (const { resource, raw, status } of REFUSED_QUERIES) {
    await expectSame(`${resource}/?${raw}`, status);
  }
});

test('records by id and by slugs of any kind, settings, search, and what is not there', async () => {
  for (const slug of [
    'welcome',
    UNICODE_SLUG,
    LONG_SLUG,
    'con',
    'Twin',
    'twin',
    ODD_SLUG,
    RAW_SLUG,
  ]) {
    for (const query of ['', '?include=authors,tags', '?fields=title&formats=plaintext']) {
      await expectSame(`posts/slug/${encodeURIComponent(slug)}/${query}`);
    }
  }
  for (const form of ['NFC', 'NFD']) {
    await expectSame(`pages/slug/${encodeURIComponent(NFD_SLUG.normalize(form))}/`);
  }
  await expectSame(`posts/${POST_ID}/?fields=id,html`);
  await expectSame(`posts/${POST_ID}/?formats=pdf`, 422);
  await expectSame('tags/slug/quiet%231/?include=count.posts');
  await expectSame('settings/');
  await expectSame('search-index/posts/');
  await expectSame('posts/slug/no-such-post/', 404);
  await expectSame('posts/slug/tWIN/', 404);
  await expectSame(`tags/${POST_ID}/`, 404);
});

const PAGE = `<script src="/stock.js"></script>
<script type="module">
  import { openContent } from '/client.js';
  globalThis.openContent = openContent;
</script>`;

type Found = { readonly slugs: string[]; readonly read: string; readonly problem: string };

/** Runs in the page. */
const readInPage = async (given: { url: string; slug: string }): Promise<Found> => {
  type Post = { slug: string };
  type Api = {
    posts: {
      browse: (
        options: object,
      ) => Promise<Post[] & { meta: { pagination: { next: number | null } } }>;
      read: (data: object, options: object) => Promise<Post>;
    };
  };
  const { GhostContentAPI, openContent } = globalThis as unknown as {
    GhostContentAPI: new (options: object) => Api;
    openContent: OpenContent;
  };
  const { makeRequest } = openContent(given.url);
  const key = '0123456789abcdef0123456789';
  const api = new GhostContentAPI({ url: given.url, key, version: 'v6.0', makeRequest });
  const slugs: string[] = [];
  for (let page: number | null = 1; page !== null; ) {
    const asked = { filter: 'tag:news+published_at:>2026-01-01', fields: 'slug', page };
    const posts = await api.posts.browse(asked);
    slugs.push(...posts.map((post) => post.slug));
    page = posts.meta.pagination.next;
  }
  const post = await api.posts.read({ slug: given.slug }, { include: ['authors'] });
  const problem = await api.posts.browse({ filter: '((' }).catch((error: Error) => error);
  return { slugs, read: post.slug, problem: (problem as Error).name };
};

describe.skipIf(reason !== null)(`a page of another origin ${reason ?? ''}`, () => {
  let browser: Browser;
  /** Its pages share a cache. */
  let context: BrowserContext;
  let own: BareFiles;

  beforeAll(async () => {
    copyFileSync(STOCK, join(folder, 'stock.js'));
    writeFileSync(join(folder, 'page.html'), PAGE);
    own = await serveBare(folder);
    browser = await startChromium();
    context = await browser.newContext();
    return async () => {
      await browser.close();
      await own.close();
    };
  });

  const read = async (): Promise<Found> => {
    const page = await context.newPage();
    await page.goto(`${own.url}/page.html`);
    return page.evaluate(readInPage, { url: files.url, slug: UNICODE_SLUG });
  };

  test('reads with filters, page by page', async () => {
    const { body } = await content.answer('posts/?filter=tag:news&fields=slug&limit=2&page=1');
    expect(JSON.parse(body).meta.pagination.total).toBe(5);
    const { slugs, read: slug, problem } = await read();
    expect(slugs).toEqual([RAW_SLUG, 'x.tags', 'Twin', LONG_SLUG, 'welcome']);
    expect([slug, problem]).toEqual([UNICODE_SLUG, 'BadRequestError']);
  });

  test('asks for the root alone where the browser has the rest', async () => {
    await read();
    files.asked.length = 0;
    await read();
    expect(new Set(files.asked)).toEqual(new Set(['/content/packed/root.json']));
  });
});
