import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TEXT_BYTES_MAX } from '../../../../src/base/limits.ts';
import type { BuildReport } from '../../../../src/publish/build/run-build.ts';
import { createPublication, type Publication } from '../../../helpers/publication.ts';
import {
  buildInto,
  listSetAside,
  parseFile,
  publishWith,
  readStatKeys,
  readTree,
} from '../../../helpers/tree.ts';

type Site = Publication & {
  readonly content: string;
  readonly post: string;
  /** Builds and announces; then a full build elsewhere must have the same bytes. */
  readonly publish: () => Promise<BuildReport>;
  readonly sql: (statement: string, ...values: unknown[]) => void;
};

const OWN = '<p>own words</p>';

const createSite = async (row: Record<string, unknown> = {}): Promise<Site> => {
  const publication = await createPublication();
  const { store, shell, insert, folder } = publication;
  const tree = join(folder, 'tree');
  const content = join(tree, 'content');
  const insertPost = (slug: string, more: object): string =>
    insert('posts', { slug, status: 'published', published_at: '2026-01-01', ...more });
  const post = insertPost('own', { html: OWN, ...row });
  insertPost('other', {});
  insert('posts_tags', { post_id: post, tag_id: insert('tags', { slug: 'only-here' }) });
  let clean = 0;
  const site: Site = {
    ...publication,
    content,
    post,
    publish: async () => {
      const report = await publishWith(buildInto, store, [tree, {}]);
      clean += 1;
      const beside = join(folder, `clean-${clean}`);
      await buildInto(store, beside);
      expect(readTree(content)).toEqual(readTree(join(beside, 'content')));
      return report;
    },
    sql: (statement, ...values) => {
      shell.prepare(statement).run(values);
    },
  };
  await site.publish();
  return site;
};

const BREAK = "UPDATE posts SET published_at = 'nonsense'";

const shown = ({ content, post }: Site, resource = 'posts'): Record<string, unknown> | null => {
  const name = `${resource}/${post}/index.json`;
  if (!existsSync(join(content, name))) return null;
  return (parseFile(content, name)[resource] as Record<string, unknown>[])[0] ?? null;
};

/** Nothing of the record is in any file, nor of the tag that only it has. */
const expectAbsent = ({ content, post }: Site): void => {
  const files = [...readTree(content)];
  expect(files.map(([name]) => name).filter((name) => /own|only-here/.test(name))).toEqual([]);
  expect(files.filter(([, text]) => text.includes(post) || /own words/.test(text))).toEqual([]);
};

test('a broken row keeps its document, and what else was edited is built', async () => {
  const site = await createSite();
  const before = readStatKeys(site.content);
  site.sql(`${BREAK}, title = 'Unseen' WHERE id = ?`, site.post);
  await site.publish();
  expect(readStatKeys(site.content)).toEqual(before);
  site.sql("UPDATE posts SET title = 'Seen' WHERE slug = 'other'");
  await site.publish();
  const { posts } = parseFile(site.content, 'posts/index.json') as { posts: object[] };
  expect(posts.map((one) => (one as { title: string }).title).sort()).toEqual([
    'Seen',
    `Title ${site.post}`,
  ]);
  expect(listSetAside(site.store)).toMatchObject([
    { entity: 'posts', id: site.post, isCurrent: true, hiddenSeq: null },
  ]);
  expect(listSetAside(site.store)[0]?.problems).toEqual([
    { field: 'published_at', reason: 'is not a time that can be read' },
  ]);
});

test('a mended row is shown, and no longer named', async () => {
  const site = await createSite();
  site.sql(`${BREAK} WHERE id = ?`, site.post);
  await site.publish();
  site.sql("UPDATE posts SET title = 'Still broken' WHERE id = ?", site.post);
  await site.publish();
  expect(shown(site)?.title).toBe(`Title ${site.post}`);
  site.sql("UPDATE posts SET published_at = '2026-02-02' WHERE id = ?", site.post);
  await site.publish();
  expect(shown(site)).toMatchObject({ title: 'Still broken' });
  expect(listSetAside(site.store)).toEqual([]);
});

test('the last row that could be rendered is kept, not the last that was built', async () => {
  const site = await createSite();
  site.sql("UPDATE posts SET title = 'Second' WHERE id = ?", site.post);
  site.sql(`${BREAK}, title = 'Third' WHERE id = ?`, site.post);
  site.sql("UPDATE posts SET title = 'Fourth' WHERE id = ?", site.post);
  await site.publish();
  expect(shown(site)).toMatchObject({ title: 'Second', html: OWN });
  // Mended and broken again between two builds.
  site.sql("UPDATE posts SET published_at = '2026-02-02', title = 'Fifth' WHERE id = ?", site.post);
  site.sql(`${BREAK} WHERE id = ?`, site.post);
  await site.publish();
  expect(shown(site)).toMatchObject({ title: 'Fifth' });
});

const GATED = "INSERT INTO posts_meta (id, post_id, email_only) SELECT 'm', id, ";

test.each([
  ['gated', `${BREAK}, visibility = 'members' WHERE slug = 'own'`],
  ['gated to tiers', `${BREAK}, visibility = 'tiers' WHERE slug = 'own'`],
  ['given an unknown gate', `${BREAK}, visibility = '?' WHERE slug = 'own'`],
  ['made a draft', `${BREAK}, status = 'draft' WHERE slug = 'own'`],
  ['sent', `${BREAK}, status = 'sent' WHERE slug = 'own'`],
  ['made e-mail only', `${GATED} 1 FROM posts WHERE slug = 'own'; ${BREAK}`],
  [
    'made e-mail only in words nobody knows',
    `${BREAK}; ${GATED} 'maybe' FROM posts WHERE slug = 'own'`,
  ],
  ['deleted', "DELETE FROM posts WHERE slug = 'own'"],
])('a row that is broken and %s is absent everywhere', async (_, edit) => {
  const site = await createSite();
  site.shell.exec(edit);
  await site.publish();
  expectAbsent(site);
});

test.each([
  ['gated', "UPDATE posts SET visibility = 'paid' WHERE slug = 'own'"],
  ['taken back', "UPDATE posts SET status = 'draft' WHERE slug = 'own'"],
])(
  'a row that is %s while it is broken leaves, and comes back when it is mended',
  async (_, edit) => {
    const site = await createSite();
    site.sql(`${BREAK} WHERE id = ?`, site.post);
    await site.publish();
    expect(shown(site)).not.toBeNull();
    site.shell.exec(edit);
    await site.publish();
    expectAbsent(site);
    // Open again, and still broken: what was withdrawn is not brought back.
    site.sql(
      "UPDATE posts SET status = 'published', visibility = 'public' WHERE id = ?",
      site.post,
    );
    await site.publish();
    expectAbsent(site);
    site.sql("UPDATE posts SET published_at = '2026-01-01' WHERE id = ?", site.post);
    await site.publish();
    expect(shown(site)).toMatchObject({ html: OWN });
  },
);

test('a gate that opens while the row breaks stays shut', async () => {
  const site = await createSite({
    visibility: 'members',
    html: '<p>Free</p><!--members-only--><p>Secret</p>',
  });
  site.sql("UPDATE posts SET visibility = 'public' WHERE id = ?", site.post);
  site.sql(`${BREAK}, html = '<p>Free</p>' WHERE id = ?`, site.post);
  await site.publish();
  expect(shown(site)).toMatchObject({ visibility: 'members', html: '<p>Free</p>' });
  expect([...readTree(site.content).values()].filter((text) => /Secret/.test(text))).toEqual([]);
});

test('a draft that is published and broken is not shown, whatever it was amid the transaction', async () => {
  const site = await createSite({ status: 'draft', html: '<p>own words: a draft</p>' });
  site.shell.transaction(() => {
    site.sql("UPDATE posts SET status = 'published' WHERE id = ?", site.post);
    site.sql(`${BREAK}, html = '<p>Fit to read</p>' WHERE id = ?`, site.post);
  })();
  await site.publish();
  expectAbsent(site);
});

test('a new row that is broken is absent, and so is one that broke while nobody logged', async () => {
  const site = await createSite();
  site.insert('posts', { slug: 'new', status: 'published', published_at: 'never' });
  await site.publish();
  expect(existsSync(join(site.content, 'posts/slug/new'))).toBe(false);
  site.shell.exec('DROP TRIGGER prepress_posts_u');
  site.sql(`${BREAK} WHERE id = ?`, site.post);
  await site.store.mendTriggers();
  await site.publish();
  expectAbsent(site);
  expect(listSetAside(site.store)).toHaveLength(2);
});

test('an earlier row outlives a log that is gone', async () => {
  const site = await createSite();
  site.sql(`${BREAK} WHERE id = ?`, site.post);
  await site.publish();
  site.shell.exec('DROP TABLE changes');
  await site.store.mendTriggers();
  await site.publish();
  expect(shown(site)).toMatchObject({ html: OWN });
  expect(listSetAside(site.store)).toMatchObject([{ isCurrent: true }]);
});

test('an earlier row is found though a REPLACE made the present one', async () => {
  const site = await createSite();
  site.sql(
    `INSERT OR REPLACE INTO posts (id, uuid, title, slug, html, status, created_at, published_at)
     SELECT id, uuid, 'Replaced', slug, html, status, created_at, 'nonsense' FROM posts WHERE id = ?`,
    site.post,
  );
  await site.publish();
  expect(shown(site)).toMatchObject({ title: `Title ${site.post}`, html: OWN });
});

test('bytes, marks and meta of the earlier row are those that were shown', async () => {
  const odd = '<p>\u0001 "\\ \u{1f600} \u2028 __GHOST_URL__/x</p>';
  const site = await createSite({ html: odd, plaintext: '\u00e4 \ud83d\ude00' });
  site.sql("INSERT INTO posts_meta (id, post_id, og_title) VALUES ('m', ?, 'Og')", site.post);
  await site.publish();
  const before = readTree(site.content);
  site.sql("UPDATE posts_meta SET og_title = 'Other' WHERE post_id = ?", site.post);
  site.sql(`${BREAK}, html = X'ff', plaintext = NULL WHERE id = ?`, site.post);
  site.sql("UPDATE posts_meta SET og_title = 'Another' WHERE post_id = ?", site.post);
  await site.publish();
  const after = readTree(site.content);
  const own = `posts/${site.post}/index.json`;
  expect(after.get(own)).toBe(before.get(own)?.replace('"Og"', '"Other"'));
});

test('what the post is linked to goes on as it is now', async () => {
  const site = await createSite();
  site.sql(`${BREAK} WHERE id = ?`, site.post);
  await site.publish();
  const tag = site.insert('tags', { slug: 'later' });
  site.insert('posts_tags', { post_id: site.post, tag_id: tag, sort_order: 1 });
  await site.publish();
  expect(parseFile(site.content, `tags/${tag}/count-posts.json`).tags).toMatchObject([
    { count: { posts: 1 } },
  ]);
});

test('a post that breaks as it becomes a page stays a post', async () => {
  const site = await createSite();
  site.sql(`${BREAK}, type = 'page' WHERE id = ?`, site.post);
  await site.publish();
  expect(shown(site)).toMatchObject({ html: OWN });
  const name = 'tags/slug/only-here/count-posts.json';
  expect(parseFile(site.content, name).tags).toMatchObject([{ count: { posts: 1 } }]);
  site.sql("UPDATE posts SET published_at = '2026-01-01' WHERE id = ?", site.post);
  await site.publish();
  expect(shown(site)).toBeNull();
  expect(shown(site, 'pages')).toMatchObject({ html: OWN });
  expect(parseFile(site.content, name).tags).toMatchObject([{ count: { posts: 0 } }]);
});

test('a living row keeps its address; the earlier one has it back when it is free', async () => {
  const site = await createSite();
  site.sql(`${BREAK}, slug = 'moved' WHERE id = ?`, site.post);
  await site.publish();
  expect(shown(site)).toMatchObject({ slug: 'own' });
  site.sql("UPDATE posts SET slug = 'own' WHERE slug = 'other'");
  await site.publish();
  const atSlug = () =>
    parseFile(site.content, 'posts/slug/own/index.json').posts as { id: string }[];
  expect(atSlug()[0]?.id).not.toBe(site.post);
  expect(parseFile(site.content, `posts/slug/${site.post}/index.json`).posts).toMatchObject([
    { id: site.post, slug: 'own', html: OWN },
  ]);
  expect(shown(site)).toMatchObject({ slug: 'own', html: OWN });
  site.sql("UPDATE posts SET slug = 'other' WHERE slug = 'own'");
  await site.publish();
  expect(atSlug()[0]?.id).toBe(site.post);
  // Two broken rows do not share an address either.
  site.sql("UPDATE posts SET slug = 'own' WHERE slug = 'other'");
  await site.publish();
  site.sql(`${BREAK}, slug = 'gone' WHERE slug = 'own'`);
  await site.publish();
  expect(parseFile(site.content, 'posts/index.json').posts).toHaveLength(2);
});

test('a tag and an author that cannot be rendered stay as they were, in posts, too', async () => {
  const site = await createSite();
  const author = site.insert('users', { slug: 'ann', name: 'Ann' });
  site.insert('posts_authors', { post_id: site.post, author_id: author });
  await site.publish();
  const before = readTree(site.content);
  const long = 'x'.repeat(TEXT_BYTES_MAX + 1);
  site.sql("UPDATE tags SET description = ?, name = 'Broken', slug = 'broken'", long);
  site.sql("UPDATE users SET bio = ?, name = 'Broken'", long);
  await site.publish();
  expect(readTree(site.content)).toEqual(before);
  expect(
    listSetAside(site.store)
      .map(({ entity }) => entity)
      .sort(),
  ).toEqual(['tags', 'users']);
  site.sql("UPDATE tags SET visibility = 'internal'");
  await site.publish();
  expect(parseFile(site.content, 'tags/index.json').tags).toEqual([]);
  expect(parseFile(site.content, `posts/${site.post}/tags.json`).posts).toMatchObject([
    { tags: [], primary_tag: null },
  ]);
  site.sql("UPDATE tags SET description = NULL, visibility = 'public'");
  site.sql('UPDATE users SET bio = NULL');
  await site.publish();
  expect(parseFile(site.content, 'tags/index.json').tags).toMatchObject([{ name: 'Broken' }]);
  expect(parseFile(site.content, 'authors/index.json').authors).toMatchObject([{ name: 'Broken' }]);
  expect(listSetAside(site.store)).toEqual([]);
});

test('bytes are read as the text that they spell', async () => {
  const site = await createSite({ updated_at: null });
  const before = readTree(site.content);
  site.sql('UPDATE posts SET slug = CAST(slug AS BLOB), html = CAST(html AS BLOB)');
  site.sql("UPDATE posts SET published_at = CAST(published_at AS BLOB), updated_at = x''");
  site.sql('UPDATE tags SET slug = CAST(slug AS BLOB), name = CAST(name AS BLOB)');
  await site.publish();
  expect(readTree(site.content)).toEqual(before);
  expect(listSetAside(site.store)).toEqual([]);
});

test('an earlier row is judged by what documents are made of', async () => {
  const site = await createSite();
  // Nobody reads the locale of a post.
  site.sql('UPDATE posts SET locale = ? WHERE id = ?', 'x'.repeat(TEXT_BYTES_MAX + 1), site.post);
  site.sql("UPDATE posts SET title = 'Second' WHERE id = ?", site.post);
  site.sql(`${BREAK} WHERE id = ?`, site.post);
  await site.publish();
  expect(shown(site)).toMatchObject({ title: 'Second' });
});

test('a column that tags and authors are not made of breaks none of them', async () => {
  const site = await createSite();
  site.insert('posts_authors', { post_id: site.post, author_id: site.insert('users', {}) });
  await site.publish();
  const before = readTree(site.content);
  const long = 'x'.repeat(TEXT_BYTES_MAX + 1);
  site.sql('UPDATE tags SET parent_id = ?', long);
  site.sql('UPDATE users SET accessibility = ?', long);
  await site.publish();
  expect(readTree(site.content)).toEqual(before);
  expect(listSetAside(site.store)).toEqual([]);
});
