// examples/astro and examples/next, built by the generators themselves against a running server: every published post has
// its page, with its html. The blog of Astro also has tags, pictures in sizes and a feed, and its next build reads an edit alone.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../helpers/eventually.ts';
import { prepress } from '../helpers/run-prepress.ts';
import { type Serving, startServing } from '../helpers/serve.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';
import { missingFile } from './program.ts';

const EXAMPLES = join(import.meta.dirname, '../../examples');
/** Astro needs Node.js 22. */
const [NODE = process.execPath] = (process.env.PREPRESS_TEST_NODES ?? '').split(delimiter);
/** A folder with `astro/node_modules` and `next/node_modules`, as .ci/run makes it. */
const INSTALLED = process.env.PREPRESS_TEST_SITES ?? '/none';

const GENERATORS = [
  ['astro', 'astro/astro.js', 'dist'],
  ['next', 'next/dist/bin/next', 'out'],
] as const;

const suite = suiteFolder();
let serving: Serving;
beforeAll(async () => {
  await prepress(suite.path, ['init']);
  serving = await startServing(suite.path);
});
afterAll(async () => {
  await serving.end();
  suite.remove();
});

/** Resolves to what it printed. */
const build = async (program: string, cwd: string): Promise<string> => {
  const { PATH } = process.env;
  const child = spawn(NODE || process.execPath, [join(cwd, 'node_modules', program), 'build'], {
    cwd,
    env: {
      PATH,
      HOME: cwd,
      CONTENT_URL: serving.url,
      CONTENT_KEY: serving.contentKey,
      NEXT_TELEMETRY_DISABLED: '1',
      ASTRO_TELEMETRY_DISABLED: '1',
    },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      said += String(chunk);
    });
  }
  const [code] = await once(child, 'close');
  expect([code, said]).toEqual([0, said]);
  return said;
};

describe.each(GENERATORS)('examples/%s', (name, program, output) => {
  const reason = missingFile(
    join(INSTALLED, name, 'node_modules', program),
    `copy examples/${name}, npm install there, and set PREPRESS_TEST_SITES to the folder around it`,
  );
  test.skipIf(reason !== null)(`builds${reason === null ? '' : ` (${reason})`}`, async () => {
    // Beside the modules: Next takes no links to them.
    const folder = join(INSTALLED, name);
    cpSync(join(EXAMPLES, name), folder, { recursive: true });
    await build(program, folder);
    const posts = await listPosts();
    expect(posts.length).toBeGreaterThan(10);
    const home = readFileSync(join(folder, output, 'index.html'), 'utf8');
    for (const { slug, html } of posts) {
      expect(home).toContain(`href="/${slug}/"`);
      expect(readFileSync(join(folder, output, slug, 'index.html'), 'utf8')).toContain(html);
    }
    if (name === 'astro') await checkBlog(folder, program);
  });
});

type Post = {
  readonly id: string;
  readonly slug: string;
  readonly html: string;
  readonly updated_at: string;
};

const listPosts = async (): Promise<Post[]> => {
  const answer = await serving.get(`/content/posts/?key=${serving.contentKey}`);
  return ((await answer.json()) as { posts: Post[] }).posts;
};

const checkBlog = async (folder: string, program: string): Promise<void> => {
  const read = (file: string): string => readFileSync(join(folder, 'dist', file), 'utf8');
  const posts = await listPosts();
  expect(read('feed.xml').match(/<item>/g)).toHaveLength(Math.min(20, posts.length));
  expect(read('tag/tides/index.html')).toMatch(/<h1[^>]*>Tides<.*<time datetime="20/s);
  expect(read('index.html')).toMatch(/srcset="[^"]*\/content\/images\/size\/w600\/\S+ 600w,/);
  const [first] = posts;
  await serving.admin('PUT', `/posts/${first?.id}/`, {
    posts: [{ title: 'Edited', updated_at: first?.updated_at }],
  });
  await eventually(async () => {
    const answer = await serving.get(`/content/posts/${first?.id}/?key=${serving.contentKey}`);
    expect(await answer.text()).toContain('"Edited"');
  });
  expect(await build(program, folder)).toContain('Changed posts: 1, gone: 0');
  expect(read(`${first?.slug}/index.html`)).toMatch(/<h1[^>]*>Edited</);
};
