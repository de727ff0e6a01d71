// Rows that another program broke, through the built command: the site goes on, the row is named everywhere
// until it is mended, and an earlier version of it is part of the database.
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { loadDriver } from '../../src/base/sqlite/driver.ts';
import { cleanTree, expectTree, SITE } from '../helpers/clean-tree.ts';
import { eventually } from '../helpers/eventually.ts';
import { insertRow } from '../helpers/publication.ts';
import { prepress, runPrepress } from '../helpers/run-prepress.ts';
import { CONTENT, copyPublication, DATABASE, openShell, serve } from '../helpers/serve.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { parseFile, readTree } from '../helpers/tree.ts';

const POST = 'a'.repeat(24);
const BREAK = `UPDATE posts SET published_at = 'nonsense', title = 'Broken' WHERE id = '${POST}'`;
const MEND = `UPDATE posts SET published_at = '2026-01-01' WHERE id = '${POST}'`;
const LINE = new RegExp(`Row ${POST} of posts cannot be rendered \\(published_at is not a time`);

let template = '';
beforeAll(async () => {
  const folder = suiteFolder();
  template = folder.path;
  await prepress(template, ['init', '--site-url', SITE]);
  const shell = new (loadDriver())(join(template, DATABASE));
  const row = { id: POST, slug: 'own', title: 'Own', status: 'published' };
  insertRow(shell, 'posts', { ...row, published_at: '2026-01-01' });
  shell.close();
  await prepress(template, ['build']);
  return folder.remove;
});

const titleOf = (folder: string): unknown =>
  (parseFile(join(folder, CONTENT), `posts/${POST}/index.json`).posts as { title: string }[])[0]
    ?.title;

test('a broken row is named by build, status and verify, fails a strict build, and is mended', async () => {
  const folder = copyPublication(template);
  const content = join(folder, CONTENT);
  const shell = openShell(folder);
  shell.exec(BREAK);
  const before = readTree(content);
  const strict = await runPrepress(folder, ['build', '--strict']);
  expect(strict).toMatchObject({ code: 1, stderr: expect.stringContaining(POST) });
  expect(readTree(content)).toEqual(before);
  for (const args of [['build'], ['build', '--full'], ['status']]) {
    expect(await prepress(folder, args), args.join(' ')).toMatch(LINE);
  }
  expect(readTree(content)).toEqual(before);
  expect(JSON.parse(await prepress(folder, ['status', '--json']))).toMatchObject({
    rows_set_aside: 1,
    set_aside: [{ table: 'posts', id: POST, earlier_version_shown: true }],
  });
  const verified = await runPrepress(folder, ['verify']);
  expect(verified).toMatchObject({ code: 1, stdout: expect.stringMatching(LINE) });
  shell.exec(MEND);
  expect(await prepress(folder, ['build', '--strict'])).not.toMatch(LINE);
  expect(titleOf(folder)).toBe('Broken');
  expect(await prepress(folder, ['verify'])).toContain('All is well.');
  expectTree(content, await cleanTree(shell));
});

test('a full build, a lost build database and a backup give the bytes of the earlier version', async () => {
  const folder = copyPublication(template);
  const shell = openShell(folder);
  shell.exec(`${BREAK}; UPDATE posts SET title = 'Edited' WHERE slug = 'about'`);
  await prepress(folder, ['build']);
  // Blobs that were replaced are none of a new output.
  await prepress(folder, ['build', '--forget']);
  const built = readTree(join(folder, CONTENT));
  for (const name of readdirSync(join(folder, 'data'))) {
    if (name.startsWith('build.db')) rmSync(join(folder, 'data', name));
  }
  await prepress(folder, ['build']);
  expect(readTree(join(folder, CONTENT))).toEqual(built);
  await prepress(folder, ['backup', 'backup.db']);
  const other = temporaryFolder();
  mkdirSync(join(other, 'data'));
  copyFileSync(join(folder, 'backup.db'), join(other, 'data/publication.db'));
  copyFileSync(join(folder, 'data/secret.key'), join(other, 'data/secret.key'));
  cpSync(join(folder, 'backup-media'), join(other, 'media'), { recursive: true });
  expect(await prepress(other, ['build'])).toMatch(LINE);
  expect(readTree(join(other, CONTENT))).toEqual(built);
});

test('a database of an earlier version has an earlier version of its broken row', async () => {
  const folder = copyPublication(template);
  const shell = openShell(folder);
  shell.exec(`DROP TABLE set_aside; DELETE FROM migrations WHERE name = 'set aside'; ${BREAK}`);
  expect(await prepress(folder, ['build'])).toMatch(LINE);
  expect(titleOf(folder)).toBe('Own');
});

type State = { readonly state: { readonly setAside: { readonly id: string }[] } };
type Posts = { readonly posts: readonly Record<string, unknown>[] };

test('a server names the row, shows it to administrators, and takes what mends it', async () => {
  const folder = copyPublication(template);
  const shell = openShell(folder);
  const server = await serve(folder);
  const state = async () => ((await server.admin('GET', '/state/')) as State).state.setAside;
  expect(await state()).toEqual([]);
  shell.exec(`${BREAK}; UPDATE posts SET updated_at = 1e20, html = '${'<div>'.repeat(20_000)}', plaintext = NULL WHERE id = '${POST}';
    UPDATE posts SET title = 'Edited' WHERE slug = 'about'`);
  const about = join(folder, CONTENT, 'pages/slug/about');
  const title = () => (parseFile(about, 'index.json').pages as { title: string }[])[0]?.title;
  await eventually(() => expect(title()).toBe('Edited'));
  await eventually(async () => expect(await state()).toMatchObject([{ id: POST }]));
  expect(titleOf(folder)).toBe('Own');
  await eventually(() =>
    expect(server.log()).toContain('html has elements nested more than 1000 deep'),
  );
  const listed = (await server.admin('GET', '/posts/?limit=all')) as Posts;
  const post = listed.posts.find(({ id }) => id === POST);
  expect(post).toMatchObject({ title: 'Broken', published_at: null, updated_at: null });
  const mended = {
    title: 'Mended',
    html: '<p>Well</p>',
    updated_at: null,
    published_at: '2026-01-01T00:00:00.000Z',
  };
  await server.admin('PUT', `/posts/${POST}/?source=html`, { posts: [mended] });
  await eventually(() => expect(titleOf(folder)).toBe('Mended'));
  await eventually(async () => expect(await state()).toEqual([]));
  expect(existsSync(join(folder, CONTENT, 'posts/slug/own'))).toBe(true);
});
