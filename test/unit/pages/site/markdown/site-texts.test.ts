// What stands beside the pages for programs: which texts a run makes, what llms.txt and llms-full.txt hold, and the feed.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { MARKDOWN_DEPTH_MAX } from '../../../../../src/base/limits.ts';
import type { MarkdownOptions } from '../../../../../src/pages/site/markdown/site-texts.ts';
import { type PlannedSite, planSite } from '../../../../../src/pages/site/site.ts';
import type { SitePost, SiteRecords } from '../../../../../src/pages/site/site-records.ts';
import { SITE } from '../../../../helpers/site-pages.ts';
import {
  siteAuthor,
  sitePost,
  siteRecords,
  siteSettings,
} from '../../../../helpers/site-records.ts';
import { temporaryFolder } from '../../../../helpers/temporary-folder.ts';

const open = { visibility: 'public', access: true } as const;

const planIn =
  (folder: string, markdown: Partial<MarkdownOptions> | null = {}) =>
  (records: Parameters<typeof siteRecords>[0]): PlannedSite =>
    planSite({
      records: siteRecords(records) as SiteRecords,
      templates: '',
      pictures: { folder, widths: [] },
      signupUrl: null,
      markdown: markdown && { hasLlms: true, read: () => null, ...markdown },
      state: { file: join(folder, 'pages-site.json'), isThere: () => true, isForced: false },
    });

const textsOf = (plan: PlannedSite): Record<string, string> =>
  Object.fromEntries(plan.texts().map(({ path, read }) => [path, read().toString()]));

const ofSite = ['feed.json', 'llms-full.txt', 'llms.txt'];

test('a run makes the texts of the pages that it renders, and keeps the others', () => {
  const folder = temporaryFolder();
  const records = (html: string): { posts: SitePost[] } => ({
    posts: [sitePost('one', { ...open, html }), sitePost('two', open)],
  });
  const first = planIn(folder)(records('<p>A</p>'));
  expect(Object.keys(textsOf(first)).sort()).toEqual(
    [...ofSite, 'one.md', 'one/index.md', 'two.md', 'two/index.md'].sort(),
  );
  first.begin();
  first.end(() => true);
  const read: string[] = [];
  const standing = (file: string): Buffer => {
    read.push(file);
    return Buffer.from('standing text');
  };
  const second = planIn(folder, { read: standing })(records('<p>B</p>'));
  const texts = textsOf(second);
  expect(Object.keys(texts).sort()).toEqual([...ofSite, 'one.md', 'one/index.md'].sort());
  expect(second.kept).toEqual(expect.arrayContaining(['two/index.html', 'two/index.md', 'two.md']));
  expect(texts['one.md']).toMatch(/\nB\n$/);
  expect(texts['llms-full.txt']).toMatch(/\nB\n[\s\S]*standing text/);
  expect(read).toEqual(['two/index.md']);
});

test('a body that cannot be converted stands as html, is named, and stops no other', () => {
  const html = `${'<div>'.repeat(MARKDOWN_DEPTH_MAX)}<p>Deep</p>`;
  const plan = planIn(temporaryFolder())({
    posts: [sitePost('one', { ...open, html }), sitePost('two', { ...open, html: '<b>B</b>' })],
  });
  const texts = textsOf(plan);
  expect(texts['one.md']).toContain(html);
  expect(texts['two.md']).toMatch(/\n\*\*B\*\*\n$/);
  expect([...plan.warnings]).toEqual([expect.stringContaining(' https://site.test/one/ ')]);
});

test('without the setting there are none, and those that stand are not kept', () => {
  const folder = temporaryFolder();
  const plan = planIn(folder, null)({ posts: [sitePost('one', open)] });
  plan.begin();
  plan.end(() => true);
  const again = planIn(folder, null)({ posts: [sitePost('one', open)] });
  expect([again.texts(), again.kept.filter((file) => file.endsWith('.md'))]).toEqual([[], []]);
});

test('a record whose name is the file of another one keeps its page', () => {
  const plan = planIn(temporaryFolder())({
    posts: [sitePost('One.md', open), sitePost('one', open)],
  });
  expect(Object.keys(textsOf(plan))).not.toContain('one.md');
  expect(Object.keys(textsOf(plan))).toContain('One.md/index.md');
});

test('llms.txt names what anybody may read; a setting of Ghost leaves it out', () => {
  const records = {
    posts: [
      sitePost('one', { ...open, title: 'One [1]', custom_excerpt: 'About\none.' }),
      sitePost('closed', { visibility: 'paid', access: false, html: '<p>Free</p>' }),
    ],
    pages: [sitePost('about', { ...open, excerpt: '' })],
  };
  const texts = textsOf(planIn(temporaryFolder())(records));
  expect(texts['llms.txt']).toBe(`# Neap & Spring

> About tides

## Posts

- [One \\[1\\]](https://site.test/one/index.md): About one.

## Pages

- [about](https://site.test/about/index.md)
`);
  expect(texts['llms-full.txt']).not.toContain('Free');
  expect(texts['closed.md']).toContain('Free\n\n> The rest of this text is for paying members');
  const untitled = planIn(temporaryFolder())({ settings: siteSettings({ title: '' }) });
  expect(textsOf(untitled)['llms.txt']).toMatch(/^# site\.test\n/);
  const without = textsOf(planIn(temporaryFolder(), { hasLlms: false })(records));
  expect(Object.keys(without).filter((file) => file.startsWith('llms'))).toEqual([]);
});

test("a post has its page and texts where the excerpt is null, as in Ghost's shape", () => {
  const posts = [sitePost('closed', { ...open, html: null, excerpt: null })];
  const plan = planIn(temporaryFolder())({ posts });
  expect(plan.site.posts.map(({ file }) => file)).toEqual(['closed/index.html']);
  const texts = textsOf(plan);
  expect(texts['llms.txt']).toContain('(https://site.test/closed/index.md)\n');
  expect(JSON.parse(texts['feed.json'] ?? '').items[0].content_text).toBe('closed');
});

test('llms.txt has 500 posts at most, llms-full.txt 5 MiB', () => {
  const html = `<p>${'word '.repeat(4_000)}</p>`;
  const posts = Array.from({ length: 501 }, (_, at) => sitePost(`p${at}`, { ...open, html }));
  const texts = textsOf(planIn(temporaryFolder(), { read: () => null })({ posts }));
  expect(texts['llms.txt']?.match(/^- /gm)).toHaveLength(500);
  const bytes = Buffer.byteLength(texts['llms-full.txt'] ?? '');
  expect([bytes > 5_200_000, bytes <= 5 * 1024 * 1024 + 4096]).toEqual([true, true]);
});

/** https://jsonfeed.org/version/1.1 */
const feedSchema = z.strictObject({
  version: z.literal('https://jsonfeed.org/version/1.1'),
  title: z.string(),
  home_page_url: z.url(),
  feed_url: z.url(),
  description: z.string().optional(),
  icon: z.url().optional(),
  language: z.string().optional(),
  items: z.array(
    z
      .strictObject({
        id: z.string().min(1),
        url: z.url(),
        title: z.string(),
        content_html: z.string().optional(),
        content_text: z.string().optional(),
        summary: z.string().optional(),
        image: z.url().optional(),
        date_published: z.iso.datetime({ offset: true }),
        date_modified: z.iso.datetime({ offset: true }),
        authors: z.array(
          z.strictObject({ name: z.string(), url: z.url(), avatar: z.url().optional() }),
        ),
        tags: z.array(z.string()),
      })
      .refine((item) => item.content_html !== undefined || item.content_text !== undefined),
  ),
});

test('the feed is a JSON Feed 1.1 of the newest posts, with whole addresses', () => {
  const posts = [
    sitePost('one', {
      ...open,
      html: '<a href="/x/">x</a>',
      feature_image: '//cdn.test/a.png',
      authors: [siteAuthor('ada')],
    }),
    sitePost('closed', { visibility: 'paid', access: false, html: '', excerpt: '' }),
  ];
  const settings = siteSettings({ icon: `${SITE}/content/images/size/w256h256/2026/icon.png` });
  const texts = textsOf(planIn(temporaryFolder())({ posts, settings }));
  const feed = feedSchema.parse(JSON.parse(texts['feed.json'] ?? ''));
  expect(feed.icon).toBe(`${SITE}/content/images/2026/icon.png`);
  expect(feed.items[0]?.image).toBe('https://cdn.test/a.png');
  expect(feed.items.map(({ content_html, content_text }) => content_html ?? content_text)).toEqual([
    '<a href="https://site.test/x/">x</a>',
    'This text is for members.',
  ]);
});
