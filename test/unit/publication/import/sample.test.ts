import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importSource } from '../../../../src/publication/import/import-source.ts';
import { findSiteUrl } from '../../../../src/publication/import/intake/site-url.ts';
import {
  importSample,
  moveSample,
  removeSample,
} from '../../../../src/publication/import/sample/sample.ts';
import { openGhostExport } from '../../../../src/publication/sources/ghost-export/source.ts';
import { loadRenderers } from '../../../../src/serve/editor/renderers.ts';
import { createPublication } from '../../../helpers/publication.ts';
import { REAL_EXPORT } from './ghost-import.ts';

test('the sample makes way for the first import, and what was added to it stays', async () => {
  const { folder, store, shell, insert } = await createPublication();
  await importSample(store, 'https://site.test');
  const count = (table: string): number =>
    shell.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number;
  expect(count('posts')).toBeGreaterThanOrEqual(15);
  expect(count('members')).toBeGreaterThan(5);
  insert('posts', { slug: 'mine' });
  const file = join(folder, 'export.json');
  writeFileSync(file, REAL_EXPORT);
  await importSource(store, openGhostExport(file), { prepare: removeSample });
  expect(shell.prepare('SELECT slug FROM posts ORDER BY slug').pluck().all()).toEqual([
    'mine',
    'real',
  ]);
  expect(['members', 'tags', 'newsletters', 'tiers'].map(count)).toEqual([0, 0, 0, 0]);
  const before = count('changes');
  await importSource(store, openGhostExport(file), { prepare: removeSample });
  expect(count('changes')).toBe(before);
});

test.each([
  ['http://localhost:4000', null],
  ['https://site.test', 'https://site.test'],
])(
  'the address of the sample is that of the first import if somebody gave it: %s',
  async (url, then) => {
    const { folder, store, shell } = await createPublication();
    await importSample(store, url);
    expect(await findSiteUrl(store)).toBe(then);
    const file = join(folder, 'export.json');
    writeFileSync(file, REAL_EXPORT);
    const { warnings } = await importSource(store, openGhostExport(file), {
      prepare: removeSample,
    });
    const stored = shell.prepare("SELECT value FROM settings WHERE key = 'url'").pluck().get();
    expect(stored ?? null).toBe(then);
    expect(warnings.join().includes('address of the site is not known')).toBe(then === null);
  },
);

test('an import that fails leaves the sample in place', async () => {
  const { folder, store, shell } = await createPublication();
  await importSample(store, 'https://site.test');
  const posts = shell.prepare('SELECT count(*) FROM posts').pluck().get();
  const file = join(folder, 'export.json');
  writeFileSync(file, REAL_EXPORT.slice(0, 200));
  await expect(
    importSource(store, openGhostExport(file), { prepare: removeSample }),
  ).rejects.toMatchObject({
    code: 'IMPORT_CUT_OFF',
  });
  expect(shell.prepare('SELECT count(*) FROM posts').pluck().get()).toBe(posts);
});

test.each([
  ['no rows', { posts: [] }],
  ['no row that can be taken', { posts: [{ id: 1, title: 'T', status: 'publish' }] }],
])('an import with %s leaves the sample in place', async (_, data) => {
  const { folder, store, shell } = await createPublication();
  await importSample(store, 'https://site.test');
  const posts = shell.prepare('SELECT count(*) FROM posts').pluck().get();
  const file = join(folder, 'export.json');
  writeFileSync(file, JSON.stringify({ meta: { version: '6.0.0' }, data }));
  await importSource(store, openGhostExport(file), { prepare: removeSample });
  expect(shell.prepare('SELECT count(*) FROM posts').pluck().get()).toBe(posts);
});

test.each([
  ['http://localhost:4000', 'http://localhost:4001'],
  ['https://site.test', 'https://site.test'],
])('of the sample at %s, served at port 4001', async (first, then) => {
  const { store, shell } = await createPublication();
  await importSample(store, first);
  await moveSample(store, 4_001);
  const stored = shell.prepare("SELECT value FROM settings WHERE key = 'url'").pluck().get();
  // Several servers of one publication have no port in common.
  expect(stored).toBe(store.postgres === null ? then : first);
});

test('a post that was added keeps its author and tag of the sample; who was its owner is one no more', async () => {
  const { folder, store, shell, insert } = await createPublication();
  await importSample(store, 'https://site.test');
  const idOf = (sql: string): string => shell.prepare(sql).pluck().get() as string;
  const author = idOf("SELECT id FROM users WHERE role = 'Owner'");
  const tag = idOf('SELECT id FROM tags LIMIT 1');
  const samplePost = idOf('SELECT id FROM posts LIMIT 1');
  const mine = insert('posts', { slug: 'mine' });
  insert('posts_authors', { post_id: mine, author_id: author, sort_order: 0 });
  insert('posts_tags', { post_id: mine, tag_id: tag, sort_order: 0 });
  // What was linked to the sample's own posts since then keeps nothing.
  const other = idOf(`SELECT id FROM tags WHERE id NOT IN (SELECT tag_id FROM posts_tags
    WHERE post_id = '${samplePost}') AND id != '${tag}' LIMIT 1`);
  insert('posts_tags', { post_id: samplePost, tag_id: other, sort_order: 9 });
  const file = join(folder, 'export.json');
  writeFileSync(file, REAL_EXPORT);
  await importSource(store, openGhostExport(file), { prepare: removeSample });
  const all = (sql: string): unknown[] => shell.prepare(sql).pluck().all();
  expect(all('SELECT slug FROM posts ORDER BY slug')).toEqual(['mine', 'real']);
  expect(all(`SELECT author_id FROM posts_authors WHERE post_id = '${mine}'`)).toEqual([author]);
  expect(all('SELECT id FROM tags')).toEqual([tag]);
  expect(all('SELECT role FROM users')).toEqual(['Author']);
});

test('a post of the sample that was rewritten stays as a draft, with its author; a republished one goes', async () => {
  const { folder, store, shell } = await createPublication();
  await importSample(store, 'https://site.test');
  shell
    .prepare("UPDATE posts SET title = 'About me', html = '<p>Mine.</p>' WHERE slug = 'about'")
    .run();
  shell
    .prepare("UPDATE posts SET updated_at = ? WHERE slug = 'visit'")
    .run('2026-11-01T00:00:00.000Z');
  const author = shell
    .prepare(
      "SELECT author_id FROM posts_authors JOIN posts p ON p.id = post_id WHERE slug = 'about'",
    )
    .pluck()
    .get();
  const file = join(folder, 'export.json');
  writeFileSync(file, REAL_EXPORT);
  const report = await importSource(store, openGhostExport(file), { prepare: removeSample });
  const kept = `SELECT slug, status, html, author_id FROM posts JOIN posts_authors ON post_id = posts.id
    WHERE slug LIKE '%about%'`;
  expect(shell.prepare(kept).all()).toEqual([
    { slug: 'about-sample', status: 'draft', html: '<p>Mine.</p>', author_id: author },
  ]);
  expect(shell.prepare("SELECT count(*) FROM posts WHERE slug = 'visit'").pluck().get()).toBe(0);
  expect(report.warnings).toContain(
    'Posts of the sample that were edited here are kept as drafts: 1 (about-sample).',
  );
});

test("each post of the sample is text in the editor, which Ghost's renderer makes its html of", async () => {
  const { store, shell } = await createPublication();
  await importSample(store, 'https://site.test');
  const { renderLexical } = loadRenderers(import.meta.url);
  const posts = shell.prepare('SELECT slug, lexical, html FROM posts').all() as {
    readonly slug: string;
    readonly lexical: string;
    readonly html: string;
  }[];
  for (const { slug, lexical, html } of posts) {
    expect([slug, await renderLexical(lexical, 'https://site.test/')]).toEqual([slug, html]);
    const blocks: { type: string }[] = JSON.parse(lexical).root.children;
    const texts = blocks.filter(({ type }) => type !== 'html').length;
    expect([slug, texts > blocks.length / 2]).toEqual([slug, true]);
  }
});
