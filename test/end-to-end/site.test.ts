// The pages for readers: of the sample publication, at the urls that the interface names, with links that lead
// somewhere, in html that a validator passes; and only what an edit touches is rendered again.

import { appendFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { renderPages } from '../../src/pages/eleventy/render-pages.ts';
import { importSample } from '../../src/publication/import/sample/sample.ts';
import { db } from '../../src/publication/store/db.ts';
import { openStore } from '../../src/publication/store/open-store.ts';
import type { Store } from '../../src/publication/store/store.ts';
import { expectSoundFeeds, expectSoundPages, expectSoundSitemaps } from '../helpers/site-checks.ts';
import { buildPages, hasFile, internalLinks, SITE, siteConfig } from '../helpers/site-pages.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';
import { parseFile, readTree } from '../helpers/tree.ts';

/** Where templates are looked for instead of where they are. */
const templates = vi.hoisted(() => ({ folder: '' }));
vi.mock('../../src/pages/eleventy/package-folder.ts', async (load) => {
  const real = await load<typeof import('../../src/pages/eleventy/package-folder.ts')>();
  return { packageFolder: () => templates.folder || real.packageFolder() };
});

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
  await expectSoundPages(pages);
  const styles = readFileSync(join(output, 'assets/site.css'));
  expect(styles.byteLength).toBeLessThan(20_000);
  const bytesOf = (file: string): number => readFileSync(join(output, file)).byteLength;
  expect(bytesOf('assets/cards.css')).toBeLessThanOrEqual(20_000);
  expect(bytesOf('assets/cards.js')).toBeLessThanOrEqual(10_000);
});

test('no page shows what only members read', async () => {
  const rows = await db(store)
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

test('a gated post offers a sign-up only where an address for it is named', async () => {
  const gates = (): string[] =>
    [...read().values()].flatMap((html) => /<aside class="gate"[\s\S]*?<\/aside>/.exec(html) ?? []);
  expect(gates().length).toBeGreaterThan(3);
  for (const gate of gates()) {
    expect(gate).toContain('not shown here');
    expect(gate).not.toMatch(/sign|subscribe/i);
  }
  await renderPages(siteConfig(folder, { signupUrl: 'https://ghost.test/#/portal/signup' }));
  for (const gate of gates())
    expect(gate).toMatch(
      /<a href="https:\/\/ghost\.test\/#\/portal\/signup">[\w ]+ or sign in<\/a>/,
    );
  await renderPages(siteConfig(folder));
});

test('feeds and sitemap are well-formed and have what their formats ask for', async () => {
  expect(expectSoundFeeds(output)).toBe(15);
  await expectSoundSitemaps(output);
});

test('an edit renders what shows it, and pages come to be what a full run makes', async () => {
  await store.write((tx) =>
    db(tx)
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
  await store.write((tx) =>
    db(tx).updateTable('posts').set({ status: 'draft' }).where('slug', '=', 'pilot-0410').execute(),
  );
  const second = await buildPages(folder);
  expect(second.removed).toEqual(['pilot-0410/index.html']);
  const step = readTree(output);
  await renderPages(siteConfig(folder), { isForced: true });
  expect(readTree(output)).toEqual(step);
});

test('a template that cannot be rendered leaves the pages of before, and the next run makes up for it', async () => {
  await store.write((tx) =>
    db(tx)
      .updateTable('posts')
      .set({ title: 'Told late', updated_at: '2026-11-03 10:00:00' })
      .where('slug', '=', 'the-foghorn-tuner')
      .execute(),
  );
  const before = read();
  templates.folder = join(folder, 'broken');
  cpSync(join(started, 'content'), join(templates.folder, 'content'), { recursive: true });
  appendFileSync(join(templates.folder, 'content/_includes/site/post.njk'), '{% nonsense %}');
  await expect(buildPages(folder)).rejects.toMatchObject({
    code: 'PAGES_INVALID',
    message: expect.stringContaining('nonsense'),
  });
  expect(read()).toEqual(before);
  templates.folder = '';
  const { written } = await buildPages(folder);
  expect(written).toContain('the-foghorn-tuner/index.html');
  expect(written).not.toContain('what-the-salt-pans-know/index.html');
});

test('where a template cannot be rendered, what was taken back goes with all that names it', async () => {
  const update = (slug: string, set: object) =>
    store.write((tx) => db(tx).updateTable('posts').set(set).where('slug', '=', slug).execute());
  const [gone, closed] = ['a-lighthouse-to-let', 'how-to-read-a-tide-table'];
  const part = 'the-rule-of-twelfths';
  const words =
    /advertisement ran to four lines|Four numbers a day|service has never been cancelled/;
  const showing = (): string[] =>
    [...readTree(output)]
      .filter(([name, text]) => !name.startsWith('content/') && words.test(text))
      .map(([name]) => name);
  const before = [...read().keys()];
  templates.folder = join(folder, 'own');
  cpSync(join(started, 'content'), join(templates.folder, 'content'), { recursive: true });
  const own = (name: string, shown: string): void =>
    writeFileSync(
      join(templates.folder, `content/${name}.njk`),
      `---\npermalink: /own/${name}\n---\nOf our own\n{% for p in publication.posts %}${shown}\n{% endfor %}`,
    );
  const telling = {
    'bodies.html': '<p>{{ loop.index }}. {{ p.html | safe }}',
    'excerpts.txt': '- {{ p.excerpt | truncate(40) | safe }}',
    'search.js': 'add("{{ p.html | striptags | upper }}")',
    'titles.html': '<li>{{ p.published_at | truncate(10) }}: {{ p.title }}</li>',
  };
  for (const [name, shown] of Object.entries(telling)) own(name, shown);
  writeFileSync(
    join(templates.folder, 'content/about.njk'),
    '---\npermalink: /own/about.html\n---\n<p>Of our own</p>',
  );
  await renderPages(siteConfig(folder), { isForced: true });
  expect(Object.keys(telling).filter((name) => !hasFile(output, `own/${name}`))).toEqual([]);
  // Another post has the address of the one that is gone.
  await update(gone, { status: 'draft', slug: 'laid-aside' });
  await update('letters-to-the-buoy-yard', { slug: gone });
  await update(closed, { visibility: 'paid' });
  const block = '<!--kg-gated-block:begin nonMember:false memberSegment:"status:-free" -->';
  await update(part, { html: `<p>Open</p>${block}<p>Twelfths</p><!--kg-gated-block:end-->` });
  appendFileSync(join(templates.folder, 'content/_includes/site/post.njk'), '{% nonsense %}');
  rmSync(join(output, 'what-the-salt-pans-know/index.html'));
  await expect(buildPages(folder)).rejects.toMatchObject({ code: 'PAGES_INVALID' });
  expect(showing()).toEqual([]);
  expect(Object.keys(telling).filter((name) => hasFile(output, `own/${name}`))).toEqual([]);
  const left = [...read().keys()];
  expect(left).not.toContain(`${part}/index.html`);
  expect(left).not.toContain(`${gone}/index.html`);
  expect(left).toContain('the-foghorn-tuner/index.html');
  expect(left).toContain('404.html');
  expect(left).toContain('own/about.html');
  templates.folder = '';
  await buildPages(folder);
  expect([...read().keys()]).toEqual(
    before.filter((name) => !name.startsWith('letters-to-the-buoy-yard')),
  );
  const step = readTree(output);
  await renderPages(siteConfig(folder), { isForced: true });
  expect(readTree(output)).toEqual(step);
});

test.each([
  ['all pages', 'the-foghorn-tuner', 'Of our own'],
  ['the pages of posts', 'the-last-wooden-dredger', 'At {{ publication.site.home }}'],
])(
  'where templates of a project make %s, what was taken back goes, too',
  async (_, gone, about) => {
    templates.folder = join(folder, gone);
    mkdirSync(join(templates.folder, 'content'), { recursive: true });
    const template = (name: string, head: string, body: string): void =>
      writeFileSync(join(templates.folder, `content/${name}.njk`), `---\n${head}\n---\n${body}`);
    const each = 'pagination: {data: publication.posts, size: 1, alias: post}';
    template('post', `${each}\npermalink: "/news/{{ post.slug }}.html"`, '{{ post.html | safe }}');
    const list = '{% for p in publication.posts %}<p>{{ p.excerpt }}</p>{% endfor %}';
    template('list', 'permalink: /list.html', list);
    template('about', 'permalink: /about.html', about);
    await renderPages(siteConfig(folder), { isForced: true });
    expect(hasFile(output, `news/${gone}.html`)).toBe(true);
    await store.write((tx) =>
      db(tx).updateTable('posts').set({ status: 'draft' }).where('slug', '=', gone).execute(),
    );
    template('broken', 'permalink: /broken.html', '{% nonsense %}');
    await expect(buildPages(folder)).rejects.toMatchObject({ code: 'PAGES_INVALID' });
    const left = [...read().keys()];
    expect(left).toEqual(
      expect.arrayContaining(['about.html', 'news/what-the-salt-pans-know.html']),
    );
    expect(left.filter((name) => name.includes(gone) || name === 'list.html')).toEqual([]);
  },
);
