// The `index.html` copies: which variant each shows, and that they stay what they show.
import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { Durability } from '../../../../src/base/files/durability.ts';
import type { HostSite } from '../../../../src/publish/hosts/host.ts';
import { indexCopies } from '../../../../src/publish/hosts/plain-files/copies.ts';
import {
  hasTreeCopies,
  placeTreeCopies,
  type TreeCopiesReport,
} from '../../../../src/publish/output/copies/tree-copies.ts';
import { openWrittenFiles } from '../../../../src/publish/output/copies/written-files.ts';
import { makeMtimeDistinct } from '../../../../src/publish/output/session/distinct-mtime.ts';
import { bareHostSite } from '../../../helpers/host-site.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';
import { NO_SYNC } from '../../../helpers/tree.ts';

const ID = 'a'.repeat(24);

const copiesWith = (rest: Partial<HostSite>): Map<string, string> => {
  const site = bareHostSite({
    selection: { profile: 'plain-files', variants: null },
    defaultVariants: ['authors-tags', 'count-posts'],
    segments: () => [{ id: ID, segment: 'one' }],
    ...rest,
  });
  return new Map(indexCopies(site).map(({ path, source }) => [path, source]));
};

test.each([
  [['authors-tags', 'count-posts'], 'authors-tags', 'count-posts'],
  [['tags'], 'tags', 'index'],
  [['index'], 'index', 'index'],
  [['count-posts', 'authors'], 'authors', 'count-posts'],
])('the default variants %j are %s of posts and %s of tags', (defaultVariants, posts, tags) => {
  const copies = copiesWith({ defaultVariants });
  for (const place of ['posts', `posts/${ID}`, 'posts/slug/one']) {
    expect(copies.get(`content/${place}/index.html`)).toBe(`content/${place}/${posts}.json`);
  }
  expect(copies.get('content/tags/index.html')).toBe(`content/tags/${tags}.json`);
  expect(copies.get('content/authors/slug/one/index.html')).toContain(`/${tags}.json`);
});

test('below a base path, 404.html is where the host and where the site looks for it', () => {
  const copies = copiesWith({ basePath: '/blog' });
  expect(copies.get('404.html')).toBe('blog/content/404.json');
  expect(copies.get('blog/404.html')).toBe('blog/content/404.json');
  expect(copies.get('blog/content/settings/index.html')).toBe('blog/content/settings/index.json');
});

const CONTENT = 'posts';

let root: string;
let record: string;

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(`${join(root, path)}.new`, text);
  makeMtimeDistinct(`${join(root, path)}.new`, join(root, path));
  renameSync(`${join(root, path)}.new`, join(root, path));
};
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const place = (
  sources: Readonly<Record<string, string>>,
  durability: Durability = NO_SYNC,
): Promise<TreeCopiesReport> =>
  placeTreeCopies({
    root,
    content: CONTENT,
    record,
    durability,
    copies: Object.entries(sources).map(([path, source]) => ({ path, source })),
  });

beforeEach(() => {
  const folder = join(temporaryFolder(), 'publication');
  root = join(folder, 'output');
  record = join(folder, 'copies.json');
  write('posts/a/tags.json', '1');
});

const COPY = { 'posts/a/index.html': 'posts/a/tags.json' };

test('a copy follows its source, and is left alone while that is the same', async () => {
  expect(hasTreeCopies({ root, content: CONTENT, record })).toBe(false);
  expect(await place(COPY)).toMatchObject({ written: 1, removed: 0 });
  expect(hasTreeCopies({ root, content: CONTENT, record })).toBe(true);
  const { ino, mtimeMs } = statSync(join(root, 'posts/a/index.html'));
  expect((await place(COPY)).written).toBe(0);
  expect(statSync(join(root, 'posts/a/index.html'))).toMatchObject({ ino, mtimeMs });
  write('posts/a/tags.json', '2');
  expect(read('posts/a/index.html')).toBe('1');
  expect((await place(COPY)).written).toBe(1);
  expect(read('posts/a/index.html')).toBe('2');
});

test('copies that were asked for before the first build are kept in mind until they go', async () => {
  const asked = { 'posts/b/index.html': 'posts/b/tags.json' };
  await place(asked);
  expect(hasTreeCopies({ root, content: CONTENT, record })).toBe(true);
  await place({});
  expect(hasTreeCopies({ root, content: CONTENT, record })).toBe(false);
});

test('a copy is sent as HTML, and begins no markup', async () => {
  const title = '</script><script>alert(1)</script>&lt;\u2028\u2029';
  write('posts/a/tags.json', JSON.stringify({ title }));
  await place(COPY);
  const copy = read('posts/a/index.html');
  expect(copy).not.toMatch(/[<>&\u2028\u2029]/);
  expect(JSON.parse(copy)).toEqual({ title });
});

test('a copy goes when its source is gone, or when it is no longer asked for', async () => {
  write('posts/b/tags.json', '1');
  await place({ ...COPY, 'posts/b/index.html': 'posts/b/tags.json' });
  rmSync(join(root, 'posts/a/tags.json'));
  expect((await place({ ...COPY, 'posts/b/index.html': 'posts/b/tags.json' })).removed).toBe(1);
  expect(existsSync(join(root, 'posts/a'))).toBe(false);
  expect((await place({})).removed).toBe(1);
  expect([existsSync(join(root, 'posts/b/index.html')), read('posts/b/tags.json')]).toEqual([
    false,
    '1',
  ]);
});

test("somebody else's file outside of the content folder stays, and is reported", async () => {
  const copies = { '404.html': 'posts/a/tags.json' };
  write('404.html', 'mine');
  expect(await place(copies)).toEqual({ written: 0, removed: 0, blocked: ['404.html'] });
  await place({});
  expect(read('404.html')).toBe('mine');
});

test("a page's name is left to the page, also where a copy had it", async () => {
  const copies = { ...COPY, '404.html': 'posts/a/tags.json' };
  await place(copies);
  write('404.html', 'page');
  const pages = openWrittenFiles(join(dirname(record), 'pages.json'), realpathSync(root));
  pages.save(1, ['404.html']);
  for (const asked of [copies, {}]) {
    expect((await place(asked)).blocked).toEqual([]);
    expect(read('404.html')).toBe('page');
  }
});

test('with a record that was lost, copies in the tree follow their sources, and equal ones elsewhere', async () => {
  const copies = { ...COPY, '404.html': 'posts/a/tags.json' };
  await place(copies);
  rmSync(record);
  expect(await place(copies)).toEqual({ written: 0, removed: 0, blocked: [] });
  rmSync(record);
  write('posts/a/tags.json', '2');
  expect(await place(COPY)).toEqual({ written: 1, removed: 0, blocked: [] });
  expect(read('posts/a/index.html')).toBe('2');
});

test.each(['lost', 'of absolute paths', 'moved along'])(
  'with a record that is %s, copies go with what was taken back, and nothing else does',
  async (state) => {
    const folders = [
      'posts',
      'pages',
      'tags',
      'authors',
      'settings',
      `posts/${ID}`,
      'posts/slug/b',
    ];
    const copies = folders.map((folder) => ({
      path: `content/${folder}/index.html`,
      source: `content/${folder}/index.json`,
    }));
    for (const { source } of copies) write(source, 'foghorn');
    const input = () => ({ root, content: 'content', record, durability: NO_SYNC });
    await placeTreeCopies({ ...input(), copies });
    if (state === 'lost') rmSync(record);
    if (state === 'of absolute paths') {
      const text = readFileSync(record, 'utf8');
      expect(text).toContain('{"output":');
      writeFileSync(record, text.replace('"output"', JSON.stringify(root)));
    }
    if (state === 'moved along') {
      renameSync(dirname(root), `${dirname(root)}-moved`);
      record = join(`${dirname(root)}-moved`, 'copies.json');
      root = join(`${dirname(root)}-moved`, 'output');
    }
    const foreign = ['posts/slug/mine.html', 'images/index.html', 'posts/notes/index.html'];
    for (const path of foreign) write(`content/${path}`, 'mine');
    expect(hasTreeCopies(input())).toBe(true);
    write('content/posts/index.json', 'without it');
    for (const { source } of copies.slice(-2)) rmSync(join(root, source));
    expect(await placeTreeCopies({ ...input(), copies })).toEqual({
      written: 1,
      removed: 2,
      blocked: [],
    });
    expect(read('content/posts/index.html')).toBe('without it');
    const gone = copies.slice(-2).map(({ path }) => existsSync(join(root, path)));
    expect(gone).toEqual([false, false]);
    for (const path of foreign) expect(read(`content/${path}`)).toBe('mine');
    await placeTreeCopies({ ...input(), copies: [] });
    expect(hasTreeCopies(input())).toBe(false);
  },
);

test('one index.html that someone put into a list is no sign of copies', () => {
  write('content/posts/index.html', 'mine');
  expect(hasTreeCopies({ root, content: 'content', record })).toBe(false);
});

test('what a killed run left half made goes with the next, and lies where no server looks', async () => {
  const left = ['.prepress-hosts/1', 'posts/.prepress-hosts/1'];
  for (const path of left) write(path, 'taken back');
  await place({});
  expect(left.filter((path) => existsSync(join(root, path)))).toEqual([]);
  write('posts/a/index.html/is-a-folder', '');
  write('404.html/is-a-folder', '');
  const staged = (path: string): RegExp => new RegExp(`directory at rename of .*/output/${path}1 `);
  await expect(place(COPY)).rejects.toThrow(staged('posts/.prepress-hosts/'));
  const outside = place({ '404.html': 'posts/a/tags.json' });
  await expect(outside).rejects.toThrow(staged('.prepress-hosts/'));
  expect(left.filter((path) => existsSync(dirname(join(root, path))))).toEqual([]);
});

test('a copy that was removed is durably gone before its name is forgotten', async () => {
  await place(COPY);
  rmSync(join(root, 'posts/a/tags.json'));
  const steps: unknown[] = [];
  const known = (): string[] => [...openWrittenFiles(record, realpathSync(root)).paths];
  await place(COPY, {
    ...NO_SYNC,
    syncPaths: async (_, paths) => {
      steps.push([...paths], known());
    },
  });
  expect(steps).toEqual([[join(root, 'posts')], Object.keys(COPY)]);
  expect(known()).toEqual([]);
});
