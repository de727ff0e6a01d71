// Tampers with a tree, its manifest and its database: verify names each, and says what is no fault.
import {
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadDriver } from '../../../../src/base/sqlite/driver.ts';
import { outputSettingsOf } from '../../../../src/publish/build/output-settings.ts';
import { verifyTree } from '../../../../src/publish/build/verify/verify.ts';
import type { Finding } from '../../../../src/publish/manifest/finding.ts';
import { openManifest } from '../../../../src/publish/manifest/open-manifest.ts';
import { createPublication } from '../../../helpers/publication.ts';
import { buildInto, testConfig } from '../../../helpers/tree.ts';

const createSite = async () => {
  const publication = await createPublication();
  const { folder, store, insert } = publication;
  const author = insert('users', { slug: 'author' });
  const posts = ['one', 'two', 'three'].map((slug, at) => {
    const fields = { slug, status: 'published', published_at: `2026-01-0${at + 1} 10:00:00` };
    const id = insert('posts', { ...fields, html: '<p>Text</p>' });
    insert('posts_authors', { post_id: id, author_id: author });
    return id;
  });
  const output = join(folder, 'output');
  mkdirSync(output);
  const tree = join(folder, 'tree');
  const content = join(tree, 'content');
  await buildInto(store, tree);
  const verify = async (
    options: Partial<Parameters<typeof verifyTree>[0]> = {},
  ): Promise<Finding[]> => {
    const manifest = openManifest(join(tree, 'build.db'));
    const snapshot = store.snapshot();
    const settings = outputSettingsOf(testConfig(), snapshot.settings());
    try {
      return await verifyTree({ contentFolder: content, manifest, snapshot, settings, ...options });
    } finally {
      snapshot.close();
      manifest.close();
    }
  };
  const faults = async (options = {}): Promise<string[]> =>
    (await verify(options))
      .filter(({ isNote }) => isNote !== true)
      .map(({ path, reason }) => `${path}: ${reason}`);
  return { ...publication, posts, tree, content, verify, faults };
};

test('other settings than those of the output are named with both values', async () => {
  const { tree, faults } = await createSite();
  const settings = outputSettingsOf(
    testConfig({ siteUrl: 'https://other.test', 'lists.max': 7 }),
    new Map(),
  );
  expect(await faults({ settings })).toEqual([
    ': the output was built with other settings than this command has: siteUrl is "https://site.test" there and "https://other.test" here; lists.max is 1000 there and 7 here',
  ]);
  // As an older version left it.
  const manifest = openManifest(join(tree, 'build.db'));
  const state = manifest.state();
  if (state === null) throw new Error('No build.');
  manifest.begin();
  manifest.commit({ ...state, fingerprint: 'a'.repeat(32) });
  manifest.close();
  expect(await faults()).toEqual([
    ': the output was built by another version of Prepress or Node.js',
  ]);
});

test('a row that the manifest lost is damage of the manifest, which a full build mends', async () => {
  const { store, tree, faults } = await createSite();
  const manifest = new (loadDriver())(join(tree, 'build.db'));
  manifest.exec("DELETE FROM records WHERE resource = 'posts' AND slug = 'two'");
  manifest.close();
  const found = await faults();
  expect(found.at(-1)).toMatch(
    /^: data\/build\.db is damaged .*"prepress build --full" makes it again$/,
  );
  expect(found.join()).not.toMatch(/database is damaged|backup|no record needs/);
  await buildInto(store, tree, { full: true });
  expect(await faults()).toEqual([]);
});

test('a manifest that cannot be read is damage of the manifest alone', async () => {
  const { tree, faults } = await createSite();
  const path = join(tree, 'build.db');
  const manifest = new (loadDriver())(path);
  manifest.pragma('wal_checkpoint(TRUNCATE)');
  const page = manifest
    .prepare("SELECT rootpage FROM sqlite_master WHERE name = 'records'")
    .pluck()
    .get() as number;
  const bytes = manifest.pragma('page_size', { simple: true }) as number;
  manifest.close();
  const whole = readFileSync(path);
  writeFileSync(path, whole.fill(0xff, (page - 1) * bytes, page * bytes));
  const found = await faults();
  expect(found.join()).toMatch(/data\/build\.db is damaged .*"prepress build --full"/);
  expect(found.join()).not.toMatch(/the database is damaged|no record needs/);
});

test('a folder of a record that was replaced by a link or a file is named', async () => {
  const { folder, content, posts, faults } = await createSite();
  const place = join(content, `posts/${posts[0]}`);
  const taken = `posts/${posts[0]}: a link, or something else that is not a folder, stands here or above`;
  renameSync(place, join(folder, 'moved'));
  symlinkSync(join(folder, 'moved'), place);
  expect(await faults()).toEqual([taken]);
  rmSync(place);
  writeFileSync(place, '');
  expect(await faults()).toEqual([taken]);
});

test('links down to the content folder are named, and one that is the output itself is not', async () => {
  const { folder, tree, content, faults } = await createSite();
  const moveAway = (from: string, name: string): void => {
    renameSync(from, join(folder, name));
    symlinkSync(join(folder, name), from);
  };
  moveAway(tree, 'moved-output');
  expect(await faults({ output: tree })).toEqual([]);
  moveAway(content, 'moved-content');
  const rest =
    'in the output is a link, or something else that is not a folder; remove it and build again';
  expect(await faults({ output: tree })).toEqual([`: "content" ${rest}`]);
  const blog = join(folder, 'whole/blog');
  mkdirSync(join(folder, 'whole'));
  symlinkSync(join(folder, 'moved-output'), blog);
  const based = await faults({
    output: join(folder, 'whole'),
    contentFolder: join(blog, 'content'),
  });
  expect(based).toEqual([`: "blog" ${rest}`]);
});

test('files that nobody placed are named in the tree, and noted beside it', async () => {
  const { tree, content, posts, verify, faults } = await createSite();
  mkdirSync(join(content, 'posts/more'));
  const strange = [
    'x.json',
    'other/x.json',
    'posts/x.json',
    'posts/more/x',
    `posts/${posts[0]}/x.json`,
    `posts/${posts[0]}/index.html`,
    'posts/slug/one/deep/x',
    'settings/x.json',
  ];
  for (const path of strange) {
    mkdirSync(join(content, path, '..'), { recursive: true });
    writeFileSync(join(content, path), 'x');
  }
  mkdirSync(join(content, 'images'));
  writeFileSync(join(content, 'images/x.png'), 'x');
  writeFileSync(join(tree, 'favicon.ico'), 'x');
  expect((await faults()).sort()).toEqual(
    strange.map((path) => `${path}: no record needs this file here; remove it`).sort(),
  );
  const notes = (await verify()).filter(({ isNote }) => isNote === true);
  expect(notes.map(({ path }) => path)).toContain('../favicon.ico');
  const earlier = join(tree, 'blog/content');
  cpSync(content, earlier, { recursive: true });
  const beside = (await verify()).filter(({ isNote }) => isNote === true);
  expect(beside.filter(({ reason }) => reason.startsWith(earlier))).toHaveLength(1);
  expect(beside.filter(({ path }) => path.startsWith('../blog'))).toEqual([]);
  const placed = new Set(['content/x.json', `content/posts/${posts[0]}/index.html`]);
  expect(await faults({ placed })).toHaveLength(strange.length - placed.size);
});

test('what a stop left in hidden folders is noted, and no fault', async () => {
  const { content, verify, faults } = await createSite();
  const left = [
    '.prepress-replaced',
    '.prepress-staging',
    '../.prepress-hosts',
    'images/.prepress-x',
  ];
  for (const folder of left) {
    mkdirSync(join(content, folder), { recursive: true });
    writeFileSync(join(content, folder, '1'), 'a post that was taken back');
  }
  mkdirSync(join(content, '.prepress-empty'));
  expect(await faults()).toEqual([]);
  const notes = (await verify()).filter(({ isNote }) => isNote === true);
  expect(notes.map(({ path }) => path)).toEqual(expect.arrayContaining(left));
  expect(notes.map(({ path }) => path)).not.toContain('.prepress-empty');
});

test('an edit that no trigger logged shows only where rows are compared', async () => {
  const { store, shell, tree, posts, faults } = await createSite();
  const triggers = shell
    .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
    .all() as { name: string; sql: string }[];
  for (const { name } of triggers) shell.exec(`DROP TRIGGER "${name}"`);
  shell.exec("UPDATE posts SET title = 'Altered' WHERE slug = 'two'");
  shell.exec("UPDATE posts SET published_at = '2020-01-01 10:00:00' WHERE slug = 'three'");
  for (const { sql } of triggers) shell.exec(sql);
  expect(await faults()).toEqual([]);
  const reason = 'the row has changed and no trigger logged it; "prepress build --full" shows it';
  const altered = [posts[1], posts[2]].map((id) => `posts/${id}: ${reason}`);
  expect((await faults({ isCompared: true })).sort()).toEqual(altered.sort());
  await buildInto(store, tree, { full: true });
  expect(await faults({ isCompared: true })).toEqual([]);
});

test('what is logged and not built yet is no edit that no trigger logged', async () => {
  const { store, shell, tree, posts, faults } = await createSite();
  shell.exec("UPDATE posts SET title = 'Altered' WHERE slug = 'two'");
  const one = ': 1 change of the database is not built yet';
  expect(await faults({ isCompared: true })).toEqual([one]);
  shell.exec("UPDATE settings SET value = 'Altered' WHERE key = 'title'");
  shell.exec("UPDATE users SET name = 'Altered'");
  const all = await faults({ isCompared: true });
  expect(all).toEqual([expect.stringMatching(/^: \d+ changes of the database are not built yet$/)]);
  await buildInto(store, tree);
  shell.exec("UPDATE posts SET title = 'Again' WHERE slug = 'two'");
  const settings = outputSettingsOf(testConfig({ siteUrl: 'https://other.test' }), new Map());
  const others = await faults({ isCompared: true, settings });
  expect(others).toContain(`posts/${posts[0]}: the row would be built otherwise now`);
  expect(others.join()).not.toContain('no trigger');
});

test('what a running server has yet to build is noted, and a file that it lost is still named', async () => {
  const { shell, insert, content, posts, verify, faults } = await createSite();
  insert('posts', { slug: 'four', status: 'published', published_at: '2026-01-04 10:00:00' });
  shell.exec("UPDATE posts SET slug = 'other' WHERE slug = 'one'");
  shell.exec("UPDATE posts SET status = 'draft' WHERE slug = 'two'");
  expect(await faults()).toHaveLength(4);
  expect(await faults({ isServed: true, isCompared: true })).toEqual([]);
  const notes = (await verify({ isServed: true })).filter(({ isNote }) => isNote === true);
  expect(notes.map(({ reason }) => reason)).toContainEqual(
    expect.stringMatching(
      /^\d changes of the database are not built yet; the running server builds/,
    ),
  );
  rmSync(join(content, `posts/${posts[2]}/index.json`));
  expect(await faults({ isServed: true })).toEqual([
    `posts/${posts[2]}/index.json: the file is missing`,
  ]);
});
