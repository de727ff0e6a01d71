// Commands that take a publication over: a site from its address, with the key in the environment and its pictures, its
// members from a CSV, and a database that is followed once, with the content folder beside it.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CONTENT_KEY, type ContentServer, startContentSite } from '../../helpers/content-site.ts';
import { makeGhostDatabase } from '../../helpers/ghost-database.ts';
import { runHere, sayHere } from '../../helpers/run-here.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { parseFile } from '../../helpers/tree.ts';

const readText = (path: string): string => readFileSync(path, 'utf8');

const ID = '6b00f67a8df29a0456bf5f70';
const author = { id: '6b00f67a8df29a0456bf5f71', name: 'Ann', slug: 'ann', bio: null };

let server: ContentServer;
beforeAll(async () => {
  const post = {
    id: ID,
    uuid: '11111111-1111-4111-8111-111111111111',
    title: 'Hello',
    slug: 'hello',
    html: '<p>Hello</p>',
    plaintext: 'Hello',
    visibility: 'public',
    feature_image: 'https://site.test/content/images/2026/a.png',
    og_image: 'https://site.test/content/images/2026/b.png',
    created_at: '2026-01-01T00:00:00.000+00:00',
    updated_at: '2026-01-01T00:00:00.000+00:00',
    published_at: '2026-01-01T00:00:00.000+00:00',
    tags: [],
    authors: [author],
    tiers: [],
  };
  const settings = { title: 'Site', url: 'https://site.test/', version: '6.65' };
  server = await startContentSite({
    settings,
    posts: [post],
    pages: [],
    tags: [],
    authors: [author],
    tiers: [],
  });
});
afterAll(() => server.close());

test('a site, by its address', async () => {
  const folder = temporaryFolder();
  const refused = await runHere(folder, ['import', server.url]);
  expect(refused.code).toBe(2);
  // `follow` has no --key.
  expect(refused.stderr).toContain('set the environment variable PREPRESS_SOURCE_KEY.');
  const short = await runHere(folder, ['import', server.url], { PREPRESS_SOURCE_KEY: 'abc' });
  expect(short.stderr).toContain('has 3 characters, and must have 26');
  const environment = { PREPRESS_SOURCE_KEY: CONTENT_KEY };
  const done = await runHere(folder, ['import', server.url], environment);
  expect(done.stderr).toBe('');
  expect(done.code).toBe(0);
  expect(done.stdout).toContain('posts: 1 imported');
  expect(done.stdout).toContain('members, newsletters');
  expect(done.stdout + done.stderr).not.toContain(CONTENT_KEY);
  const again = await sayHere(folder, ['import', server.url, '--key', CONTENT_KEY, '--json']);
  expect(JSON.parse(again)).toMatchObject({ tables: { posts: { changed: 0, unchanged: 1 } } });
  writeFileSync(join(folder, 'members.csv'), 'email,labels\nmia@example.com,Early\n');
  expect(await sayHere(folder, ['import', 'members.csv'])).toContain('members: 1 imported');
  writeFileSync(join(folder, 'more.csv'), 'email,Subscription,Score\nann@example.com,x,1\n');
  const unclear = await runHere(folder, ['import', 'more.csv']);
  expect([unclear.code, unclear.stderr]).toEqual([1, expect.stringContaining('--column "NAME=')]);
  const ignoring = [
    'import',
    'more.csv',
    '--column',
    'Subscription=ignore',
    '--column',
    'Score=note',
  ];
  expect(await sayHere(folder, ignoring)).toContain('members: 1 imported');
  const mapped = ['import', server.url, '--column', 'Score=note'];
  const elsewhere = await runHere(folder, mapped, environment);
  expect([elsewhere.code, elsewhere.stderr]).toEqual([2, expect.stringContaining('members CSV')]);
  await sayHere(folder, ['build']);
  const [read] = parseFile(join(folder, 'output/content'), `posts/${ID}/authors.json`).posts as [
    Record<string, unknown>,
  ];
  expect(read).toMatchObject({
    html: '<p>Hello</p>',
    url: 'https://site.test/hello/',
    primary_author: { slug: 'ann' },
  });
});

test('its pictures, fetched from an address that may be reached, before the rows that name them', async () => {
  const folder = temporaryFolder();
  server.intercept = ({ url }, response) => {
    if (!url.pathname.startsWith('/content/')) return false;
    response.writeHead(200, { 'content-type': 'image/png' });
    response.end('picture');
    return true;
  };
  const command = ['import', server.url, '--key', CONTENT_KEY, '--images', server.url];
  const refused = await runHere(folder, command);
  expect([refused.code, refused.stdout]).toEqual([
    1,
    // They are asked for at once: either may be refused first.
    expect.stringMatching(
      /^Skipped 2 files, such as images\/2026\/[ab]\.png: it is not fetched: /m,
    ),
  ]);
  const environment = { PREPRESS_WEBHOOK_ALLOW: '127.0.0.1' };
  const { stdout } = await runHere(folder, ['import', '--images', server.url], environment);
  expect(stdout).toContain('Media: 2 files copied, 0 unchanged, 2 placed in the output.');
  const picture = readFileSync(join(folder, 'output/content/images/2026/a.png'), 'utf8');
  expect(picture).toBe('picture');
  const again = await runHere(folder, command, environment);
  expect(again.stdout).toContain('Media: 0 files copied, 2 unchanged');
  // They outlive the output.
  rmSync(join(folder, 'output'), { recursive: true });
  expect(await sayHere(folder, ['build'])).toContain('Media: 2 files placed, 0 removed.');
  expect(readText(join(folder, 'output/content/images/2026/a.png'))).toBe('picture');
  expect(await sayHere(folder, ['verify'])).toContain('All is well.');
});

test('the address of the site is known from the settings file', async () => {
  const folder = temporaryFolder();
  makeGhostDatabase(join(folder, 'ghost.db')).close();
  writeFileSync(join(folder, 'prepress.config.json'), '{"siteUrl":"https://site.test"}');
  for (const command of [
    ['import', 'ghost.db'],
    ['follow', 'ghost.db', '--once'],
  ]) {
    expect(await sayHere(folder, command)).not.toContain('The address of the site is not known');
  }
});

test('a command that takes nothing, or skips most, fails and says so', async () => {
  const exported = (posts: readonly object[]): string => {
    const folder = temporaryFolder();
    const tags = [{ id: '6b00f67a8df29a0456bf5f71', name: 'A', slug: 'a' }];
    const data = { posts, tags, users: [{ ...author, email: 'ann@example.com' }] };
    writeFileSync(
      join(folder, 'site.json'),
      JSON.stringify({ meta: { version: '6.0.0' }, data: posts.length > 0 ? data : { posts } }),
    );
    return folder;
  };
  const take = (folder: string) =>
    runHere(folder, ['import', 'site.json', '--site-url', 'https://site.test']);
  const good = { title: 'A', html: '<p>a</p>', status: 'published', published_at: '2026-01-01' };
  const bad = { ...good, status: 'publish' };
  const half = await take(exported([good, bad]));
  expect([half.code, half.stdout.includes('Most rows')]).toEqual([0, false]);
  const most = await take(exported([good, bad, { ...bad, title: 'B' }]));
  expect(most.code).toBe(1);
  expect(most.stdout).toContain('posts: 1 imported, 0 unchanged, 2 skipped');
  expect(most.stdout).toContain('Most rows of the source were skipped');
  const none = await take(exported([]));
  expect(none.code).toBe(1);
  expect(none.stdout).toContain('The source holds no rows, so');
});

test('a database and the content folder beside it', async () => {
  const folder = temporaryFolder();
  const ghost = makeGhostDatabase(join(folder, 'ghost.db'));
  ghost.exec(
    `UPDATE posts SET feature_image = '__GHOST_URL__/content/images/2026/a.png', updated_at = '2026-01-01 00:00:00'`,
  );
  const picture = join(folder, 'ghost/images/2026/a.png');
  mkdirSync(dirname(picture), { recursive: true });
  writeFileSync(picture, 'a');
  const once = ['follow', 'ghost.db', '--once', '--site-url', 'https://site.test'];
  const unnamed = await sayHere(folder, once.slice(0, 3));
  expect(unnamed).toContain('The address of the site is not known');
  expect(unnamed).toContain('Ghost plans to drop SQLite in version 7');
  await sayHere(folder, once);
  expect(await sayHere(folder, ['status'])).toMatch(/^following .*, checked at .*, imported at /m);
  const named = parseFile(join(folder, 'output/content'), 'posts/index.json').posts;
  expect(JSON.stringify(named)).toContain('"url":"https://site.test/');
  const wrong = await runHere(folder, [...once, '--images', 'absent']);
  expect(wrong).toMatchObject({ code: 1 });
  expect(wrong.stderr).toMatch(/absent does not exist\./);
  const said = await sayHere(folder, [...once, '--images', 'ghost']);
  expect(said).toContain('Media: 1 file copied, 0 unchanged.');
  const placed = join(folder, 'output/content/images/2026');
  expect(readText(join(placed, 'a.png'))).toBe('a');
  copyFileSync(picture, join(dirname(picture), 'b.png'));
  ghost.exec(`UPDATE posts SET feature_image = '__GHOST_URL__/content/images/2026/b.png'`);
  ghost.close();
  const environment = { PREPRESS_FOLLOW_IMAGES: 'ghost' };
  await runHere(folder, [...once, '--compare'], environment);
  expect(readText(join(placed, 'b.png'))).toBe('a');
  const errorAfter = async (source: string): Promise<unknown> => {
    expect(await runHere(folder, ['follow', source, '--once'])).toMatchObject({ code: 1 });
    const { following } = JSON.parse(await sayHere(folder, ['status', '--json']));
    expect(following.checked_at).toEqual(expect.any(String));
    return following.error;
  };
  rmSync(join(folder, 'ghost.db'));
  expect(await errorAfter('ghost.db')).toMatch(/\/ghost\.db does not exist\.$/);
  expect(await errorAfter('another.db')).toMatch(/\/ghost\.db does not exist\.$/);
  expect(await sayHere(folder, ['follow', '--detach'])).toMatch(/no longer follows .*ghost\.db/);
  expect(await sayHere(folder, ['follow', '--detach'])).toContain('follows no source');
});
