import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createPublication } from '../../../../src/pages/eleventy/publication.ts';
import { createPublication as createDatabase } from '../../../helpers/publication.ts';
import { buildInto, testConfig } from '../../../helpers/tree.ts';

const POSTS = 25;

const buildSite = async (flags: Record<string, unknown> = {}): Promise<string> => {
  const { folder, store, insert } = await createDatabase();
  const author = insert('users', { name: 'Ada', slug: 'ada' });
  const tag = insert('tags', { name: 'Tides', slug: 'tides' });
  insert('settings', { key: 'title', value: 'Neap', type: 'string' });
  for (let day = 1; day <= POSTS; day += 1) {
    const published_at = `2026-01-${String(day).padStart(2, '0')}T10:00:00.000Z`;
    const post_id = insert('posts', { status: 'published', published_at, slug: `day-${day}` });
    insert('posts_authors', { post_id, author_id: author });
    insert('posts_tags', { post_id, tag_id: tag });
  }
  await buildInto(store, folder, { config: testConfig(flags) });
  return join(folder, 'content');
};

it('gives templates what the documents hold', async () => {
  const publication = createPublication({ folder: await buildSite(), basePath: '/blog' });
  expect(publication.posts).toHaveLength(POSTS);
  expect(publication.posts[0]).toMatchObject({
    slug: `day-${POSTS}`,
    primary_author: { name: 'Ada' },
    primary_tag: { name: 'Tides' },
  });
  expect(publication.newest).toEqual(publication.posts.slice(0, 10));
  expect(publication.tags).toMatchObject([{ slug: 'tides', count: { posts: POSTS } }]);
  expect(publication.authors).toMatchObject([{ slug: 'ada', count: { posts: POSTS } }]);
  expect(publication.pages).toEqual([]);
  expect(publication.settings).toMatchObject({ title: 'Neap' });
  expect(publication.counts).toEqual({ posts: POSTS, pages: 0, tags: 1, authors: 1 });
  expect(publication.endpoints[2]?.links[0]?.href).toBe(`/blog/content/posts/slug/day-${POSTS}/`);
});

it('has more records than the lists that are files', async () => {
  const folder = await buildSite({ 'lists.max': POSTS - 1, 'lists.pages': 1 });
  expect(readdirSync(join(folder, 'posts'))).not.toContain('page-2-authors-tags.json');
  const { posts } = createPublication({ folder, basePath: '' });
  const slugs = Array.from({ length: POSTS }, (_, at) => `day-${POSTS - at}`);
  expect(posts.map(({ slug }) => slug)).toEqual(slugs);
});

it('reads nothing before it is asked, and once then', async () => {
  const folder = await buildSite();
  const publication = createPublication({ folder, basePath: '' });
  const { settings } = publication;
  rmSync(folder, { recursive: true });
  expect(publication.settings).toBe(settings);
  expect(() => publication.posts).toThrow(expect.objectContaining({ code: 'OUTPUT_DIFFERS' }));
});
