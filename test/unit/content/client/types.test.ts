// The types of the client, in a project that has the package and knows neither browsers nor Node.js.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { bundleClient } from '../../../helpers/client-bundle.ts';
import { suiteFolder } from '../../../helpers/suite-folder.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const TSC = join(createRequire(import.meta.url).resolve('typescript/package.json'), '../bin/tsc');

const PROGRAM = `
import { openContent, type ContentError, type Content, type Post, type Tag } from 'prepress-content/client';

const content: Content = openContent('https://example.com', { bytesMax: 1_000 });
export const read = async (): Promise<number | null> => {
  const { posts, meta } = await content.list('posts', { filter: 'tag:news', include: ['tags'], limit: 5 });
  const title: string | undefined = posts[0]?.title;
  const tag: string | undefined = posts[0]?.primary_tag?.name;
  const { tags } = await content.list<'tags', { name: string }>('tags');
  const name: string | undefined = tags[0]?.name;
  const author = await content.read<{ slug: string }>('authors', { slug: 'a' }, { fields: 'slug' });
  const { name: named } = await content.read('authors', { slug: 'a', include: ['count.posts'], fields: 'name' });
  const settings = await content.settings();
  const post: Post = await content.read('posts', { slug: 'a' });
  const lang: string = settings.lang;
  const { token, isFull, tags: changed, posts: changes } = await content.sync(null, { only: ['tags'] });
  const counts: number[] = changed.upserts.map((one) => one.count.posts);
  const firsts: string[] = changes.upserts.flatMap((one) => one.tags.map(({ slug }) => slug));
  const ghost = openContent<'ghost'>('https://example.com');
  const version: string = (await ghost.settings()).version;
  const comments: boolean = (await ghost.read('posts', { slug: 'a' })).comments;
  const gone: Tag<'ghost'>[] = (await ghost.sync(token)).tags.upserts;
  console(post.html, lang, isFull, counts, firsts, version, comments, gone, tag);
  const { status, body } = await content.answer('posts/?limit=1');
  const problem = (error: ContentError): string | undefined => error.response.data.errors[0]?.message;
  console(title, name, named, author.slug, settings.title, status.toFixed(), body.length, problem);
  return meta.pagination.next;
};
declare const console: (...shown: unknown[]) => void;
declare const client: new (options: { makeRequest: (asked: { url: string; method: string; params: object; headers: object }) => Promise<{ data: unknown }> }) => object;
export const api = new client({ makeRequest: (asked) => content.makeRequest({ url: asked.url, params: { ...asked.params } }) });
`;

const WRONG = `
import { openContent } from 'prepress-content/client';
openContent('https://example.com').list('members');
openContent('https://example.com').read('posts', { slug: 'a', filter: 'tag:news' });
`;

let project = '';

beforeAll(async () => {
  const { path, remove } = suiteFolder();
  project = path;
  const home = join(project, 'node_modules/prepress-content');
  await bundleClient(join(home, 'dist'));
  writeFileSync(join(home, 'package.json'), readFileSync(join(ROOT, 'package.json')));
  writeFileSync(join(project, 'package.json'), '{"type": "module"}');
  writeFileSync(join(project, 'program.ts'), PROGRAM);
  writeFileSync(join(project, 'wrong.ts'), WRONG);
  mkdirSync(join(project, 'out'));
  return remove;
});

const check = (file: string, module: string, resolution: string) => {
  const options = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2022', '--types', ''];
  const args = [TSC, ...options, '--module', module, '--moduleResolution', resolution, file];
  return spawnSync(process.execPath, args, { cwd: project, encoding: 'utf8' });
};

test.each([
  ['node16', 'node16'],
  ['esnext', 'bundler'],
])('module %s, moduleResolution %s', (module, resolution) => {
  expect(check('program.ts', module, resolution)).toMatchObject({ stdout: '', status: 0 });
  expect(check('wrong.ts', module, resolution).stdout).toMatch(
    /"members".*'filter' does not exist/s,
  );
});

test('Node.js finds the client by its subpath', () => {
  const program =
    "import { openContent } from 'prepress-content/client'; console.log(typeof openContent)";
  const args = ['--input-type=module', '-e', program];
  expect(execFileSync(process.execPath, args, { cwd: project, encoding: 'utf8' })).toBe(
    'function\n',
  );
});
