import { join } from 'node:path';
import { expect, test } from 'vitest';
import { askTree } from '../../helpers/ask-tree.ts';
import { createPublication } from '../../helpers/publication.ts';
import { buildInto, readStamps, readTree, testConfig } from '../../helpers/tree.ts';

const BY_TAG = { resource: 'posts', filter: 'tag:{slug}', include: 'tags', limit: 2, pages: 'all' };
const NEWEST = { resource: 'posts', limit: 2, pages: 2 };
const FEATURED = { resource: 'posts', filter: 'featured:true' };
const QUERIES = [BY_TAG, NEWEST, FEATURED];

const TAG_FOLDER = 'posts/q/filter-tag-slug-include-tags-limit-2';

/** Four posts of the tag news, one of them featured; one of the tag other. */
const createSite = async () => {
  const { folder, store, shell, insert } = await createPublication();
  const author_id = insert('users', { slug: 'author' });
  const tags = { news: insert('tags', { slug: 'news' }), other: insert('tags', { slug: 'other' }) };
  const add = (slug: string, tag_id: string, published_at: string, featured = 0): void => {
    const post_id = insert('posts', { slug, status: 'published', published_at, featured });
    insert('posts_tags', { post_id, tag_id });
    insert('posts_authors', { post_id, author_id });
  };
  for (let at = 1; at <= 4; at += 1) {
    add(`news-${at}`, tags.news, `2026-01-0${at} 10:00:00`, Number(at === 1));
  }
  add('lone', tags.other, '2025-01-01 10:00:00');
  const content = join(folder, 'tree/content');
  const config = testConfig({ queries: QUERIES });
  const build = () => buildInto(store, join(folder, 'tree'), { config });
  const files = (): string[] => [...readTree(content).keys()].filter((name) => /\/q\//.test(name));
  /** Files of declared queries that `work` and a build after it have written. */
  const writtenBy = async (work: () => void): Promise<string[]> => {
    const before = readStamps(content);
    work();
    await build();
    const after = readStamps(content);
    return files().filter((name) => before.get(name) !== after.get(name));
  };
  return { shell, content, build, files, writtenBy };
};

test('each file is the answer of its query', async () => {
  const { build, content, files } = await createSite();
  await build();
  const [featured = ''] = files().filter((name) => name.includes('featured'));
  const asked: Readonly<Record<string, string>> = {
    'posts/q/limit-2/index.json': 'limit=2',
    'posts/q/limit-2/page-2.json': 'limit=2&page=2',
    [featured]: 'filter=featured:true',
    [`${TAG_FOLDER}/news/index.json`]: 'limit=2&filter=tag:news&include=tags',
    [`${TAG_FOLDER}/news/page-2.json`]: 'limit=2&filter=tag:news&include=tags&page=2',
    [`${TAG_FOLDER}/news/page-3.json`]: 'limit=2&filter=tag:news&include=tags&page=3',
    [`${TAG_FOLDER}/other/index.json`]: 'limit=2&filter=tag:other&include=tags',
    [`${TAG_FOLDER}/other/page-2.json`]: 'limit=2&filter=tag:other&include=tags&page=2',
    [`${TAG_FOLDER}/~/index.json`]: 'limit=2&filter=tag:nobody&include=tags',
    [`${TAG_FOLDER}/~/page-2.json`]: 'limit=2&filter=tag:nobody&include=tags&page=2',
  };
  expect(files().sort()).toEqual(Object.keys(asked).sort());
  const tree = readTree(content);
  for (const [file, query] of Object.entries(asked)) {
    expect(tree.get(file), file).toBe(await askTree(content, 'posts', query));
  }
});

test('an edit of a post rewrites the pages that show it', async () => {
  const { build, shell, writtenBy } = await createSite();
  await build();
  const rename = (slug: string): Promise<string[]> =>
    writtenBy(() => shell.prepare("UPDATE posts SET title = 'New' WHERE slug = ?").run(slug));
  expect(await rename('news-4')).toEqual([
    `${TAG_FOLDER}/news/index.json`,
    'posts/q/limit-2/index.json',
  ]);
  expect(await rename('lone')).toEqual([`${TAG_FOLDER}/other/index.json`]);
  expect(await writtenBy(() => undefined)).toEqual([]);
});
