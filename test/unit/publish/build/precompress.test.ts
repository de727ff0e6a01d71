// The setting precompress: sidecars come and go with it, and with what they are of.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { samplesOf } from '../../../../src/publish/cycle/webhook-hold.ts';
import { openManifest } from '../../../../src/publish/manifest/open-manifest.ts';
import { createPublication } from '../../../helpers/publication.ts';
import { expectSidecars, namesIn } from '../../../helpers/sidecars.ts';
import { buildInto, listFaults, readStatKeys, testConfig } from '../../../helpers/tree.ts';

const OFF = testConfig();
const GZIP = testConfig({ precompress: 'gzip' });
const BOTH = testConfig({ precompress: ['gzip', 'br'] });

const createSite = async () => {
  const publication = await createPublication();
  const { insert, folder } = publication;
  const tag = insert('tags', { name: 'News', slug: 'news' });
  const posts = ['one', 'two'].map((slug) => {
    const fields = { slug, status: 'published', published_at: '2026-01-01 10:00:00' };
    const post_id = insert('posts', { ...fields, html: `<p>${'Text. '.repeat(50)}</p>` });
    insert('posts_tags', { post_id, tag_id: tag });
    return post_id;
  });
  const tree = join(folder, 'tree');
  return { ...publication, posts, tree, content: join(tree, 'content') };
};

test('a changed setting is a full build that writes sidecars, or removes them, and nothing else', async () => {
  const { store, tree, content } = await createSite();
  await buildInto(store, tree, { config: OFF });
  const before = readStatKeys(content);
  const documents = [...before].filter(([name]) => name !== 'manifest.json');
  for (const [config, endings] of [
    [BOTH, ['.br', '.gz']],
    [GZIP, ['.gz']],
    [OFF, []],
    [GZIP, ['.gz']],
  ] as const) {
    const report = await buildInto(store, tree, { config });
    expect(report).toMatchObject({ kind: 'full', reason: 'settings or versions changed' });
    expectSidecars(content, endings);
    expect([...readStatKeys(content)]).toEqual(expect.arrayContaining(documents));
    expect(await listFaults(store, tree, config)).toEqual([]);
    expect(await buildInto(store, tree, { config })).toMatchObject({ kind: 'incremental' });
  }
});

test('verify finds what is missing, what is of other bytes, and what should not be there', async () => {
  const { store, tree, content, posts } = await createSite();
  await buildInto(store, tree, { config: GZIP });
  rmSync(join(content, 'tags/index.json.gz'));
  writeFileSync(join(content, `posts/${posts[0]}/tags.json.gz`), gzipSync('{}'));
  writeFileSync(join(content, 'settings/index.json.br'), 'x');
  writeFileSync(join(content, 'posts/page-9.json.gz'), 'x');
  writeFileSync(join(content, `posts/${posts[1]}/index.json.br`), 'x');
  const expected = [
    'posts/page-9.json.gz: the file belongs to no record or list',
    `posts/${posts[0]}/tags.json.gz: the file has other bytes than its document`,
    'posts/slug/one/tags.json.gz: the file has other bytes than its document',
    `posts/${posts[1]}/index.json.br: the setting precompress has no br`,
    'settings/index.json.br: the setting precompress has no br',
    'tags/index.json.gz: the file is missing',
  ];
  expect((await listFaults(store, tree, GZIP)).sort()).toEqual(expected.sort());
  await buildInto(store, tree, { config: GZIP, full: true });
  expect(await listFaults(store, tree, GZIP)).toEqual([]);
  expectSidecars(content, ['.gz']);
});

test.each([
  [BOTH, OFF, []],
  [OFF, BOTH, ['.br', '.gz']],
  [BOTH, GZIP, ['.gz']],
] as const)('a build that breaks off at any sync is made up for by the next', async (...row) => {
  const [before, after, endings] = row;
  let isBroken = true;
  for (let syncs = 0; isBroken; syncs += 1) {
    const { store, shell, tree, content } = await createSite();
    await buildInto(store, tree, { config: before });
    shell.prepare("UPDATE posts SET status = 'draft' WHERE slug = 'two'").run();
    let left = syncs;
    const sync = async (): Promise<void> => {
      left -= 1;
      if (left < 0) throw new Error('broken off');
    };
    const durability = { syncPaths: sync, syncTree: sync };
    const broken = buildInto(store, tree, { config: after, durability });
    isBroken = await broken.then(
      () => false,
      ({ message }: Error) => message === 'broken off',
    );
    await buildInto(store, tree, { config: after });
    expectSidecars(content, endings);
    expect(await listFaults(store, tree, after)).toEqual([]);
    if (!isBroken) expect(syncs).toBeGreaterThanOrEqual(4);
  }
});

test('sidecars of a lost manifest are found where no list tells of them', async () => {
  const { store, tree, content } = await createSite();
  await buildInto(store, tree, { config: BOTH });
  rmSync(join(tree, 'build.db'));
  for (const name of namesIn(content)) {
    if (/^\w+\/[\w-]+\.json\.\w+$/.test(name)) rmSync(join(content, name));
  }
  await buildInto(store, tree, { config: OFF });
  expectSidecars(content, []);
});

test('what a public site shows is looked for by documents', async () => {
  const { store, shell, tree } = await createSite();
  await buildInto(store, tree, { config: BOTH });
  shell.prepare("UPDATE posts SET title = 'New' WHERE slug = 'one'").run();
  const { files } = await buildInto(store, tree, { config: BOTH });
  const manifest = openManifest(join(tree, 'build.db'));
  const samples = samplesOf(files, manifest, { basePath: '' });
  manifest.close();
  // The record's files by id and by slug, the default lists, the search file, and the root of the packed tree.
  expect(samples).toHaveLength(14);
  expect(samples.every(({ sha256 }) => sha256 !== null)).toBe(true);
});
