// `npx eleventy` in a folder laid out like a fresh clone: the whole content tree and the pages, nothing
// touched the second time, no key anywhere; and the same pages when a program runs Eleventy itself.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { listBelow } from '../../src/base/files/list-below.ts';
import { resolve } from '../../src/content/paths/resolve.ts';
import { findSealedSources } from '../../src/pages/eleventy/page-seal.ts';
import { createPageThread } from '../../src/pages/eleventy/page-thread.ts';
import { renderPages } from '../../src/pages/eleventy/render-pages.ts';
import { importSample } from '../../src/publication/import/sample/sample.ts';
import { openStore } from '../../src/publication/store/open-store.ts';
import { findShownKey } from '../../src/serve/admin/keys/keys.ts';
import { openWorkspace } from '../../src/serve/workspace/workspace.ts';
import { eventually } from '../helpers/eventually.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { buildInto, parseFile, readStatKeys, readTree, testConfig } from '../helpers/tree.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const CLONED = ['.eleventy.js', 'package.json', 'content'];
const LINKED = ['dist', 'node_modules'];

type Finished = { readonly code: number | null; readonly said: string };

/** As a user whose files are closed to all others. */
const runEleventy = async (
  folder: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Finished> => {
  const command = 'umask 077; exec "$0" node_modules/@11ty/eleventy/cmd.cjs';
  const child = spawn('/bin/sh', ['-c', command, process.execPath], {
    cwd: folder,
    env: { PATH: process.env.PATH, PREPRESS_SITE_URL: 'https://site.test', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { code, said: out + err };
};

/** Lays the folder out like a fresh clone after `npm ci`. */
const layOut = (folder: string): void => {
  for (const name of CLONED) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  for (const name of LINKED) symlinkSync(join(ROOT, name), join(folder, name));
};

const configOf = (folder: string, flags: Record<string, unknown> = {}) =>
  testConfig({
    database: join(folder, 'data/publication.db'),
    output: join(folder, 'output'),
    ...flags,
  });

/** Makes the sample publication with its keys; returns the keys. */
const createSample = async (folder: string): Promise<string[]> => {
  const workspace = await openWorkspace(configOf(folder), { create: true });
  try {
    await importSample(workspace.store, 'https://site.test');
    const keys = (['content', 'admin', 'hook'] as const).map((type) =>
      findShownKey(workspace.useCases, type),
    );
    return (await Promise.all(keys)).filter((key) => key !== null);
  } finally {
    await workspace.close();
  }
};

const pageOf = (folder: string): string => readFileSync(join(folder, 'output/index.html'), 'utf8');

const countPosts = (folder: string): unknown =>
  (parseFile(join(folder, 'output/content'), 'manifest.json').counts as Record<string, unknown>)
    .posts;

const hrefsIn = (html: string): string[] =>
  [...html.matchAll(/\shref="(\/[^"]*)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));

describe('eleventy alone', () => {
  let folder = '';
  let keys: string[] = [];

  beforeAll(async () => {
    const suite = suiteFolder();
    folder = suite.path;
    layOut(folder);
    const missing = await runEleventy(folder);
    expect(missing.code).toBe(1);
    expect(missing.said).toContain('Run "npx prepress init" first.');
    expect(missing.said).not.toContain('at async');
    expect(existsSync(join(folder, 'output'))).toBe(false);
    keys = await createSample(folder);
    expect(keys).toHaveLength(3);
    const built = await runEleventy(folder);
    expect(built).toMatchObject({ code: 0, said: expect.stringContaining('Content generation 1') });
    return suite.remove;
  });

  it('writes the tree that a build writes', async () => {
    const store = await openStore(join(folder, 'data/publication.db'));
    const reference = temporaryFolder();
    await buildInto(store, reference);
    await store.close();
    const tree = readTree(join(folder, 'output/content'));
    expect(tree.size).toBeGreaterThan(100);
    expect(tree).toEqual(readTree(join(reference, 'content')));
  });

  it('writes a page with a link to every endpoint, all of which answer', () => {
    const html = pageOf(folder);
    expect(html).toContain('Neap &amp; Spring');
    expect(html).not.toMatch(/<script|src="http|url\(/);
    const files = hrefsIn(html).map((href) => {
      const [path = '', query = ''] = href.split('?');
      const found = resolve(path, query, { basePath: '', storedSegment: () => undefined });
      return found?.kind === 'file' ? found.file : href;
    });
    expect(new Set(files).size).toBeGreaterThan(39);
    const absent = files.filter((file) => !existsSync(join(folder, 'output/content', file)));
    expect(absent).toEqual([]);
  });

  it('writes what other users, such as that of a web server, may read', () => {
    const closed = listBelow(join(folder, 'output')).filter(({ name, parentPath }) => {
      const open = 0o004;
      return (statSync(join(parentPath, name)).mode & open) === 0;
    });
    expect(closed.map(({ name }) => name)).toEqual([]);
  });

  it('writes no key', () => {
    const everything = [...readTree(join(folder, 'output'))].flat().join('\n');
    for (const key of keys.flatMap((key) => key.split(':'))) expect(everything).not.toContain(key);
  });

  it('touches nothing the second time, and says nothing of it', async () => {
    const before = readStatKeys(join(folder, 'output'));
    const { code, said } = await runEleventy(folder);
    expect(code).toBe(0);
    expect(said).not.toContain('[prepress]');
    expect(readStatKeys(join(folder, 'output'))).toEqual(before);
  });

  it('refuses a page at an address of the interface', async () => {
    const template = join(folder, 'content/admin.njk');
    writeFileSync(template, '---\npermalink: admin/index.html\n---\nx');
    const { code, said } = await runEleventy(folder);
    rmSync(template);
    expect(code).toBe(1);
    expect(said).toContain('admin/index.html would be at an address of the interface');
    expect(existsSync(join(folder, 'output/admin'))).toBe(false);
  });

  it('adds pages and copied files, and removes them when they are gone', async () => {
    const names = ['content/über uns.md', 'content/style.css', 'content/newest.liquid'];
    const added = names.map((name) => join(folder, name));
    const [page = '', style = '', liquid = ''] = added;
    writeFileSync(
      liquid,
      '{% for post in publication.newest limit: 1 %}{{ post.title }} by {{ post.primary_author.name }}{% endfor %}',
    );
    writeFileSync(page, '{{ publication.posts.length }} posts of {{ publication.settings.title }}');
    writeFileSync(style, 'body {}');
    writeFileSync(join(folder, 'output/robots.txt'), 'mine');
    const config = readFileSync(join(folder, '.eleventy.js'), 'utf8');
    const copies = "eleventyConfig.addPassthroughCopy({ 'content/style.css': 'the style.css' });";
    const opening = /(export default function.*)/;
    writeFileSync(join(folder, '.eleventy.js'), config.replace(opening, `$1\n${copies}`));
    const before = readTree(join(folder, 'output'));
    expect((await runEleventy(folder)).code).toBe(0);
    const after = readTree(join(folder, 'output'));
    expect([...after.keys()].filter((name) => !before.has(name))).toEqual([
      'newest/index.html',
      'the style.css',
      'über uns/index.html',
    ]);
    expect(after.get('über uns/index.html')).toContain(
      `${countPosts(folder)} posts of Neap &amp; Spring`,
    );
    const { posts } = parseFile(join(folder, 'output/content'), 'posts/authors.json');
    const [newest] = posts as { title: string; primary_author: { name: string } }[];
    expect(after.get('newest/index.html')).toBe(
      `${newest?.title} by ${newest?.primary_author.name}`,
    );

    for (const file of added) rmSync(file);
    writeFileSync(join(folder, '.eleventy.js'), config);
    expect((await runEleventy(folder)).code).toBe(0);
    expect(readTree(join(folder, 'output'))).toEqual(before);
  });

  it('places everything below the base path', async () => {
    expect((await runEleventy(folder, { PREPRESS_BASE_PATH: '/blog' })).code).toBe(0);
    const html = readFileSync(join(folder, 'output/blog/index.html'), 'utf8');
    expect(hrefsIn(html).every((href) => href.startsWith('/blog/content/'))).toBe(true);
    expect(existsSync(join(folder, 'output/blog/content/posts/index.json'))).toBe(true);
    expect(existsSync(join(folder, 'output/index.html'))).toBe(true);
  });
});

describe('a program that runs Eleventy itself', () => {
  const started = process.cwd();
  afterEach(() => process.chdir(started));

  /** A publication that was built, without a project. */
  let template = '';
  beforeAll(async () => {
    const suite = suiteFolder();
    template = suite.path;
    await createSample(template);
    const store = await openStore(join(template, 'data/publication.db'));
    await buildInto(store, join(template, 'output'));
    await store.close();
    rmSync(join(template, 'output/build.db'));
    return suite.remove;
  });

  const enterCopy = (isProject = true): string => {
    const folder = temporaryFolder();
    cpSync(template, folder, { recursive: true });
    if (isProject) layOut(folder);
    process.chdir(folder);
    return folder;
  };

  /** What was changed before is older than what is done next. */
  const untilLater = async (): Promise<void> => {
    const now = Date.now();
    await eventually(() => expect(Date.now(), 'a later time').toBeGreaterThan(now), 1);
  };

  it('renders the templates that come with Prepress where there are none', async () => {
    const folder = enterCopy(false);
    const config = configOf(folder, { site: true });
    const { written, ...report } = await renderPages(config);
    expect(report).toMatchObject({ isRendered: true, blocked: [] });
    expect(written).toContain('content/index.html');
    expect(pageOf(folder)).toContain('Neap &amp; Spring');
    expect(await renderPages(config)).toMatchObject({ written: [], removed: [] });
    expect(process.cwd()).toBe(folder);
    expect(process.exitCode).toBeUndefined();

    const off = configOf(folder, { site: false });
    expect(await renderPages(off)).toMatchObject({ isRendered: false, written: [] });
    expect(existsSync(join(folder, 'output/index.html'))).toBe(false);
    expect(existsSync(join(folder, 'output/content/posts/index.json'))).toBe(true);
    expect(await createPageThread(off, { workerFile: '/dev/null' }).render()).toBeNull();
  });

  it('renders the templates of the project, as they are now, and builds no content', async () => {
    const folder = enterCopy();
    const before = readStatKeys(join(folder, 'output/content'));
    await renderPages(configOf(folder));
    writeFileSync(
      join(folder, 'content/index.njk'),
      '---\npermalink: home.html\n---\nOnly {{ publication.counts.posts }}.',
    );
    const report = await renderPages(configOf(folder));
    expect(report).toMatchObject({ written: ['home.html'], removed: ['index.html'] });
    expect(readFileSync(join(folder, 'output/home.html'), 'utf8')).toBe(
      `Only ${countPosts(folder)}.`,
    );
    expect(readStatKeys(join(folder, 'output/content'))).toEqual(before);
  });

  it('renders the pages of a site again where other pages stood in the meantime', async () => {
    const folder = enterCopy();
    await renderPages(configOf(folder, { site: true }));
    const home = pageOf(folder);
    await renderPages(configOf(folder, { site: false }));
    expect(pageOf(folder)).not.toBe(home);
    await renderPages(configOf(folder, { site: true }));
    expect(pageOf(folder)).toBe(home);
  });

  it('renders nothing while content, templates and pages are as they were', async () => {
    const folder = enterCopy();
    const config = configOf(folder);
    const page = join(folder, 'output/index.html');
    const template = join(folder, 'content/index.njk');
    const text = readFileSync(template, 'utf8');
    await untilLater();
    expect(findSealedSources(config)).toBeNull();
    await renderPages(config);
    expect(findSealedSources(config)).not.toBeNull();
    expect(findSealedSources({ ...config, siteUrl: 'https://other.example' })).toBeNull();
    const meddlings = [
      () => writeFileSync(template, `${text}\n<!-- more -->`),
      () => writeFileSync(page, 'mine'),
      () => rmSync(page),
      () => writeFileSync(join(folder, 'content/second.njk'), 'second'),
      () => rmSync(join(folder, 'content/second.njk')),
      () => writeFileSync(join(folder, '.eleventy.js'), `${readFileSync('.eleventy.js')}\n`),
    ];
    for (const meddle of meddlings) {
      meddle();
      await untilLater();
      expect(findSealedSources(config)).toBeNull();
      await renderPages(config);
      expect(existsSync(page)).toBe(true);
      expect(findSealedSources(config)).not.toBeNull();
    }
    const before = readStatKeys(join(folder, 'output'));
    expect(await renderPages(config)).toMatchObject({ isRendered: true, written: [], removed: [] });
    await renderPages(config, { isForced: true });
    expect(readStatKeys(join(folder, 'output'))).toEqual(before);
  });

  it('leaves a project alone that does not use the plugin', async () => {
    const folder = enterCopy(false);
    writeFileSync(join(folder, '.eleventy.js'), 'module.exports = () => ({});');
    expect(await renderPages(configOf(folder))).toMatchObject({ isRendered: false, written: [] });
    expect(existsSync(join(folder, '_site'))).toBe(false);
  });
});
