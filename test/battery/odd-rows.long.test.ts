// Rows that no editor would write, but that a database may hold: each has a result, the one that
// docs/reliability.md lists, and never stands in the way of the other rows.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { SqliteConnection } from '../../src/base/sqlite/driver.ts';
import { cleanTree, expectTree } from '../helpers/clean-tree.ts';
import { insertRow } from '../helpers/publication.ts';
import { CONTENT, openShell } from '../helpers/serve.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { checkTree } from '../helpers/tree-reader.ts';
import { quickProgram } from './program.ts';
import { mustRun, runProgram } from './run-program.ts';
import { sized } from './size.ts';
import { createSmallPublication } from './small-publication.ts';

const program = await quickProgram();

type Scene = {
  readonly folder: string;
  readonly content: string;
  readonly shell: SqliteConnection;
};

const createScene = async (): Promise<Scene> => {
  const folder = temporaryFolder();
  await createSmallPublication(program, folder);
  return { folder, content: join(folder, CONTENT), shell: openShell(folder) };
};

/** Built whole, nothing beside the tree, and the same again by a clean build. */
const expectBuilt = async ({ folder, content, shell }: Scene): Promise<void> => {
  await mustRun({ program, folder, args: ['build'] });
  expect(checkTree(content)).toEqual([]);
  expectTree(content, await cleanTree(shell));
  expect(await mustRun({ program, folder, args: ['verify'] })).toContain('All is well');
  expect(readdirSync(join(folder, 'output')).sort()).toEqual(['content', 'openapi.json']);
};

type Post = Readonly<Record<string, unknown>>;

const readPost = ({ content }: Scene, id: string, variant = 'index'): Post => {
  const text = readFileSync(join(content, 'posts', id, `${variant}.json`), 'utf8');
  return (JSON.parse(text) as { posts: Post[] }).posts[0] ?? {};
};

const addPost = ({ shell }: Scene, row: Readonly<Record<string, unknown>>): string =>
  insertRow(shell, 'posts', {
    status: 'published',
    published_at: '2025-03-01T00:00:00.000Z',
    ...row,
  });

const SLUGS = [
  'a/b',
  '..',
  '../../../escaped',
  '.',
  'nul\0inside',
  'long'.repeat(150),
  '\u{1f600}',
  '\u202eright-to-left\u200f',
  'con',
  'AUX',
  'lpt1.txt',
  'trailing.',
  'trailing ',
  '~tilde',
  'a\\b',
  'a?b%2f#c',
  'Twin',
  'twin',
  'TWIN',
  'cafe\u0301',
  'caf\u00e9',
  'stra\u00dfe',
  'STRASSE',
];

test('slugs that no disk can hold, and twins', async () => {
  const scene = await createScene();
  const ids = SLUGS.map((slug) => addPost(scene, { slug }));
  await expectBuilt(scene);
  for (const [at, id] of ids.entries()) expect(readPost(scene, id).slug).toBe(SLUGS[at]);
  const segments = readdirSync(join(scene.content, 'posts/slug'));
  // Each under a name of its own, which any disk can hold.
  expect(segments.length).toBe(SLUGS.length + 3);
  expect(segments.filter((name) => Buffer.byteLength(name) > 255 || /[\0/\\]/.test(name))).toEqual(
    [],
  );
  expect(new Set(segments.map((name) => name.normalize().toLowerCase())).size).toBe(
    segments.length,
  );
  expect(existsSync(join(scene.folder, 'escaped'))).toBe(false);
});

const HTML_MIB = sized({ short: 2, long: 50 });
const TAGS = sized({ short: 200, long: 10_000 });

test(`html of ${HTML_MIB} MiB`, async () => {
  const scene = await createScene();
  const html = `<p>${'x'.repeat(1_023)}</p>`.repeat(HTML_MIB * 1_024);
  const id = addPost(scene, { slug: 'huge', html });
  await mustRun({ program, folder: scene.folder, args: ['build'] });
  expect((readPost(scene, id).html as string).length).toBe(html.length);
  expect(String(readPost(scene, id).excerpt).length).toBeLessThanOrEqual(500);
});

test(`${TAGS} tags on a post`, async () => {
  const scene = await createScene();
  const post_id = addPost(scene, { slug: 'many-tags' });
  scene.shell.transaction(() => {
    for (let at = 0; at < TAGS; at += 1) {
      const tag_id = insertRow(scene.shell, 'tags', { slug: `many-${at}` });
      insertRow(scene.shell, 'posts_tags', { post_id, tag_id, sort_order: at });
    }
  })();
  await mustRun({ program, folder: scene.folder, args: ['build'] });
  const { tags } = readPost(scene, post_id, 'tags') as { tags: { slug: string }[] };
  expect(tags.length).toBe(TAGS);
  expect(tags.at(-1)?.slug).toBe(`many-${TAGS - 1}`);
  expect(existsSync(join(scene.content, `tags/slug/many-${TAGS - 1}/index.json`))).toBe(true);
});

test('text that is no UTF-8', async () => {
  const scene = await createScene();
  const id = addPost(scene, { slug: 'bad-text' });
  const set =
    "UPDATE posts SET title = CAST(X'61ff62' AS TEXT), html = X'3c703eff3c2f703e' WHERE id = ?";
  scene.shell.prepare(set).run(id);
  await expectBuilt(scene);
  expect(readPost(scene, id)).toMatchObject({ title: 'a\ufffdb', html: '<p>\ufffd</p>' });
  const lone = addPost(scene, { slug: 'lone', title: 'a\ud800b' });
  await expectBuilt(scene);
  expect(readPost(scene, lone).title).toMatch(/^a\ufffd+b$/);
});

test('dates of year 0 and 9999', async () => {
  const scene = await createScene();
  const first = addPost(scene, { slug: 'year-0', published_at: '0000-01-01T00:00:00.000Z' });
  const last = addPost(scene, { slug: 'year-9999', published_at: '9999-12-31T23:59:59.000Z' });
  await expectBuilt(scene);
  expect(readPost(scene, first).published_at).toBe('0000-01-01T00:00:00.000+00:00');
  // To come: it waits for its time.
  expect(existsSync(join(scene.content, 'posts', last))).toBe(false);
  const status = scene.shell.prepare('SELECT status FROM posts WHERE id = ?').pluck();
  expect(status.get(last)).toBe('scheduled');
});

test('a missing author', async () => {
  const scene = await createScene();
  const without = addPost(scene, { slug: 'without' });
  const dangling = addPost(scene, { slug: 'dangling' });
  scene.shell.pragma('foreign_keys = OFF');
  const author_id = 'f'.repeat(24);
  insertRow(scene.shell, 'posts_authors', { post_id: dangling, author_id, sort_order: 0 });
  await expectBuilt(scene);
  for (const id of [without, dangling]) {
    expect(readPost(scene, id, 'authors')).toMatchObject({ authors: [], primary_author: null });
  }
});

test('a date that cannot be read', async () => {
  const scene = await createScene();
  const { folder, content, shell } = scene;
  const id = addPost(scene, { slug: 'when' });
  await expectBuilt(scene);
  const before = await cleanTree(shell);
  shell.prepare("UPDATE posts SET published_at = 'yesterday' WHERE id = ?").run(id);
  addPost(scene, { slug: 'never', published_at: 'tomorrow' });
  const strict = await runProgram({ program, folder, args: ['build', '--strict'] });
  expect(strict).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^prepress: Row .*published_at/),
  });
  expectTree(content, before);
  const said = await mustRun({ program, folder, args: ['build'] });
  expect(said).toContain(`Row ${id} of posts cannot be rendered (published_at is not a time`);
  expectTree(content, before);
  expectTree(content, await cleanTree(shell));
  shell.exec("UPDATE posts SET published_at = '2025-03-01' WHERE slug IN ('when', 'never')");
  await expectBuilt(scene);
  expect(existsSync(join(content, 'posts/slug/never'))).toBe(true);
});

/** As another program leaves a table that it made again: no CHECK, no key. */
const rebuildTable = ({ shell }: Scene, table: string): void => {
  shell.pragma('foreign_keys = OFF');
  shell.exec(`CREATE TABLE rebuilt AS SELECT * FROM ${table}; DROP TABLE ${table};
    ALTER TABLE rebuilt RENAME TO ${table}`);
};

test('an id that is no id', async () => {
  const scene = await createScene();
  await expectBuilt(scene);
  const before = await cleanTree(scene.shell);
  rebuildTable(scene, 'posts');
  for (const id of ['../../../../escaped', 'index.json', 'slug']) {
    addPost(scene, { id, slug: 'odd', type: 'post' });
    const said = await mustRun({ program, folder: scene.folder, args: ['build'] });
    expect(said).toMatch(/Row .* of posts cannot be rendered \(id is not 24 hex digits/);
    expectTree(scene.content, before);
    expect(existsSync(join(scene.folder, 'escaped'))).toBe(false);
    scene.shell.prepare('DELETE FROM posts WHERE id = ?').run(id);
    await mustRun({ program, folder: scene.folder, args: ['build'] });
    expectTree(scene.content, before);
  }
});

test('columns of another program', async () => {
  const scene = await createScene();
  const names = [`"it's"`, '"a""b"', '"; --"', '""'];
  for (const name of names) scene.shell.exec(`ALTER TABLE posts ADD COLUMN ${name} DEFAULT 'x'`);
  addPost(scene, { slug: 'beside' });
  await expectBuilt(scene);
  for (const name of names) scene.shell.exec(`ALTER TABLE posts DROP COLUMN ${name}`);
  addPost(scene, { slug: 'after' });
  await expectBuilt(scene);
});

test('a change log that was dropped', async () => {
  const scene = await createScene();
  const id = addPost(scene, { slug: 'before' });
  await mustRun({ program, folder: scene.folder, args: ['build'] });
  scene.shell.prepare("UPDATE posts SET title = 'Between' WHERE id = ?").run(id);
  scene.shell.exec('DROP TABLE changes');
  const said = await mustRun({ program, folder: scene.folder, args: ['build'] });
  expect(said).toContain('full (the change log does not follow)');
  // Whoever saw the gap reads the schema again with the next statement that needs no log.
  scene.shell.prepare('SELECT 1 FROM posts').get();
  scene.shell.prepare("UPDATE posts SET title = 'After' WHERE id = ?").run(id);
  await expectBuilt(scene);
  expect(readPost(scene, id).title).toBe('After');
});
