// The built command follows a site by its address, and a database by its file, with their pictures: those of new posts
// come while it follows, and what it publishes reaches the folder of a host with nothing run by hand.
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  CONTENT_KEY,
  type ContentRecord,
  type ContentServer,
  startContentSite,
} from '../helpers/content-site.ts';
import { eventually } from '../helpers/eventually.ts';
import { makeGhostDatabase } from '../helpers/ghost-database.ts';
import { prepress, runPrepress } from '../helpers/run-prepress.ts';
import { RECEIVER_ALLOWED, serve } from '../helpers/serve.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { parseFile } from '../helpers/tree.ts';

const AUTHOR = { id: '6b00f67a8df29a0456bf5f71', name: 'Ann', slug: 'ann', bio: null };

const makePost = (number: number): ContentRecord => ({
  id: `6b00f67a8df29a0456bf600${number}`,
  uuid: `11111111-1111-4111-8111-11111111111${number}`,
  title: `Post ${number}`,
  slug: `post-${number}`,
  html: `<p>Hello</p><img src="https://site.test/content/images/${number}.png">`,
  plaintext: 'Hello',
  visibility: 'public',
  created_at: '2026-01-01T00:00:00.000+00:00',
  updated_at: '2026-01-01T00:00:00.000+00:00',
  published_at: '2026-01-01T00:00:00.000+00:00',
  tags: [],
  authors: [AUTHOR],
  tiers: [],
});

let site: ContentServer;
/** Pictures that the site does not have. */
const absent = new Set<string>();

beforeAll(async () => {
  site = await startContentSite({
    settings: { title: 'Site', url: 'https://site.test/', version: '6.65' },
    posts: [makePost(1)],
    pages: [],
    tags: [],
    authors: [AUTHOR],
    tiers: [],
  });
  site.intercept = ({ url: { pathname } }, response) => {
    if (!pathname.startsWith('/content/')) return false;
    const name = pathname.split('/').at(-1) ?? '';
    response.writeHead(absent.has(name) ? 404 : 200, { 'content-type': 'image/png' });
    response.end(`picture ${name}`);
    return true;
  };
});
afterAll(() => site.close());

const readText = (path: string): string => readFileSync(path, 'utf8');

test('a site by its address, with its pictures, to the folder of a host', async () => {
  const folder = temporaryFolder();
  const host = join(temporaryFolder(), 'www');
  mkdirSync(host);
  writeFileSync(join(folder, 'prepress.config.json'), JSON.stringify({ deploy: [`dir:${host}`] }));
  absent.add('3.png');
  const environment = { PREPRESS_SOURCE_KEY: CONTENT_KEY, PREPRESS_FOLLOW_SECONDS: '1' };
  const args = ['--follow', site.url, '--images', site.url];
  const serving = await serve(folder, { args, environment });
  const content = join(host, 'content');
  await eventually(() => expect(readText(join(content, 'images/1.png'))).toBe('picture 1.png'));
  site.site.posts.push(makePost(2), makePost(3));
  await eventually(() => expect(existsSync(join(content, 'posts/slug/post-3'))).toBe(true));
  expect(readText(join(content, 'images/2.png'))).toBe('picture 2.png');
  await eventually(() => expect(parseFile(content, 'posts/index.json').posts).toHaveLength(3));
  await eventually(() => expect(serving.log()).toContain('images/3.png'));
  expect(serving.log()).not.toContain(CONTENT_KEY);
  expect(await serving.end()).toBe(0);

  // What could not be had comes with the next start.
  absent.clear();
  await serve(folder, { args, environment });
  await eventually(() => expect(readText(join(content, 'images/3.png'))).toBe('picture 3.png'));
});

test('the address of the site is known from the settings file', async () => {
  const folder = temporaryFolder();
  makeGhostDatabase(join(folder, 'ghost.db')).close();
  writeFileSync(join(folder, 'prepress.config.json'), '{"siteUrl":"https://site.test"}');
  for (const command of [
    ['import', 'ghost.db'],
    ['follow', 'ghost.db', '--once'],
  ]) {
    expect(await prepress(folder, command)).not.toContain('The address of the site is not known');
  }
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
  const unnamed = await prepress(folder, once.slice(0, 3));
  expect(unnamed).toContain('The address of the site is not known');
  await prepress(folder, once);
  const named = parseFile(join(folder, 'output/content'), 'posts/index.json').posts;
  expect(JSON.stringify(named)).toContain('"url":"https://site.test/');
  const wrong = await runPrepress(folder, [...once, '--images', 'absent']);
  expect(wrong).toMatchObject({ code: 1 });
  expect(wrong.stderr).toMatch(/absent cannot be read\./);
  const said = await prepress(folder, [...once, '--images', 'ghost']);
  expect(said).toContain('Media: 1 files copied, 0 as before.');
  const placed = join(folder, 'output/content/images/2026');
  expect(readText(join(placed, 'a.png'))).toBe('a');
  copyFileSync(picture, join(dirname(picture), 'b.png'));
  ghost.exec(`UPDATE posts SET feature_image = '__GHOST_URL__/content/images/2026/b.png'`);
  ghost.close();
  const environment = { ...RECEIVER_ALLOWED, PREPRESS_FOLLOW_IMAGES: 'ghost' };
  await runPrepress(folder, [...once, '--compare'], { environment });
  expect(readText(join(placed, 'b.png'))).toBe('a');
});
