// The pages for readers of a site that a real Ghost 6.65 exported: at the urls that it had, with links that lead somewhere,
// in html that a validator passes, and without what only members read.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importSource } from '../../src/publication/import/import-source.ts';
import { openGhostExport } from '../../src/publication/sources/ghost-export/source.ts';
import { openStore } from '../../src/publication/store/open-store.ts';
import { CAPTURED_EXPORT, CAPTURED_SITE_URL, readCapture } from '../helpers/captured-site.ts';
import { expectSoundFeeds, expectSoundJsonFeed, expectSoundPages } from '../helpers/site-checks.ts';
import { buildPages, hasFile, internalLinks, SITE, siteConfig } from '../helpers/site-pages.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';
import { parseFile, readTree } from '../helpers/tree.ts';

const started = process.cwd();
let output = '';
let pages = new Map<string, string>();

beforeAll(async () => {
  const suite = suiteFolder();
  process.chdir(suite.path);
  output = join(suite.path, 'output');
  mkdirSync(join(suite.path, 'data'));
  const store = await openStore(siteConfig(suite.path).database, { create: true });
  await importSource(store, openGhostExport(CAPTURED_EXPORT), { siteUrl: SITE });
  await store.close();
  await buildPages(suite.path, { markdown: true });
  pages = new Map([...readTree(output)].filter(([name]) => name.endsWith('.html')));
  return suite.remove;
});
afterAll(() => process.chdir(started));

type Captured = Readonly<
  Record<'html' | 'codeinjection_head' | 'codeinjection_foot' | 'canonical_url', string | null>
> & { readonly url: string };

const recordsOf = (resource: string): Captured[] =>
  parseFile(join(output, 'content'), `${resource}/index.json`)[resource] as Captured[];

const fileOf = ({ url }: Captured): string =>
  `${decodeURIComponent(new URL(url).pathname).slice(1)}index.html`;

test.each(['posts', 'pages', 'tags', 'authors'])('%s have pages at their urls', (resource) => {
  // Where internal tags and authors without posts are, which have no page.
  const records = recordsOf(resource).filter(({ url }) => url !== `${SITE}/404/`);
  expect(records.length).toBeGreaterThan(1);
  for (const record of records) expect([...pages.keys()]).toContain(fileOf(record));
});

test('a page shows the body that Ghost answered, and no more', () => {
  const moved = (html: string): string =>
    html.replaceAll(CAPTURED_SITE_URL, SITE).replaceAll('ref=127.0.0.1', 'ref=site.test');
  const captured = readCapture('content-posts.json').posts as Captured[];
  // One was written after the export.
  const posts = captured.filter((post) => pages.has(fileOf(post)));
  expect(posts.length).toBeGreaterThan(captured.length - 2);
  for (const post of posts) {
    const [, body = ''] =
      /<div class="body" dir="auto">\n([\s\S]*?)\n<\/div>\n?(?:<aside|<\/article>)/.exec(
        pages.get(fileOf(post)) ?? '',
      ) ?? [];
    expect(body.trim(), post.url).toBe(moved(post.html ?? '').trim());
  }
});

test('every internal link leads to a file', () => {
  // The captured site comes without its pictures, and its bodies and navigation name pages that it never had.
  // Slugs that no disk holds have files of other names, which the matrix of hosts tries.
  const isElsewhere = (path: string): boolean =>
    /^\/content\/(?:(?:images|media|files)\/|\w+\/slug\/_)/.test(path);
  const written = new Set(
    [...recordsOf('posts'), ...recordsOf('pages')].flatMap((record) => [
      ...[record.html, record.codeinjection_head, record.codeinjection_foot].flatMap((html) =>
        internalLinks(html ?? '', fileOf(record)),
      ),
      ...(record.canonical_url ? [new URL(record.canonical_url).pathname] : []),
    ]),
  );
  const { settings } = parseFile(join(output, 'content'), 'settings/index.json') as {
    settings: { navigation: { url: string }[] };
  };
  for (const { url } of settings.navigation) written.add(new URL(url, SITE).pathname);
  for (const [name, html] of pages) {
    const lost = internalLinks(html, name).filter(
      (path) => !isElsewhere(path) && !written.has(path) && !hasFile(output, path),
    );
    expect(lost, name).toEqual([]);
  }
});

test('pages, feeds and sitemap are sound', async () => {
  // A card of html has a picture without a text in its place.
  await expectSoundPages(pages, ['wcag/h37']);
  expect(expectSoundFeeds(output)).toBeGreaterThan(3);
  expectSoundJsonFeed(output);
});
