// What the head of each page says to browsers, search engines and networks, against the documents that the interface answers.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { loadDriver } from '../../src/base/sqlite/driver.ts';
import { openStore } from '../../src/publication/store/open-store.ts';
import { insertRow } from '../helpers/publication.ts';
import { type ReadPage, readPage } from '../helpers/read-page.ts';
import { expectSoundSitemaps } from '../helpers/site-checks.ts';
import { buildPages, SITE, siteConfig } from '../helpers/site-pages.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';
import { parseFile, readTree } from '../helpers/tree.ts';

// So few addresses in one sitemap that this publication needs an index.
vi.mock('../../src/pages/site/sitemaps.ts', async (load) => {
  const real = await load<typeof import('../../src/pages/site/sitemaps.ts')>();
  return {
    ...real,
    createSitemaps: (...[entries, home]: Parameters<typeof real.createSitemaps>) =>
      real.createSitemaps(entries, home, 3),
  };
});

const SETTINGS: Readonly<Record<string, string>> = {
  title: 'Ebbe & Flut',
  description: 'Texte "vom" Wasser',
  locale: 'de',
  timezone: 'Europe/Berlin',
  accent_color: '#ffcc00',
  twitter: '@ebbe',
  cover_image: `${SITE}/content/images/cover.png`,
  logo: `${SITE}/content/images/logo.png`,
  icon: `${SITE}/content/images/icon.png`,
  meta_title: 'Ebbe & Flut, ein Heft',
  og_title: 'Das Heft',
  og_description: 'Ein Heft vom Wasser',
  og_image: `${SITE}/content/images/og.png`,
  twitter_title: 'Das Heft, kurz',
  codeinjection_head: '<meta name="site-head" content="yes">',
  codeinjection_foot: '<div id="site-foot"></div>',
  navigation: JSON.stringify([
    { label: 'Start', url: '/' },
    { label: 'Über uns', url: '/about/' },
    { label: 'Anderswo', url: 'https://other.test/x?a=1&b=2' },
  ]),
  secondary_navigation: JSON.stringify([{ label: 'Post', url: 'mailto:post@site.test' }]),
};

const fill = (database: string): void => {
  const shell = new (loadDriver())(database);
  const insert = (table: string, row: Record<string, unknown>): string =>
    insertRow(shell, table, row);
  for (const [key, value] of Object.entries(SETTINGS))
    insert('settings', { key, value, type: 'string' });
  const author_id = insert('users', {
    name: 'Ada',
    slug: 'ada',
    bio: 'Schreibt "vom" Watt',
    profile_image: '__GHOST_URL__/content/images/ada.png',
    website: 'https://ada.test/',
  });
  const tag_id = insert('tags', {
    name: 'Watt & Meer',
    slug: 'watt',
    description: 'Alles vom Watt',
    feature_image: '__GHOST_URL__/content/images/watt.png',
    meta_title: 'Das Watt',
    og_title: 'Watt im Netz',
    canonical_url: 'https://other.test/watt/',
    codeinjection_head: '<meta name="tag-head" content="yes">',
  });
  const post = (row: Record<string, unknown>): string => {
    const post_id = insert('posts', {
      status: 'published',
      published_at: '2026-01-02T10:00:00.000Z',
      html: '<p>Ein Text vom Wasser.</p>',
      plaintext: 'Ein Text vom Wasser.',
      ...row,
    });
    insert('posts_authors', { post_id, author_id });
    insert('posts_tags', { post_id, tag_id });
    return post_id;
  };
  const post_id = post({
    slug: 'rich',
    title: 'Rich & "quoted"',
    custom_excerpt: 'Kurz gesagt',
    feature_image: '__GHOST_URL__/content/images/rich.png',
    canonical_url: 'https://other.test/rich/',
    codeinjection_head: '<meta name="post-head" content="yes">',
    codeinjection_foot: '<div id="post-foot"></div>',
  });
  insert('posts_meta', {
    post_id,
    meta_title: 'Rich for searchers',
    meta_description: 'Found & read',
    og_title: 'Rich in a network',
    og_description: 'Shared',
    og_image: '__GHOST_URL__/content/images/rich-og.png',
    twitter_title: 'Rich, short',
    twitter_description: 'Told',
    twitter_image: '__GHOST_URL__/content/images/rich-twitter.png',
  });
  post({ slug: 'plain', title: 'Plain', visibility: 'members' });
  post({ slug: 'about', title: 'Über uns', type: 'page' });
  shell.close();
};

const started = process.cwd();
let output = '';
let tree = new Map<string, string>();

beforeAll(async () => {
  const suite = suiteFolder();
  process.chdir(suite.path);
  output = join(suite.path, 'output');
  mkdirSync(join(suite.path, 'data'));
  const { database } = siteConfig(suite.path);
  await (await openStore(database, { create: true })).close();
  fill(database);
  await buildPages(suite.path);
  tree = readTree(output);
  return suite.remove;
});
afterAll(() => process.chdir(started));

type Document = Readonly<Record<string, string | null>>;

const documentOf = (file: string, resource: string, slug: string): Document => {
  const list = parseFile(join(output, 'content'), file)[resource] as Document[];
  return list.find((record) => record.slug === slug) as Document;
};

const settings = (): Document =>
  (parseFile(join(output, 'content'), 'settings/index.json') as { settings: Document }).settings;

const pageAt = (path: string): ReadPage => readPage(tree.get(`${path}index.html`) ?? '');

/** What networks are told. */
const toldBy = (page: ReadPage, prefix: 'og' | 'twitter'): Record<string, string | undefined> =>
  Object.fromEntries(
    ['title', 'description', 'url', 'image'].map((name) => [
      name,
      page.metas(`${prefix}:${name}`)[0],
    ]),
  );

test('a post is described by its own meta data', () => {
  const page = pageAt('rich/');
  const post = documentOf('posts/authors-tags.json', 'posts', 'rich');
  expect(page.title).toBe(post.meta_title);
  expect(page.metas('description')).toEqual([post.meta_description]);
  expect(page.links('canonical')).toEqual([post.canonical_url]);
  expect(toldBy(page, 'og')).toEqual({
    title: post.og_title,
    description: post.og_description,
    url: post.canonical_url,
    image: post.og_image,
  });
  expect(toldBy(page, 'twitter')).toEqual({
    title: post.twitter_title,
    description: post.twitter_description,
    url: post.canonical_url,
    image: post.twitter_image,
  });
  expect(page.metas('og:type')).toEqual(['article']);
  expect(page.metas('article:published_time')).toEqual([post.published_at]);
  expect(page.metas('article:modified_time')).toEqual([post.updated_at]);
  expect(page.metas('article:tag')).toEqual(['Watt & Meer']);
  expect(page.jsonLd).toMatchObject({
    '@context': 'https://schema.org',
    '@type': 'Article',
    headline: post.title,
    datePublished: post.published_at,
    dateModified: post.updated_at,
    image: post.og_image,
    url: post.url,
    keywords: ['Watt & Meer'],
    isAccessibleForFree: true,
    author: [{ '@type': 'Person', name: 'Ada', url: `${SITE}/author/ada/` }],
    publisher: { '@type': 'Organization', name: settings().title, logo: settings().logo },
  });
});

test('without meta data, a post is described by its title, excerpt and picture', () => {
  const page = pageAt('plain/');
  const post = documentOf('posts/authors-tags.json', 'posts', 'plain');
  expect(page.title).toBe(post.title);
  expect(page.links('canonical')).toEqual([post.url]);
  expect(toldBy(page, 'og')).toMatchObject({ title: post.title, url: post.url, image: undefined });
  expect(page.metas('twitter:card')).toEqual(['summary']);
  expect(page.jsonLd).toMatchObject({ '@type': 'Article', isAccessibleForFree: false });
  expect(pageAt('rich/').metas('twitter:card')).toEqual(['summary_large_image']);
});

test('a page is an article of its own', () => {
  const page = pageAt('about/');
  const record = documentOf('pages/authors-tags.json', 'pages', 'about');
  expect([page.title, page.links('canonical')]).toEqual([record.title, [record.url]]);
  expect(page.metas('description')).toEqual([record.excerpt]);
  expect(page.jsonLd).toMatchObject({
    '@type': 'Article',
    headline: record.title,
    url: record.url,
  });
});

test('the home page is described by the settings', () => {
  const page = pageAt('');
  const { meta_title, description, og_title, og_description, og_image, ...all } = settings();
  expect(page.title).toBe(meta_title);
  expect(page.metas('description')).toEqual([description]);
  expect(page.links('canonical')).toEqual([`${SITE}/`]);
  expect(toldBy(page, 'og')).toEqual({
    title: og_title,
    description: og_description,
    url: `${SITE}/`,
    image: og_image,
  });
  expect(toldBy(page, 'twitter')).toMatchObject({
    title: all.twitter_title,
    image: all.cover_image,
  });
  expect(page.metas('og:type')).toEqual(['website']);
  expect(page.jsonLd).toMatchObject({ '@type': 'WebSite', url: `${SITE}/` });
});

test('a tag is described by its own meta data, an author by the bio', () => {
  const tag = documentOf('tags/index.json', 'tags', 'watt');
  const listed = pageAt('tag/watt/');
  expect(listed.title).toBe(tag.meta_title);
  expect(listed.metas('description')).toEqual([tag.description]);
  expect(listed.links('canonical')).toEqual([tag.canonical_url]);
  expect(toldBy(listed, 'og')).toMatchObject({ title: tag.og_title, image: tag.feature_image });
  expect(listed.metas('tag-head')).toEqual(['yes']);
  expect(listed.jsonLd).toMatchObject({ '@type': 'CollectionPage' });

  const author = documentOf('authors/index.json', 'authors', 'ada');
  const written = pageAt('author/ada/');
  expect(written.title).toBe(`${author.name} - ${settings().title}`);
  expect(written.metas('description')).toEqual([author.bio]);
  expect(written.links('canonical')).toEqual([author.url]);
  expect(toldBy(written, 'og')).toMatchObject({ image: author.profile_image });
  expect(written.metas('og:type')).toEqual(['profile']);
  expect(written.jsonLd).toMatchObject({
    '@type': 'ProfilePage',
    mainEntity: { '@type': 'Person', name: author.name, url: author.url },
  });
});

const EVERY = ['', 'rich/', 'plain/', 'about/', 'tag/watt/', 'author/ada/'];

test.each(EVERY)('/%s has the language, colour, code and links of the publication', (path) => {
  const page = pageAt(path);
  const { accent_color, lang, title, twitter } = settings();
  expect(page.lang).toBe(lang);
  expect(page.metas('theme-color')).toEqual([accent_color]);
  expect(page.metas('og:site_name')).toEqual([title]);
  expect(page.metas('twitter:site')).toEqual([twitter]);
  // The interface names a smaller size, as Ghost does; the file is the picture itself.
  expect(page.links('icon')).toEqual(['/content/images/icon.png']);
  expect(page.metas('site-head')).toEqual(['yes']);
  const ids = page.elements.map(({ attributes }) => attributes.id);
  expect(ids.includes('site-foot')).toBe(true);
  expect(page.metas('post-head')).toEqual(path === 'rich/' ? ['yes'] : []);
  expect(ids.includes('post-foot')).toBe(path === 'rich/');
  const links = page.elements.flatMap(({ name, attributes, text }) =>
    name === 'a' ? [[text, attributes.href]] : [],
  );
  expect(links).toEqual(
    expect.arrayContaining([
      ['Start', '/'],
      ['Über uns', '/about/'],
      ['Anderswo', 'https://other.test/x?a=1&b=2'],
      ['Post', 'mailto:post@site.test'],
    ]),
  );
});

test('dates are those of the language and the time zone', () => {
  expect(tree.get('rich/index.html')).toContain('2. Januar 2026');
});

test('the accent colour can be read on both papers', () => {
  const [, light = '', dark = ''] =
    /--accent-light: (#[0-9a-f]{6}); --accent-dark: (#[0-9a-f]{6})/.exec(
      tree.get('index.html') ?? '',
    ) ?? [];
  // Yellow on white is not what was chosen, and on black it is.
  expect([light === SETTINGS.accent_color, dark]).toEqual([false, SETTINGS.accent_color]);
});

test('a sitemap with too many addresses is an index of others', async () => {
  await expectSoundSitemaps(output);
  const locations = (name: string): string[] =>
    [...readFileSync(join(output, name), 'utf8').matchAll(/<loc>([^<]*)<\/loc>/g)].map(
      ([, address = '']) => address,
    );
  expect(tree.get('sitemap.xml')).toMatch(/^<\?xml[^>]*\?>\n<sitemapindex /);
  const parts = locations('sitemap.xml').map((address) => address.slice(`${SITE}/`.length));
  expect(parts).toEqual(['sitemap-1.xml', 'sitemap-2.xml']);
  // Those whose canonical address is on another site are left out.
  const own = EVERY.filter((path) => path !== 'rich/' && path !== 'tag/watt/');
  expect(parts.flatMap(locations).sort()).toEqual(own.map((path) => `${SITE}/${path}`).sort());
});
