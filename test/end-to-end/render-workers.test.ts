import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { openBuild } from '../../src/build/open-build.ts';
import { outputSettingsOf } from '../../src/build/output-settings.ts';
import { type BuildReport, prepareBuild, runBuild } from '../../src/build/run-build.ts';
import { loadDriver } from '../../src/store/sqlite/driver.ts';
import { openManifest } from '../../src/store/sqlite/manifest-db.ts';
import { createPublication, type Publication } from '../helpers/publication.ts';
import { buildInto, NO_SYNC, parseFile, readTree, testConfig } from '../helpers/tree.ts';

const WORKER = join(import.meta.dirname, '../../dist/render-worker.js');
const skip = existsSync(WORKER)
  ? false
  : 'dist/render-worker.js is absent: npm run bundle makes it';

const fill = async (count: number): Promise<Publication> => {
  const publication = await createPublication();
  const { shell, insert } = publication;
  shell.transaction(() => {
    const tags = [1, 2, 3].map((at) => insert('tags', { name: `Tag ${at}` }));
    const author = insert('users', {});
    for (let at = 0; at < count; at += 1) {
      const post = insert('posts', {
        status: 'published',
        published_at: new Date(1.7e12 + at * 60_000).toISOString(),
        title: 'v0',
        html: `<p>${'text '.repeat(50)}</p>`,
      });
      insert('posts_tags', { post_id: post, tag_id: tags[at % 3] });
      insert('posts_authors', { post_id: post, author_id: author });
    }
  })();
  return publication;
};

const buildWithWorkers = async (
  { store }: Publication,
  folder: string,
  { isAlone = false, workerFile = WORKER } = {},
): Promise<BuildReport> => {
  const manifest = openManifest(`${folder}.db`);
  const config = testConfig();
  const inputOf = (snapshot: Parameters<typeof runBuild>[0]['snapshot']) => ({
    snapshot,
    manifest,
    contentFolder: join(folder, 'content'),
    settings: outputSettingsOf(config, snapshot.settings()),
    isFullAsked: false,
    durability: NO_SYNC,
  });
  const { snapshot, workers } = await openBuild(store, {
    planOf: (seen) => prepareBuild(inputOf(seen)).plan,
    workerFile,
    workerRecordsMin: 1,
    isAlone,
  });
  expect(workers).not.toBeNull();
  try {
    return await runBuild({ ...inputOf(snapshot), workers }, 0);
  } finally {
    snapshot.close();
    await workers?.close();
    manifest.close();
  }
};

test.skipIf(skip)('threads give the bytes that one thread gives, first and again', async () => {
  const publication = await fill(700);
  const { folder, store, shell } = publication;
  const trees = [false, true].map((isAlone) => ({
    isAlone,
    place: join(folder, isAlone ? 'all-threads' : 'workers'),
  }));
  const treeOf = (place: string): Map<string, string> => readTree(join(place, 'content'));
  for (const { place, isAlone } of trees) await buildWithWorkers(publication, place, { isAlone });
  await buildInto(store, join(folder, 'single'));
  for (const { place } of trees) expect(treeOf(place)).toEqual(treeOf(join(folder, 'single')));
  shell.exec("UPDATE posts SET title = 'second' WHERE rowid % 2 = 0");
  for (const { place, isAlone } of trees) {
    const report = await buildWithWorkers(publication, place, { isAlone });
    expect(report).toMatchObject({ kind: 'incremental' });
  }
  await buildInto(store, join(folder, 'clean'));
  for (const { place } of trees) expect(treeOf(place)).toEqual(treeOf(join(folder, 'clean')));
});

/** A thread that gives all posts a new title, again and again, each time in one commit. */
const WRITER = `
const { workerData } = require('node:worker_threads');
const database = new (require(workerData.driver))(workerData.path, { timeout: 5000 });
for (let at = 1; ; at += 1) database.prepare('UPDATE posts SET title = ?').run('v' + at);
`;

test.skipIf(skip)('all threads read one commit while a writer goes on', async () => {
  const publication = await fill(700);
  const { folder, path } = publication;
  const driver =
    Number(process.versions.node.split('.')[0]) < 22 ? 'better-sqlite3-node20' : 'better-sqlite3';
  const writer = new Worker(WRITER, {
    eval: true,
    workerData: { path, driver: join(import.meta.dirname, '../../node_modules', driver) },
  });
  try {
    await sleep(200);
    await buildWithWorkers(publication, join(folder, 'busy'));
  } finally {
    await writer.terminate();
  }
  const { posts } = parseFile(join(folder, 'busy', 'content'), 'posts/index.json') as {
    posts: { title: string; id: string }[];
  };
  const titles = new Set(posts.map(({ title }) => title));
  for (const { id } of posts) {
    const file = parseFile(join(folder, 'busy', 'content'), `posts/${id}/tags.json`);
    titles.add((file as { posts: { title: string }[] }).posts[0]?.title ?? '');
  }
  expect(titles.size).toBe(1);
  expect([...titles][0]).not.toBe('v0');
});

test.skipIf(skip)(
  'a row that one thread cannot render fails the build with its place',
  async () => {
    const publication = await fill(300);
    publication.shell.exec("UPDATE posts SET created_at = 'x' WHERE rowid = 150");
    await expect(
      buildWithWorkers(publication, join(publication.folder, 'bad')),
    ).rejects.toMatchObject({
      code: 'BUILD_INPUT_INVALID',
      details: [{ table: 'posts', field: 'created_at' }],
    });
  },
);

const SLOW_START_MS = 500;
const WRITE_EVERY_MS = 20;

test.skipIf(skip)('writers go on while the threads start', async () => {
  const publication = await fill(10);
  const { folder, path } = publication;
  const slow = join(folder, 'slow-worker.mjs');
  writeFileSync(
    slow,
    `await new Promise((resolve) => setTimeout(resolve, ${SLOW_START_MS}));
     await import(${JSON.stringify(pathToFileURL(WORKER).href)});`,
  );
  const other = new (loadDriver())(path, { timeout: 0 });
  const outcomes: boolean[] = [];
  const writing = setInterval(() => {
    try {
      other.exec("UPDATE posts SET custom_excerpt = 'x' WHERE rowid = 1");
      outcomes.push(true);
    } catch {
      outcomes.push(false);
    }
  }, WRITE_EVERY_MS);
  try {
    await buildWithWorkers(publication, join(folder, 'tree'), { workerFile: slow });
  } finally {
    clearInterval(writing);
    other.close();
  }
  expect(outcomes.filter((isDone) => isDone).length).toBeGreaterThan(5);
  expect(outcomes.filter((isDone) => !isDone).length).toBeLessThan(5);
});

test.skipIf(skip)('settings that no thread can work with fail with their code', async () => {
  const publication = await fill(10);
  publication.insert('settings', { key: 'timezone', value: 'Mars/Olympus' });
  await expect(buildWithWorkers(publication, join(publication.folder, 'x'))).rejects.toMatchObject({
    code: 'TIMEZONE_UNKNOWN',
  });
});
