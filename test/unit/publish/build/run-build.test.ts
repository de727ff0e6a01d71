import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../../../src/publication/store/open-store.ts';
import { outputSettingsOf } from '../../../../src/publish/build/output-settings.ts';
import { openManifest } from '../../../../src/publish/manifest/open-manifest.ts';
import { flipBit } from '../../../helpers/flip-bit.ts';
import { createPublication, type Publication } from '../../../helpers/publication.ts';
import {
  buildInto,
  listFaults,
  parseFile,
  publishWith,
  readStatKeys,
  readTree,
  testConfig,
} from '../../../helpers/tree.ts';

type Site = Publication & {
  readonly tree: string;
  readonly content: string;
  readonly posts: string[];
};

const createSite = async (): Promise<Site> => {
  const publication = await createPublication();
  const { insert, folder } = publication;
  const [used, other] = [insert('tags', { name: 'Used' }), insert('tags', { name: 'Other' })];
  const author = insert('users', { name: 'Ann' });
  const posts = [1, 2, 3].map((day) => {
    const id = insert('posts', {
      status: 'published',
      published_at: `2026-01-0${day} 10:00:00`,
      slug: `p${day}`,
    });
    insert('posts_tags', { post_id: id, tag_id: day === 3 ? other : used });
    insert('posts_authors', { post_id: id, author_id: author });
    return id;
  });
  const tree = join(folder, 'tree');
  return { ...publication, tree, content: join(tree, 'content'), posts };
};

const changedBetween = (before: Map<string, string>, after: Map<string, string>): string[] =>
  [...new Set([...before.keys(), ...after.keys()])]
    .filter((name) => before.get(name) !== after.get(name))
    .sort();

const VARIANTS = ['index', 'authors', 'tags', 'authors-tags'];
const filesOf = (folder: string): string[] =>
  VARIANTS.map((variant) => `${folder}/${variant}.json`);

test('an edit touches the files of the post and the lists of posts, and nothing else', async () => {
  const { store, shell, tree, content, posts } = await createSite();
  await buildInto(store, tree);
  const before = readStatKeys(content);
  shell.prepare("UPDATE posts SET title = 'New' WHERE id = ?").run(posts[0]);
  const report = await buildInto(store, tree);
  expect(report).toMatchObject({ kind: 'incremental', generation: 2 });
  const changed = changedBetween(before, readStatKeys(content));
  const documents = changed.filter((name) => !name.startsWith('packed/'));
  expect(documents).toEqual(
    [
      ...[`posts/${posts[0]}`, 'posts/slug/p1', 'posts'].flatMap(filesOf),
      'search-index/posts/index.json',
    ].sort(),
  );
  expect(changed).toContain('packed/root.json');
});

test('a tree of before is named only where it still stands, and is another one', async () => {
  const { store, tree, content } = await createSite();
  const real = join(tree, 'real');
  await buildInto(store, tree);
  const buildElsewhere = async (to = tree): Promise<readonly string[]> => {
    const report = await buildInto(store, to);
    expect(report.reason).toBe('another output folder');
    return report.warnings;
  };
  renameSync(content, real);
  symlinkSync(real, content);
  expect(await buildElsewhere()).toEqual([]);
  rmSync(content);
  expect(await buildElsewhere()).toEqual([
    `The last build wrote to ${real}, and its files are still there; remove them if nothing else uses them.`,
  ]);
  rmSync(content, { recursive: true });
  symlinkSync(real, content);
  expect(await buildElsewhere()).toEqual([]);
  // As with the base path /content: the old tree holds the new one.
  renameSync(join(tree, 'build.db'), join(content, 'build.db'));
  expect(await buildElsewhere(content)).toEqual([]);
});

test('an address that falls back to that of this machine is a warning, once', async () => {
  const { store, tree, folder } = await createSite();
  const warningsWith = async (siteUrl: string, full: boolean, to = tree) =>
    (await buildInto(store, to, { config: testConfig({ siteUrl }), full })).warnings;
  const local = 'http://localhost:4000';
  const builds = [
    await warningsWith('https://one.test', false),
    await warningsWith('https://two.test', false),
    await warningsWith(local, false),
    await warningsWith(local, true),
    await warningsWith('http://localhost:4001', false),
    await warningsWith('https://one.test/blog', false),
    await warningsWith(local, true),
    await warningsWith(local, false, join(folder, 'first')),
  ];
  const said = (before: string): string[] => [
    `The last build had siteUrl ${before}, this one has the default, ${local}. To keep an address, set "siteUrl" in prepress.config.json; --site-url holds for one run.`,
  ];
  const [two, one] = ['https://two.test', 'https://one.test/blog'].map(said);
  expect(builds).toEqual([[], [], two, [], [], [], one, []]);
});

test.skipIf(process.getuid?.() !== 0)(
  'the folders that the superuser makes in the tree of another user belong to that user',
  async () => {
    const { store, shell, tree, content, posts } = await createSite();
    const foreign = (): string[] =>
      readdirSync(tree, { recursive: true, encoding: 'utf8' }).filter((name) => {
        const stat = statSync(join(tree, name));
        return stat.isDirectory() && stat.uid !== 65_534;
      });
    mkdirSync(tree);
    chownSync(tree, 65_534, 65_534);
    await buildInto(store, tree);
    expect(existsSync(content)).toBe(true);
    expect(foreign()).toEqual([]);
    shell.prepare("UPDATE posts SET slug = 'other' WHERE id = ?").run(posts[0]);
    await buildInto(store, tree);
    expect(existsSync(join(content, 'posts/slug/other'))).toBe(true);
    expect(foreign()).toEqual([]);
  },
);

test('an unpublished post leaves with the tag that only it had', async () => {
  const { store, shell, tree, content, posts } = await createSite();
  await buildInto(store, tree);
  shell.prepare("UPDATE posts SET status = 'draft' WHERE id = ?").run(posts[2]);
  await buildInto(store, tree);
  const names = [...readTree(content).keys()];
  expect(
    names.filter((name) => name.includes(posts[2] as string) || name.includes('/p3/')),
  ).toEqual([]);
  expect(parseFile(content, 'tags/index.json').tags).toMatchObject([{ name: 'Used' }]);
  expect(existsSync(join(content, 'posts', posts[2] as string))).toBe(false);
  expect(await listFaults(store, tree)).toEqual([]);
});

test('a change that no byte shows moves the position and touches nothing', async () => {
  const { store, shell, insert, tree, content, posts } = await createSite();
  await buildInto(store, tree);
  const before = readStatKeys(content);
  shell.prepare("UPDATE posts SET lexical = '{}' WHERE id = ?").run(posts[0]);
  insert('members', {});
  insert('posts', { status: 'draft' });
  const report = await buildInto(store, tree);
  expect(report).toMatchObject({ generation: 1, files: { written: 0, removed: 0 } });
  expect(readStatKeys(content)).toEqual(before);
  expect(await listFaults(store, tree)).toEqual([]);
});

test('rows that cannot be rendered fail the build together and leave the tree as it is', async () => {
  const { store, shell, tree, content, posts } = await createSite();
  await buildInto(store, tree);
  const before = readStatKeys(content);
  shell
    .prepare("UPDATE posts SET created_at = 'yesterday' WHERE id IN (?, ?)")
    .run(posts[0], posts[1]);
  await expect(buildInto(store, tree)).rejects.toMatchObject({
    code: 'BUILD_INPUT_INVALID',
    details: [
      { table: 'posts', field: 'created_at' },
      { table: 'posts', field: 'created_at' },
    ],
  });
  expect(readStatKeys(content)).toEqual(before);
  shell
    .prepare("UPDATE posts SET created_at = '2026-01-01' WHERE id IN (?, ?)")
    .run(posts[0], posts[1]);
  expect(await buildInto(store, tree)).toMatchObject({ kind: 'incremental' });
  expect(await listFaults(store, tree)).toEqual([]);
});

test('verify names rows that cannot be rendered, though the tree is as it should be', async () => {
  const { store, shell, tree, posts } = await createSite();
  await publishWith(buildInto, store, [tree, {}]);
  shell.prepare("UPDATE posts SET published_at = 'never' WHERE id = ?").run(posts[0]);
  await publishWith(buildInto, store, [tree, {}]);
  expect(await listFaults(store, tree)).toEqual([
    expect.stringMatching(new RegExp(`^: Row ${posts[0]} of posts cannot be rendered`)),
  ]);
});

test('a folder in place of a list that holds only files like ours makes way', async () => {
  const { store, tree, content } = await createSite();
  await buildInto(store, tree);
  const before = readTree(content);
  const list = join(content, 'posts/index.json');
  rmSync(list);
  mkdirSync(list);
  for (const name of ['index.json', 'authors-tags.json', 'index.json.br', 'index.html']) {
    writeFileSync(join(list, name), '{}');
  }
  await buildInto(store, tree);
  expect(readTree(content)).toEqual(before);
});

test('a folder in place of a file that goes makes way, unless it holds something else', async () => {
  const { store, shell, folder, tree, content } = await createSite();
  await buildInto(store, tree);
  const gone = join(content, 'posts/slug/p1/tags.json');
  rmSync(gone);
  mkdirSync(gone);
  writeFileSync(join(gone, 'of somebody'), '');
  shell.exec("UPDATE posts SET slug = 'renamed' WHERE slug = 'p1'");
  await expect(buildInto(store, tree)).rejects.toMatchObject({ code: 'OUTPUT_UNWRITABLE' });
  rmSync(join(gone, 'of somebody'));
  await buildInto(store, tree);
  await buildInto(store, join(folder, 'clean'));
  expect(readTree(content)).toEqual(readTree(join(folder, 'clean/content')));
  expect(existsSync(join(content, 'posts/slug/p1'))).toBe(false);
});

test('a file in place of a folder of a record is said before anything is placed, and a full build heals', async () => {
  const { store, shell, folder, tree, content, posts } = await createSite();
  await buildInto(store, tree);
  rmSync(join(content, `posts/${posts[0]}`), { recursive: true });
  writeFileSync(join(content, `posts/${posts[0]}`), '');
  const before = readTree(content);
  shell.prepare("UPDATE posts SET title = 'New' WHERE id = ?").run(posts[0]);
  await expect(buildInto(store, tree)).rejects.toMatchObject({ code: 'OUTPUT_DIFFERS' });
  expect(readTree(content)).toEqual(before);
  await buildInto(store, tree, { full: true });
  await buildInto(store, join(folder, 'clean'));
  expect(readTree(content)).toEqual(readTree(join(folder, 'clean/content')));
});

/** Sets the timezone, which every post shows, and whatever else is given. */
const moveZone = ({ shell, insert }: Site, sql = ''): void => {
  insert('settings', { key: 'timezone', value: 'Asia/Kathmandu' });
  shell.exec(sql);
};

test('another timezone rewrites what shows times, whatever else came or went, and nothing else', async () => {
  const site = await createSite();
  const { store, folder, tree, content, posts } = site;
  const config = testConfig({ 'lists.max': 1 });
  await buildInto(store, tree, { config });
  const before = readStatKeys(content);
  moveZone(
    site,
    `UPDATE posts SET slug = 'between' WHERE slug = 'p1';
     UPDATE posts SET slug = 'p1' WHERE slug = 'p2';
     UPDATE posts SET slug = 'p2' WHERE slug = 'between';
     DELETE FROM posts WHERE id = '${posts[2]}'`,
  );
  const report = await buildInto(store, tree, { config });
  expect(report).toMatchObject({ kind: 'full', reason: 'settings or versions changed' });
  await buildInto(store, join(folder, 'clean'), { config });
  expect(readTree(content)).toEqual(readTree(join(folder, 'clean/content')));
  // A tag shows no time.
  const same = [...before].filter(([name]) => /^tags\/.+\/index\.json$/.test(name));
  expect(same.length).toBeGreaterThan(0);
  const after = readStatKeys(content);
  expect(same.filter(([name, statKey]) => after.has(name) && after.get(name) !== statKey)).toEqual(
    [],
  );
  expect(await buildInto(store, tree, { config })).toMatchObject({ kind: 'incremental' });
});

test('another timezone reads no file that stands, unless the tree was touched', async () => {
  const site = await createSite();
  const { store, shell, tree, content } = site;
  await buildInto(store, tree);
  const tagId = shell.prepare("SELECT id FROM tags WHERE name = 'Used'").pluck().get();
  const tag = join(content, `tags/${tagId}/index.json`);
  rmSync(tag);
  moveZone(site);
  await buildInto(store, tree);
  expect(existsSync(tag)).toBe(false);
  writeFileSync(join(content, 'tags/index.json'), '{}');
  shell.exec("UPDATE settings SET value = 'Etc/UTC' WHERE key = 'timezone'");
  await buildInto(store, tree);
  expect(existsSync(tag)).toBe(true);
});

test.each(['hottps//x', 'ftp://x.test', 'https://', 'x'])(
  'the address %s of a site fails the build with one sentence',
  async (url) => {
    const { store, insert, tree } = await createSite();
    insert('settings', { key: 'url', value: url });
    const config = testConfig({ siteUrl: undefined });
    await expect(buildInto(store, tree, { config })).rejects.toMatchObject({
      code: 'SITE_URL_INVALID',
      property: 'url',
    });
  },
);

test.each([
  ['https://x.test/blog//', 'https://x.test/blog'],
  [Buffer.from('https://x.test'), 'https://x.test'],
  [5, '5'],
  [null, 'http://localhost:4000'],
])('the address %s of a site is read as %s', (stored, expected) => {
  const settings = new Map([['url', stored as string | null]]);
  const { render } = outputSettingsOf(testConfig({ siteUrl: undefined }), settings);
  expect(render.siteUrl).toBe(expected);
});

test.each([
  "UPDATE posts SET title = 'New' WHERE slug = 'p2'",
  "UPDATE tags SET name = 'New' WHERE name = 'Used'",
])(
  'an index that lost a post fails the build, and nothing of the post is removed: %s',
  async (sql) => {
    const { path, shell, tree, content, posts, store } = await createSite();
    await buildInto(store, tree);
    const before = readTree(content);
    shell.exec(sql);
    flipBit(path, 'sqlite_autoindex_posts_1', posts[1] ?? '');
    const again = await openStore(path);
    onTestFinished(again.close);
    await expect(buildInto(again, tree)).rejects.toMatchObject({ code: 'DATABASE_UNREADABLE' });
    expect(readTree(content)).toEqual(before);
    expect(await listFaults(again, tree)).toContainEqual(
      expect.stringMatching(/^: the database is damaged: .*sqlite_autoindex_posts_1/),
    );
    shell.exec('REINDEX');
    await buildInto(again, tree);
    expect(changedBetween(before, readTree(content))).toContain('posts/slug/p2/tags.json');
    expect(await listFaults(again, tree)).toEqual([]);
  },
);

test.each([
  [
    'a list was touched',
    (content: string) => writeFileSync(join(content, 'posts/index.json'), 'x'),
  ],
  ['a list is gone', (content: string) => rmSync(join(content, 'tags/index.json'))],
  ['the tree is gone', (content: string) => rmSync(content, { recursive: true })],
])('when %s, everything is built and compared', async (_, harm) => {
  const { store, tree, content } = await createSite();
  await buildInto(store, tree);
  const before = readTree(content);
  harm(content);
  expect(await listFaults(store, tree)).not.toEqual([]);
  expect(await buildInto(store, tree)).toMatchObject({ kind: 'full' });
  expect(readTree(content)).toEqual(before);
});

test('files that no manifest names go when they have the shape of the tree, others stay', async () => {
  const { store, tree, content } = await createSite();
  await buildInto(store, tree);
  const stale = 'posts/0123456789abcdef01234567';
  mkdirSync(join(content, stale));
  writeFileSync(join(content, stale, 'index.json'), 'left by a build that broke off');
  writeFileSync(join(content, 'posts/page-7-tags.json'), 'x');
  writeFileSync(join(content, 'posts/robots.txt'), 'mine');
  expect(await listFaults(store, tree)).toHaveLength(3);
  await buildInto(store, tree, { full: true });
  expect(existsSync(join(content, stale))).toBe(false);
  expect(existsSync(join(content, 'posts/page-7-tags.json'))).toBe(false);
  expect(existsSync(join(content, 'posts/robots.txt'))).toBe(true);
});

test('after a build that broke off nobody says that only the rest has changed', async () => {
  const { store, tree, content } = await createSite();
  await buildInto(store, tree);
  const manifest = openManifest(join(tree, 'build.db'));
  manifest.begin();
  manifest.rollback({ treeUntouched: false });
  manifest.close();
  writeFileSync(join(content, '404.json'), '{}');
  const { files } = await buildInto(store, tree);
  expect(files).toEqual({ written: 1, removed: 0, names: null });
});

test('a lost manifest costs a full build, not the generation of the tree', async () => {
  const { store, tree, content } = await createSite();
  await buildInto(store, tree);
  const before = readStatKeys(content);
  renameSync(join(tree, 'build.db'), join(tree, 'old.db'));
  expect(await buildInto(store, tree)).toMatchObject({ kind: 'full', reason: 'no earlier build' });
  expect(readStatKeys(content)).toEqual(before);
});

test('pages of a list come and go with the records', async () => {
  const { store, shell, tree, content } = await createSite();
  const config = testConfig({ 'lists.max': 2, 'lists.pages': 'all' });
  await buildInto(store, tree, { config });
  expect(parseFile(content, 'posts/page-2-tags.json')).toMatchObject({
    posts: [{ slug: 'p1' }],
    meta: { pagination: { page: 2, limit: 2, pages: 2, total: 3, next: null, prev: 1 } },
  });
  shell.exec("UPDATE posts SET status = 'draft' WHERE slug = 'p2'");
  await buildInto(store, tree, { config });
  expect(parseFile(content, 'posts/index.json').meta).toEqual({
    pagination: { page: 1, limit: 2, pages: 1, total: 2, next: null, prev: null },
  });
  // The page after the last one is empty, so that whoever follows pages finds their end.
  expect(parseFile(content, 'posts/page-2-tags.json').posts).toEqual([]);
  expect(existsSync(join(content, 'posts/page-3-tags.json'))).toBe(false);
  const first = testConfig({ 'lists.max': 2, 'lists.pages': 1 });
  await buildInto(store, tree, { config: first });
  expect(existsSync(join(content, 'posts/page-2-tags.json'))).toBe(false);
});
