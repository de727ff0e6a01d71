// The built command follows a site by its address, with its pictures: those of new posts come while it follows, and what it
// publishes reaches the folder of a host with nothing run by hand.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  CONTENT_KEY,
  type ContentRecord,
  type ContentServer,
  startContentSite,
} from '../helpers/content-site.ts';
import { eventually } from '../helpers/eventually.ts';
import { serve } from '../helpers/serve.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { parseFile } from '../helpers/tree-files.ts';

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
