import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TEXT_BYTES_MAX } from '../../../src/base/limits.ts';
import type { BuildReport } from '../../../src/builder/run-build.ts';
import { createPublication, type Publication } from '../../helpers/publication.ts';
import { buildInto, parseFile, publishWith, readStamps, readTree } from '../../helpers/tree.ts';

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

const aside = ({ store }: Site) => {
  const snapshot = store.snapshot();
  const entries = snapshot.setAside();
  snapshot.close();
  return entries;
};

test('a broken row keeps its document, and what else was edited is built', async () => {
  const site = await createSite();
  const before = readStamps(site.content);
  site.sql(`${BREAK}, title = 'Unseen' WHERE id = ?`, site.post);
  await site.publish();
  expect(readStamps(site.content)).toEqual(before);
  site.sql("UPDATE posts SET title = 'Seen' WHERE slug = 'other'");
  await site.publish();
  const { posts } = parseFile(site.content, 'posts/index.json') as { posts: object[] };
  expect(posts.map((one) => (one as { title: string }).title).sort()).toEqual([
    'Seen',
    `Title ${site.post}`,
  ]);
  expect(aside(site)).toMatchObject([
    { entity: 'posts', id: site.post, isCurrent: true, hiddenSeq: null },
  ]);
  expect(aside(site)[0]?.problems).toEqual([
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
  expect(aside(site)).toEqual([]);
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

const META = 'INSERT INTO posts_meta (id, post_id, email_only) VALUES (?, ?, ?)';

test.each<[string, (site: Site) => void]>([
  ['gated', ({ sql, post }) => sql(`${BREAK}, visibility = 'members' WHERE id = ?`, post)],
  ['gated to tiers', ({ sql, post }) => sql(`${BREAK}, visibility = 'tiers' WHERE id = ?`, post)],
  [
    'given an unknown gate',
    ({ sql, post }) => sql(`${BREAK}, visibility = '?' WHERE id = ?`, post),
  ],
  ['made a draft', ({ sql, post }) => sql(`${BREAK}, status = 'draft' WHERE id = ?`, post)],
  ['sent', ({ sql, post }) => sql(`${BREAK}, status = 'sent' WHERE id = ?`, post)],
  [
    'made e-mail only',
    ({ sql, post }) => {
      sql(META, 'm', post, 1);
      sql(`${BREAK} WHERE id = ?`, post);
    },
  ],
  [
    'made e-mail only in words nobody knows',
    ({ sql, post }) => {
      sql(`${BREAK} WHERE id = ?`, post);
      sql(META, 'm', post, 'maybe');
    },
  ],
  ['deleted', ({ sql, post }) => sql('DELETE FROM posts WHERE id = ?', post)],
])('a row that is broken and %s is absent everywhere', async (_, edit) => {
  const site = await createSite();
  edit(site);
  await site.publish();
  expectAbsent(site);
});

test.each<[string, (site: Site) => void]>([
  ['gated', ({ sql, post }) => sql("UPDATE posts SET visibility = 'paid' WHERE id = ?", post)],
  ['taken back', ({ sql, post }) => sql("UPDATE posts SET status = 'draft' WHERE id = ?", post)],
])(
  'a row that is %s while it is broken leaves, and comes back when it is mended',
  async (_, edit) => {
    const site = await createSite();
    site.sql(`${BREAK} WHERE id = ?`, site.post);
    await site.publish();
    expect(shown(site)).not.toBeNull();
    edit(site);
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
  expect(aside(site)).toHaveLength(2);
});

test('an earlier row outlives a log that is gone', async () => {
  const site = await createSite();
  site.sql(`${BREAK} WHERE id = ?`, site.post);
  await site.publish();
  site.shell.exec('DROP TABLE changes');
  await site.store.mendTriggers();
  await site.publish();
  expect(shown(site)).toMatchObject({ html: OWN });
  expect(aside(site)).toMatchObject([{ isCurrent: true }]);
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
});

test('two broken rows do not share an address either', async () => {
  const site = await createSite();
  site.sql(`${BREAK}, slug = 'moved' WHERE id = ?`, site.post);
  await site.publish();
  site.sql("UPDATE posts SET slug = 'own' WHERE slug = 'other'");
  await site.publish();
  site.sql(`${BREAK}, slug = 'gone' WHERE slug = 'own'`);
  await site.publish();
  const { posts } = parseFile(site.content, 'posts/index.json') as { posts: object[] };
  expect(posts).toHaveLength(2);
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
    aside(site)
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
  expect(aside(site)).toEqual([]);
});

test('bytes are read as the text that they spell', async () => {
  const site = await createSite({ updated_at: null });
  const before = readTree(site.content);
  site.sql('UPDATE posts SET slug = CAST(slug AS BLOB), html = CAST(html AS BLOB)');
  site.sql("UPDATE posts SET published_at = CAST(published_at AS BLOB), updated_at = x''");
  site.sql('UPDATE tags SET slug = CAST(slug AS BLOB), name = CAST(name AS BLOB)');
  await site.publish();
  expect(readTree(site.content)).toEqual(before);
  expect(aside(site)).toEqual([]);
});

test.each(['posts', 'tags', 'users'])('a slug of %s may be any bytes', async (table) => {
  const site = await createSite();
  site.insert('posts_authors', { post_id: site.post, author_id: site.insert('users', {}) });
  await site.publish();
  const before = readTree(site.content);
  const one = site.shell.prepare(`SELECT id, slug FROM ${table} LIMIT 1`).get() as {
    id: string;
    slug: string;
  };
  for (const bytes of ['', '00', '00ff', '2e2e2f', 'c3a4']) {
    site.sql(`UPDATE ${table} SET slug = x'${bytes}' WHERE id = ?`, one.id);
    await site.publish();
    const resource = table === 'users' ? 'authors' : table;
    const [record] = parseFile(site.content, `${resource}/${one.id}/index.json`)[
      resource
    ] as Record<string, unknown>[];
    expect(record?.slug).toBe(Buffer.from(bytes, 'hex').toString());
  }
  site.sql(`UPDATE ${table} SET slug = ? WHERE id = ?`, one.slug, one.id);
  await site.publish();
  expect(readTree(site.content)).toEqual(before);
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
  expect(aside(site)).toEqual([]);
});

test('an infinite number of an earlier row stays one', async () => {
  const site = await createSite();
  site.sql('UPDATE posts SET featured = 9e999 WHERE id = ?', site.post);
  await site.publish();
  expect(shown(site)).toMatchObject({ featured: true });
  const before = readTree(site.content);
  site.sql(`${BREAK} WHERE id = ?`, site.post);
  await site.publish();
  expect(readTree(site.content)).toEqual(before);
});

test.each([
  ['bytes', "'twin'", "CAST('twin' AS BLOB)"],
  ['no UTF-8', "x'fe'", "x'ff'"],
  ['no name', "x'00'", "CAST(x'00' AS TEXT)"],
])('two slugs of one text, one of them %s, have an address each', async (_, first, second) => {
  const site = await createSite();
  const before = readTree(site.content);
  const rename = (slug: string, id: string): void =>
    site.sql(`UPDATE posts SET slug = ${slug} WHERE id = ?`, id);
  const other = site.shell.prepare("SELECT id FROM posts WHERE slug = 'other'").pluck().get();
  const ids = [site.post, String(other)];
  const folders = (): string[] => readdirSync(join(site.content, 'posts/slug'));
  for (const [one = '', two = ''] of [ids, ids.toReversed()]) {
    rename(first, one);
    await site.publish();
    rename(second, two);
    await site.publish();
    expect(folders()).toHaveLength(2);
    for (const id of ids) {
      site.sql("UPDATE posts SET title = title || '!' WHERE id = ?", id);
      await site.publish();
    }
    rename("'moved'", one);
    await site.publish();
    expect(folders()).toHaveLength(2);
    rename("'third'", two);
  }
  for (const id of ids) {
    const slug = id === site.post ? 'own' : 'other';
    site.sql('UPDATE posts SET slug = ?, title = ? WHERE id = ?', slug, `Title ${id}`, id);
  }
  await site.publish();
  expect(readTree(site.content)).toEqual(before);
});
