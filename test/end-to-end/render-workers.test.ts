import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { loadDriver } from '../../src/base/sqlite/driver.ts';
import { eventually } from '../helpers/eventually.ts';
import { createPublication, type Publication } from '../helpers/publication.ts';
import { buildThreaded, RENDER_WORKER, skipWithoutBundle } from '../helpers/threaded-build.ts';
import { buildInto, parseFile, readTree } from '../helpers/tree.ts';

/** More than are rendered beside threads before the lists are opened, and no multiple of a chunk. */
const MANY = 290;

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

/** A thread that gives all posts a new title, again and again, each time in one commit. */
const WRITER = `
const { workerData } = require('node:worker_threads');
const database = new (require(workerData.driver))(workerData.path, { timeout: 60000 });
const pause = new Int32Array(new SharedArrayBuffer(4));
for (let at = 1; ; at += 1) {
  database.prepare('UPDATE posts SET title = ?').run('v' + at);
  Atomics.wait(pause, 0, 0, 10);
}
`;

test.skipIf(skipWithoutBundle)(
  'threads give the bytes that one thread gives, first and again, and read one commit while a writer goes on',
  async () => {
    const publication = await fill(MANY);
    const { folder, store, shell, path } = publication;
    const place = join(folder, 'workers');
    const treeOf = (tree: string): Map<string, string> => readTree(join(folder, tree, 'content'));
    await buildThreaded(store, place);
    await buildInto(store, join(folder, 'single'));
    expect(treeOf('workers')).toEqual(treeOf('single'));
    shell.exec("UPDATE posts SET title = 'second' WHERE rowid % 2 = 0");
    expect(await buildThreaded(store, place)).toMatchObject({ kind: 'incremental' });
    await buildInto(store, join(folder, 'clean'));
    expect(treeOf('workers')).toEqual(treeOf('clean'));

    shell.exec("UPDATE posts SET title = 'v0'");
    const driver =
      Number(process.versions.node.split('.')[0]) < 22 ? 'better-sqlite3-node20' : 'better-sqlite3';
    const writer = new Worker(WRITER, {
      eval: true,
      workerData: { path, driver: join(import.meta.dirname, '../../node_modules', driver) },
    });
    try {
      const title = shell.prepare('SELECT title FROM posts LIMIT 1').pluck();
      await eventually(() => expect(title.get()).not.toBe('v0'));
      await buildThreaded(store, join(folder, 'busy'));
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
  },
);

test.skipIf(skipWithoutBundle)(
  'writers go on while the threads start, and what no thread can work with fails with its code',
  async () => {
    const publication = await fill(100);
    const { folder, path, store, shell, insert } = publication;
    const [slow, begun, written] = ['slow-worker.mjs', 'begun', 'written'].map((name) =>
      join(folder, name),
    ) as [string, string, string];
    writeFileSync(
      slow,
      `import { existsSync, writeFileSync } from 'node:fs';
     writeFileSync(${JSON.stringify(begun)}, '');
     while (!existsSync(${JSON.stringify(written)})) await new Promise((resolve) => setTimeout(resolve, 5));
     await import(${JSON.stringify(pathToFileURL(RENDER_WORKER).href)});`,
    );
    const building = buildThreaded(store, join(folder, 'tree'), { workerFile: slow });
    // Given back before the test ends, whatever comes of it.
    onTestFinished(async () => {
      writeFileSync(written, '');
      await building;
    });
    await eventually(() => expect(existsSync(begun)).toBe(true));
    const other = new (loadDriver())(path, { timeout: 0 });
    onTestFinished(() => void other.close());
    for (let writes = 0; writes < 5; writes += 1) {
      await eventually(() => other.exec("UPDATE posts SET custom_excerpt = 'x' WHERE rowid = 1"));
    }
    writeFileSync(written, '');
    expect(await building).toMatchObject({ kind: 'full' });
    shell.exec("UPDATE posts SET created_at = 'x' WHERE rowid = 50");
    await expect(buildThreaded(store, join(folder, 'bad'))).rejects.toMatchObject({
      code: 'BUILD_INPUT_INVALID',
      details: [{ table: 'posts', field: 'created_at' }],
    });
    insert('settings', { key: 'timezone', value: 'Mars/Olympus' });
    await expect(buildThreaded(store, join(folder, 'x'))).rejects.toMatchObject({
      code: 'TIMEZONE_UNKNOWN',
    });
  },
);
