// Which pages a run renders: those that the records, the settings or the templates have touched since pages were last placed,
// and all that a run which failed did not place.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type PlannedSite, planSite } from '../../../../src/pages/site/site.ts';
import type { SiteRecords } from '../../../../src/pages/site/site-records.ts';
import { SITE } from '../../../helpers/site-pages.ts';
import {
  siteAuthor,
  sitePost,
  siteRecords,
  siteSettings,
  siteTag,
} from '../../../helpers/site-records.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

const tides = siteTag('tides');
const salt = siteTag('salt');
const ada = siteAuthor('ada');

/** Two posts of one author, each with a tag. */
const recordsWith = (changed: Parameters<typeof sitePost>[1] = {}): SiteRecords =>
  siteRecords({
    posts: [
      sitePost('one', { tags: [tides], authors: [ada], ...changed }),
      sitePost('two', { tags: [salt], authors: [ada] }),
    ],
    tags: [tides, salt],
    authors: [ada],
  });

type Given = {
  readonly templates?: string;
  readonly signupUrl?: string;
  readonly isThere?: (page: string) => boolean;
};

const plannerIn =
  (folder: string) =>
  (records: SiteRecords, given: Given = {}): PlannedSite =>
    planSite({
      records,
      templates: given.templates ?? 'templates',
      pictures: { folder, widths: [600, 1000] },
      signupUrl: given.signupUrl ?? null,
      markdown: null,
      state: {
        file: join(folder, 'pages-site.json'),
        isThere: given.isThere ?? (() => true),
        isForced: false,
      },
    });

const filesOf = ({ site }: PlannedSite): string[] =>
  [...site.posts, ...site.lists].map(({ file }) => file).sort();

const ALL = [
  'author/ada/index.html',
  'index.html',
  'one/index.html',
  'tag/salt/index.html',
  'tag/tides/index.html',
  'two/index.html',
];

const placed = (plan: PlannedSite): void => {
  plan.begin();
  plan.end(() => true);
};

test('after pages were placed, nothing is rendered until something changes', () => {
  const plan = plannerIn(temporaryFolder());
  const first = plan(recordsWith());
  expect(filesOf(first)).toEqual(ALL);
  placed(first);
  const second = plan(recordsWith());
  expect(filesOf(second)).toEqual([]);
  expect([...second.kept].sort()).toEqual(ALL);
});

test('an edit renders the page of the record and the lists that show what was edited', () => {
  const plan = plannerIn(temporaryFolder());
  placed(plan(recordsWith()));
  const body = plan(recordsWith({ html: '<p>Another body.</p>' }));
  expect(filesOf(body)).toEqual(['one/index.html']);
  const title = plan(recordsWith({ title: 'Other' }));
  // The neighbour names it.
  expect(filesOf(title)).toEqual([
    'author/ada/index.html',
    'index.html',
    'one/index.html',
    'tag/tides/index.html',
    'two/index.html',
  ]);
});

test('other settings, other templates and a lost page are rendered', () => {
  const plan = plannerIn(temporaryFolder());
  placed(plan(recordsWith()));
  const settings = siteSettings({ title: 'Another name' });
  expect(filesOf(plan({ ...recordsWith(), settings }))).toEqual(ALL);
  expect(filesOf(plan(recordsWith(), { templates: 'other templates' }))).toEqual(ALL);
  const lost = plan(recordsWith(), { isThere: (page) => page !== 'two/index.html' });
  expect(filesOf(lost)).toEqual(['two/index.html']);
});

test('pages of a run that placed nothing, or broke off while it placed, are rendered by the next', () => {
  const plan = plannerIn(temporaryFolder());
  placed(plan(recordsWith()));
  const edited = recordsWith({ html: '<p>Another body.</p>' });
  // A template could not be rendered.
  plan(edited);
  expect(filesOf(plan(edited))).toEqual(['one/index.html']);
  plan(edited).begin();
  // What stands there may be of either run.
  expect(filesOf(plan(edited))).toEqual(['one/index.html']);
  expect(filesOf(plan(recordsWith()))).toEqual(['one/index.html']);
});

test('a feed has no characters that XML cannot hold, and the time of the newest change', () => {
  const { site } = plannerIn(temporaryFolder())(
    recordsWith({ title: 'Bell\u0007', updated_at: '2026-03-01T10:00:00.000+02:00' }),
  );
  expect(site.newest.map(({ title }) => title)).toEqual(['Bell', 'two']);
  expect(site.updated).toBe('2026-03-01T10:00:00.000+02:00');
});

test('a record whose address belongs to something else has no page, and is named', () => {
  const slugs = [
    'rss',
    'RSS',
    'robots.txt',
    '404.html',
    'feed.atom',
    'sitemap.xml',
    'sitemap-2.xml',
  ];
  const others = ['index.html', 'docs', 'content', 'ONE', 'rss-news', '404'];
  const { site, warnings } = plannerIn(temporaryFolder())(
    siteRecords({ posts: ['one', ...slugs, ...others].map((slug) => sitePost(slug)) }),
  );
  expect(site.posts.map(({ file }) => file)).toEqual([
    'one/index.html',
    'rss-news/index.html',
    '404/index.html',
  ]);
  const named = [...slugs, 'index.html', 'docs', 'content', 'ONE'];
  expect([...warnings].map((warning) => /at (\S+),/.exec(warning)?.[1])).toEqual(
    named.map((slug) => sitePost(slug).url),
  );
});

test('links of the navigation stay within a site in a folder', () => {
  const urls = ['#top', 'about/', '/about/', '/blog/about/', 'https://a.test/x', '?a=b', ''];
  const navigation = urls.map((url) => ({ label: 'Link', url }));
  const settings = siteSettings({ url: 'https://example.com/blog/', navigation });
  const { site } = plannerIn(temporaryFolder())(siteRecords({ settings }));
  expect(site.navigation.map(({ href }) => href)).toEqual([
    '/blog/#top',
    '/blog/about/',
    '/blog/about/',
    '/blog/about/',
    'https://a.test/x',
    '/blog/?a=b',
  ]);
});

test.each([
  ['ar', true],
  ['he-IL', true],
  ['ckb', true],
  ['az-Arab', true],
  ['en', false],
  ['not a language', false],
])('%s is written from right to left: %s', (lang, isRightToLeft) => {
  const settings = siteSettings({ lang });
  expect(plannerIn(temporaryFolder())(siteRecords({ settings })).site).toMatchObject({
    isRightToLeft,
  });
});

test('the icon is the picture itself, which stands as a file', () => {
  const icon = 'https://example.com/content/images/size/w256h256/2026/01/icon.png';
  const settings = siteSettings({ url: 'https://example.com/', icon });
  const { site } = plannerIn(temporaryFolder())(siteRecords({ settings }));
  expect(site.icon).toBe('/content/images/2026/01/icon.png');
});

test('feeds hold whole addresses, and the sitemap no post whose own address is elsewhere', () => {
  const html =
    '<img src="/r.png" srcset="/s.png 600w, /r.png 1000w"><a href="other/">o</a><a href="#fn">f</a>' +
    '<iframe src="//www.example.net/x"></iframe><a href="?q=1&amp;r">q</a>' +
    '<video poster="/p.png"></video><a href="mailto:a@example.net">m</a>';
  const canonical_url = 'https://elsewhere.example.net/one/';
  const { site } = plannerIn(temporaryFolder())(recordsWith({ html, canonical_url }));
  expect(site.newest[0]?.html).toBe(
    `<img src="${SITE}/r.png" srcset="${SITE}/s.png 600w, ${SITE}/r.png 1000w"><a href="${SITE}/one/other/">o</a><a href="${SITE}/one/#fn">f</a>` +
      `<iframe src="https://www.example.net/x"></iframe><a href="${SITE}/one/?q=1&amp;r">q</a>` +
      `<video poster="${SITE}/p.png"></video><a href="mailto:a@example.net">m</a>`,
  );
  const listed = (canonical: string): string[] =>
    plannerIn(temporaryFolder())(recordsWith({ canonical_url: canonical })).site.urls.map(
      ({ url }) => url,
    );
  expect(site.urls.map(({ url }) => url)).not.toContain(`${SITE}/one/`);
  expect(site.urls.map(({ url }) => url)).toContain(`${SITE}/two/`);
  for (const own of [`${SITE}/one`, '/one/']) expect(listed(own)).toContain(`${SITE}/one/`);
});
