// Answers of declared queries as files: what they hold, when they are written, and when they go.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { openFigures, standingFigures } from '../../../src/builder/declared-figures.ts';
import { outputSettingsOf } from '../../../src/builder/output-settings.ts';
import { verifyTree } from '../../../src/builder/verify.ts';
import { declaredQueriesOf } from '../../../src/config/declared-queries.ts';
import { changesOf } from '../../../src/deploy/changes.ts';
import { openManifest } from '../../../src/store/manifest.ts';
import { askTree } from '../../helpers/ask-tree.ts';
import { createPublication } from '../../helpers/publication.ts';
import {
  type BuildOptions,
  buildInto,
  readStamps,
  readTree,
  testConfig,
} from '../../helpers/tree.ts';

const BY_TAG = { resource: 'posts', filter: 'tag:{slug}', include: 'tags', limit: 2, pages: 'all' };
const NEWEST = { resource: 'posts', limit: 2, pages: 2 };
const FEATURED = { resource: 'posts', filter: 'featured:true' };
const QUERIES = [BY_TAG, NEWEST, FEATURED];

const TAG_FOLDER = 'posts/q/filter-tag-slug-include-tags-limit-2';

/** Four posts of the tag news, one of them featured; one of the tag other. */
const createSite = async (queries: readonly unknown[] = QUERIES, flags = {}) => {
  const { folder, store, shell, insert } = await createPublication();
  const author_id = insert('users', { slug: 'author' });
  const tags = { news: insert('tags', { slug: 'news' }), other: insert('tags', { slug: 'other' }) };
  const add = (slug: string, tag: string, row: Record<string, unknown> = {}): string => {
    const fields = { slug, status: 'published', published_at: '2026-01-01 10:00:00' };
    const post_id = insert('posts', { ...fields, html: `<p>Text of ${slug}</p>`, ...row });
    insert('posts_tags', { post_id, tag_id: tag });
    insert('posts_authors', { post_id, author_id });
    return post_id;
  };
  for (let at = 1; at <= 4; at += 1) {
    add(`news-${at}`, tags.news, {
      published_at: `2026-01-0${at} 10:00:00`,
      featured: Number(at === 1),
    });
  }
  add('lone', tags.other, { published_at: '2025-01-01 10:00:00' });
  const tree = join(folder, 'tree');
  const content = join(tree, 'content');
  let config = testConfig({ queries, ...flags });
  const declare = (...others: unknown[]): void => {
    config = testConfig({ queries: others, ...flags });
  };
  const build = (options: BuildOptions = {}) => buildInto(store, tree, { config, ...options });
  const files = (): string[] => [...readTree(content).keys()].filter((name) => /\/q\//.test(name));
  const inTree = async <T>(
    work: (open: Parameters<typeof verifyTree>[0]) => Promise<T>,
  ): Promise<T> => {
    const manifest = openManifest(join(tree, 'build.db'));
    const snapshot = store.snapshot();
    const settings = outputSettingsOf(config, snapshot.settings());
    try {
      return await work({ contentFolder: content, manifest, snapshot, settings });
    } finally {
      snapshot.close();
      manifest.close();
    }
  };
  const faults = async (): Promise<string[]> =>
    (await inTree(verifyTree))
      .filter(({ isNote }) => isNote !== true)
      .map(({ path, reason }) => `${path}: ${reason}`);
  /** Files of declared queries that `work` and a build after it have written. */
  const writtenBy = async (work: () => void): Promise<string[]> => {
    const before = readStamps(content);
    work();
    await build();
    const after = readStamps(content);
    return files().filter((name) => before.get(name) !== after.get(name));
  };
  const declared = () => declaredQueriesOf(config).queries;
  const site = { store, shell, insert, tree, content, tags, add, build, declare, declared };
  return { ...site, files, faults, writtenBy, inTree };
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

test('a slug that a file system cannot hold is stored by its hash, and one that filters or rules cannot say has none', async () => {
  const { build, add, insert, files } = await createSite();
  add('odd', insert('tags', { slug: 'a:b' }));
  add('null', insert('tags', { slug: 'null' }));
  add('sharp', insert('tags', { slug: 'c#' }));
  await build();
  const folders = new Set(files().map((name) => name.slice(TAG_FOLDER.length + 1).split('/')[0]));
  expect([...folders].filter((name) => /^~[0-9a-f]{32}$/.test(name ?? ''))).toHaveLength(1);
  for (const name of ['null', 'c#']) expect(folders).not.toContain(name);
});

test('other queries are a build of their files alone', async () => {
  const { build, declare, files, content, faults } = await createSite();
  await build();
  const records = (): unknown =>
    [...readStamps(content)].filter(([name]) => !/\/q\/|^manifest/.test(name));
  const before = records();
  const manyPages = { ...NEWEST, pages: 'all' };
  declare(manyPages, { resource: 'tags', limit: 1 });
  const report = await build();
  expect(report).toMatchObject({ kind: 'incremental', records: 0, generation: 2 });
  expect(files()).toEqual([
    'posts/q/limit-2/index.json',
    'posts/q/limit-2/page-2.json',
    'posts/q/limit-2/page-3.json',
    'posts/q/limit-2/page-4.json',
    'tags/q/limit-1/index.json',
  ]);
  expect(records()).toEqual(before);
  expect(await faults()).toEqual([]);
  expect(await build()).toMatchObject({ generation: 2, files: { written: 0, removed: 0 } });
  declare();
  await build();
  expect(files()).toEqual([]);
  expect(await faults()).toEqual([]);
});

test('a full build removes what an earlier one has left, and nothing of others', async () => {
  const { build, content, files, tree } = await createSite();
  await build();
  const put = (name: string): void => {
    mkdirSync(dirname(join(content, name)), { recursive: true });
    writeFileSync(join(content, name), '{}');
  };
  const own = files();
  put('posts/q/old-query/index.json');
  put(`${TAG_FOLDER}/gone/page-2.json`);
  put('posts/q/limit-2/page-9.json');
  put('posts/q/limit-2/notes.txt');
  rmSync(join(tree, 'build.db'));
  await build();
  expect(files().sort()).toEqual([...own, 'posts/q/limit-2/notes.txt'].sort());
});

test('verify names a page that is missing, altered or left over', async () => {
  const { build, content, faults } = await createSite();
  await build();
  rmSync(join(content, 'posts/q/limit-2/page-2.json'));
  writeFileSync(join(content, `${TAG_FOLDER}/news/index.json`), '{}');
  writeFileSync(join(content, 'posts/q/limit-2/page-3.json'), '{}');
  const found = await faults();
  expect(found).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/limit-2\/page-2\.json: the file is missing/),
      expect.stringMatching(/news\/index\.json: the file has 2 bytes/),
      expect.stringMatching(/limit-2\/page-3\.json: the file belongs to no/),
    ]),
  );
  expect(found).toHaveLength(3);
});

test('caches are told the queries that a changed file answers', async () => {
  const { build, shell, declared } = await createSite();
  await build();
  shell.prepare("UPDATE posts SET title = 'New' WHERE slug = 'lone'").run();
  const changes = await changesOf(await build(), { basePath: '', declared: declared() });
  expect(changes.changed).toContain(`content/${TAG_FOLDER}/other/index.json`);
  expect(changes.purge).toEqual(
    expect.arrayContaining([
      '/content/posts/?filter=tag:other&include=tags&limit=2',
      '/content/posts/?limit=2&page=1&include=tags&filter=tag%3aother',
      '/ghost/api/content/posts/?include=tags&limit=2&filter=tag%3Aother',
    ]),
  );
  expect(changes.purge.join('\n')).not.toContain('tag:news');
  expect(changes.surrogateKeys).not.toContain('post-q');
});

test('the cost that is told before is that of the files', async () => {
  const { build, declared, inTree } = await createSite();
  await build();
  await inTree(async (open) => {
    const figuresOf = openFigures(open);
    let [files, bytes] = [0, 0];
    for (const query of declared()) {
      const figures = await figuresOf?.(query);
      files += figures?.files ?? 0;
      bytes += figures?.bytes ?? 0;
    }
    expect(standingFigures(open.manifest)).toEqual({ files, bytes });
    expect(files).toBe(10);
  });
});
