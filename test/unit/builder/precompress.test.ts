// The setting precompress: sidecars come and go with it, and with what they are of.
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { outputSettingsOf } from '../../../src/builder/output-settings.ts';
import { verifyTree } from '../../../src/builder/verify.ts';
import type { Config } from '../../../src/config/settings.ts';
import { samplesOf } from '../../../src/publisher/public-gate.ts';
import { openManifest } from '../../../src/store/manifest.ts';
import type { Store } from '../../../src/store/store.ts';
import { createPublication } from '../../helpers/publication.ts';
import { expectSidecars, namesIn } from '../../helpers/sidecars.ts';
import { buildInto, readStamps, readTree, testConfig } from '../../helpers/tree.ts';

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

const findingsOf = async (store: Store, tree: string, config: Config): Promise<string[]> => {
  const manifest = openManifest(join(tree, 'build.db'));
  const snapshot = store.snapshot();
  const settings = outputSettingsOf(config, snapshot.settings());
  const contentFolder = join(tree, 'content');
  const findings = await verifyTree({ contentFolder, manifest, snapshot, settings });
  snapshot.close();
  manifest.close();
  return findings
    .filter(({ isNote }) => isNote !== true)
    .map(({ path, reason }) => `${path}: ${reason}`);
};

test('a changed setting is a full build that writes sidecars, or removes them, and nothing else', async () => {
  const { store, tree, content } = await createSite();
  await buildInto(store, tree, { config: OFF });
  const before = readStamps(content);
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
    expect([...readStamps(content)]).toEqual(expect.arrayContaining(documents));
    expect(await findingsOf(store, tree, config)).toEqual([]);
    expect(await buildInto(store, tree, { config })).toMatchObject({ kind: 'incremental' });
  }
});

test('an empty setting leaves the fingerprint as it was without it', async () => {
  const { store, tree, content } = await createSite();
  const fingerprintOf = async (config: Config): Promise<unknown> => {
    await buildInto(store, tree, { config });
    return JSON.parse(readTree(content).get('manifest.json') ?? '').fingerprint;
  };
  const plain = await fingerprintOf(OFF);
  expect(await fingerprintOf(testConfig({ precompress: '' }))).toBe(plain);
  const both = await fingerprintOf(BOTH);
  expect(both).not.toBe(plain);
  expect(await fingerprintOf(testConfig({ precompress: 'br, gzip,br' }))).toBe(both);
  expect(() => testConfig({ precompress: 'zip' })).toThrow('must be some of gzip, br');
});

test('an edit touches the sidecars of what it touches, and no others', async () => {
  const { store, shell, tree, content, posts } = await createSite();
  await buildInto(store, tree, { config: BOTH });
  const before = readStamps(content);
  shell.prepare("UPDATE posts SET title = 'New' WHERE slug = 'one'").run();
  const { files } = await buildInto(store, tree, { config: BOTH });
  const changed = [...readStamps(content)].filter(([name, stamp]) => before.get(name) !== stamp);
  expect(changed.map(([name]) => name).sort()).toEqual([...(files.names?.written ?? [])].sort());
  const ofRecord = [`posts/${posts[0]}/`, 'posts/slug/one/', 'posts/'];
  const documents = changed.filter(([name]) => !name.startsWith('packed/'));
  expect(documents).toHaveLength((ofRecord.length * 4 + 1) * 3);
  expect(changed.map(([name]) => name)).toContain('packed/root.json.br');
  expectSidecars(content, ['.br', '.gz']);
});

test('what leaves the tree leaves with its sidecars', async () => {
  const { store, shell, tree, content, posts } = await createSite();
  const config = testConfig({ precompress: 'gzip,br', 'lists.max': 1 });
  await buildInto(store, tree, { config });
  expect(existsSync(join(content, 'posts/page-3.json.gz'))).toBe(true);
  shell.prepare("UPDATE posts SET status = 'draft' WHERE slug = 'two'").run();
  shell.prepare("UPDATE posts SET slug = 'other' WHERE slug = 'one'").run();
  const { files } = await buildInto(store, tree, { config });
  expect(files.names?.removed).toContain(`posts/${posts[1]}/index.json.br`);
  expect(files.names?.removed).toContain('posts/page-3.json.gz');
  const left = namesIn(content).filter((name) => /posts\/page-3|slug\/one|slug\/two/.test(name));
  expect(left).toEqual([]);
  expect(readdirSync(join(content, 'posts'))).not.toContain(posts[1]);
  expectSidecars(content, ['.br', '.gz']);
});

test('sidecars that somebody else left go with a record, also while the setting is empty', async () => {
  const { store, shell, tree, content, posts } = await createSite();
  await buildInto(store, tree);
  writeFileSync(join(content, `posts/${posts[1]}/index.json.gz`), gzipSync('what was there'));
  shell.prepare("UPDATE posts SET status = 'draft' WHERE slug = 'two'").run();
  await buildInto(store, tree);
  expect(existsSync(join(content, 'posts', posts[1] as string))).toBe(false);
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
  expect((await findingsOf(store, tree, GZIP)).sort()).toEqual(expected.sort());
  await buildInto(store, tree, { config: GZIP, full: true });
  expect(await findingsOf(store, tree, GZIP)).toEqual([]);
  expectSidecars(content, ['.gz']);
});

test('a full build removes what was compressed by another setting, wherever it is', async () => {
  const { store, tree, content, posts } = await createSite();
  await buildInto(store, tree, { config: OFF });
  const left = `posts/${posts[0]}/index.json.br`;
  writeFileSync(join(content, left), 'x');
  expect(await findingsOf(store, tree, OFF)).toEqual([
    `${left}: the setting precompress has no br`,
  ]);
  await buildInto(store, tree, { config: OFF, full: true });
  expect(await findingsOf(store, tree, OFF)).toEqual([]);
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
    const durability = { syncPaths: sync, syncTree: sync, beginTree: sync };
    const broken = buildInto(store, tree, { config: after, durability });
    isBroken = await broken.then(
      () => false,
      ({ message }: Error) => message === 'broken off',
    );
    await buildInto(store, tree, { config: after });
    expectSidecars(content, endings);
    expect(await findingsOf(store, tree, after)).toEqual([]);
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
