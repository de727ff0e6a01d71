// The pages for readers: of the sample publication, at the urls that the interface names, with links that lead
// somewhere, in html that a validator passes; and only what an edit touches is rendered again.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FileSystemConfigLoader, HtmlValidate } from 'html-validate';
import sax from 'sax';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { renderPages } from '../../src/eleventy/render-pages.ts';
import { importSample } from '../../src/importers/sample.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { buildPages, hasFile, internalLinks, SITE, siteConfig } from '../helpers/site-pages.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';
import { parseFile, readTree } from '../helpers/tree.ts';

const started = process.cwd();
let folder = '';
let output = '';
let store: Store;
let pages = new Map<string, string>();

const read = (): Map<string, string> =>
  new Map([...readTree(output)].filter(([name]) => name.endsWith('.html')));

beforeAll(async () => {
  const suite = suiteFolder();
  folder = suite.path;
  process.chdir(folder);
  output = join(folder, 'output');
  mkdirSync(join(folder, 'data'));
  store = await openStore(siteConfig(folder).database, { create: true });
  await importSample(store, SITE);
  await buildPages(folder);
  pages = read();
  return async () => {
    await store.close();
    suite.remove();
  };
});
afterAll(() => process.chdir(started));

type Listed = { readonly url: string; readonly visibility: string };

test('every post, page, public tag and author has a page at its url', () => {
  const content = join(output, 'content');
  for (const resource of ['posts', 'pages', 'tags', 'authors']) {
    const records = parseFile(content, `${resource}/index.json`)[resource] as Listed[];
    expect(records.length).toBeGreaterThan(0);
    for (const { url } of records) {
      if (url === `${SITE}/404/`) continue;
      expect([...pages.keys()]).toContain(`${url.slice(SITE.length + 1)}index.html`);
    }
  }
});

test('every internal link leads to a file', () => {
  // Pictures of the sample are not part of it.
  const isPicture = (path: string): boolean => path.startsWith('/content/images/');
  for (const [name, html] of pages) {
    const lost = internalLinks(html).filter((path) => !isPicture(path) && !hasFile(output, path));
    expect(lost, name).toEqual([]);
  }
});

test('every page is valid html, small, and names itself', async () => {
  const validator = new HtmlValidate(
    new FileSystemConfigLoader({
      root: true,
      extends: ['html-validate:recommended'],
      rules: {
        // Void elements, inline styles and long titles are the author's in bodies.
        'void-style': 'off',
        'no-inline-style': 'off',
        'long-title': 'off',
        'no-trailing-whitespace': 'off',
        // The article of a post holds its own header; Eleventy's templates indent nothing.
        'no-raw-characters': ['error', { relaxed: true }],
      },
    }),
  );
  for (const [name, html] of pages) {
    const { results } = await validator.validateString(html, name);
    const messages = results.flatMap((result) =>
      result.messages.map(({ ruleId, message, line }) => `${name}:${line} ${ruleId} ${message}`),
    );
    expect(messages).toEqual([]);
    expect(Buffer.byteLength(html), name).toBeLessThan(100_000);
    expect(html, name).not.toMatch(/@font-face|<link[^>]+fonts/);
  }
  const styles = readFileSync(join(output, 'assets/site.css'));
  expect(styles.byteLength).toBeLessThan(20_000);
});

test('no page shows what only members read', async () => {
  const rows = await store.reader
    .selectFrom('posts')
    .select(['slug', 'html'])
    .where('visibility', '!=', 'public')
    .execute();
  expect(rows.length).toBeGreaterThan(3);
  const everything = [...readTree(output)].map(([, text]) => text).join('\n');
  for (const { slug, html } of rows) {
    expect(pages.get(`${slug}/index.html`)).toContain('class="gate"');
    const [last = ''] =
      /[^<>]{30,}(?=<[^<]*$)/.exec(String(html).replace(/(<[^>]*>)+$/, '<')) ?? [];
    expect(last.length).toBeGreaterThan(25);
    expect(everything).not.toContain(last);
  }
});

const elementsOf = (xml: string): string[] => {
  const names: string[] = [];
  const parser = sax.parser(true);
  parser.onopentag = ({ name }) => void names.push(name);
  parser.onerror = (error) => {
    throw error;
  };
  parser.write(xml).close();
  return names;
};

const countOf = (names: readonly string[], one: string): number =>
  names.filter((name) => name === one).length;

test('feeds and sitemap are well-formed and have what their formats ask for', () => {
  const text = (name: string): string => readFileSync(join(output, name), 'utf8');
  const atom = elementsOf(text('feed.atom'));
  expect(atom[0]).toBe('feed');
  const entries = countOf(atom, 'entry');
  expect(entries).toBe(15);
  // RFC 4287: each entry and the feed have one id, title and updated; an entry has an author.
  for (const name of ['id', 'title', 'updated']) expect(countOf(atom, name)).toBe(entries + 1);
  expect(text('feed.atom')).toMatch(
    /<updated>\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)<\/updated>/,
  );
  const rss = elementsOf(text('feed.rss'));
  expect(rss.slice(0, 2)).toEqual(['rss', 'channel']);
  for (const name of ['guid', 'pubDate']) expect(countOf(rss, name)).toBe(countOf(rss, 'item'));
  expect(text('feed.rss')).toMatch(/<pubDate>\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT<\/pubDate>/);
  const sitemap = text('sitemap.xml');
  expect(new Set(elementsOf(sitemap))).toEqual(new Set(['urlset', 'url', 'loc', 'lastmod']));
  for (const [, loc = ''] of sitemap.matchAll(/<loc>([^<]*)/g)) {
    expect(hasFile(output, decodeURIComponent(new URL(loc).pathname)), loc).toBe(true);
  }
  expect(text('robots.txt')).toContain(`Sitemap: ${SITE}/sitemap.xml`);
});

test('an edit renders what shows it, and pages come to be what a full run makes', async () => {
  await store.write((writer) =>
    writer
      .updateTable('posts')
      .set({ title: 'Other salt', updated_at: '2026-11-01 10:00:00' })
      .where('slug', '=', 'what-the-salt-pans-know')
      .execute(),
  );
  const { written, removed } = await buildPages(folder);
  expect(removed).toEqual([]);
  expect(written).toContain('what-the-salt-pans-know/index.html');
  expect(written).toContain('index.html');
  expect(written).not.toContain('the-foghorn-tuner/index.html');
  await store.write((writer) =>
    writer.updateTable('posts').set({ status: 'draft' }).where('slug', '=', 'pilot-0410').execute(),
  );
  const second = await buildPages(folder);
  expect(second.removed).toEqual(['pilot-0410/index.html']);
  const step = readTree(output);
  await renderPages(siteConfig(folder), { isForced: true });
  expect(readTree(output)).toEqual(step);
});
