import { expect, test } from 'vitest';
import { resolve } from '../../../../src/content/paths/resolve.ts';
import { changesOf } from '../../../../src/publish/deploy/changes.ts';
import {
  everyAddress,
  purgeAddresses,
  purgeOf,
} from '../../../../src/publish/deploy/purge/purge.ts';
import { createPublication } from '../../../helpers/publication.ts';
import { buildInto, testConfig } from '../../../helpers/tree.ts';

const POST = { status: 'published', published_at: '2026-01-01T10:00:00.000Z' };

test('a build says what it added, changed and removed', async () => {
  const { store, insert, shell, folder } = await createPublication();
  const kept = insert('posts', { ...POST, slug: 'kept' });
  const gone = insert('posts', { ...POST, slug: 'gone' });
  const output = `${folder}/tree`;
  expect((await changesOf(await buildInto(store, output), { basePath: '' })).all).toBe(true);
  const fresh = insert('posts', { ...POST, slug: 'fresh' });
  shell.prepare("UPDATE posts SET status = 'draft' WHERE slug = 'gone'").run();
  shell.prepare("UPDATE posts SET title = 'Other' WHERE slug = 'kept'").run();
  const changes = await changesOf(await buildInto(store, output), { basePath: '/blog' });
  expect(changes.all).toBe(false);
  const isDocument = (path: string): boolean => !path.includes('/packed/');
  expect(changes.added.filter(isDocument)).toHaveLength(8);
  expect(changes.added).toContain(`blog/content/posts/${fresh}/index.json`);
  expect(changes.changed).toContain(`blog/content/posts/${kept}/tags.json`);
  expect(changes.changed).toContain('blog/content/posts/index.json');
  expect(changes.removed.filter(isDocument)).toHaveLength(8);
  const root = 'blog/content/packed/root.json';
  expect(changes.changed).toContain(root);
  const isBlobPath = (path: string): boolean => path.includes('/packed/') && !path.endsWith(root);
  // Of the blobs, caches have to forget those that are gone, and nothing else.
  const absent = changes.removed.filter(isBlobPath).map((path) => `/${path}`);
  expect(absent.length).toBeGreaterThan(0);
  const purged = changes.purge.filter((address) => /^\/blog\/content\/packed\/../.test(address));
  expect(purged.filter(isBlobPath).sort()).toEqual(absent.sort());
  expect(changes.tags).toEqual(
    expect.arrayContaining(['posts', `post:${kept}`, `post:${gone}`, `post:${fresh}`]),
  );
  expect(changes.purge).toContain('/blog/content/posts/slug/gone/?include=tags,authors');
  expect(changes.purge).toContain('/ghost/api/v4/content/posts/?include=authors%2ctags');
  expect(changes.purge).toContain('/blog/ghost/api/content/posts/?include=tags');
});

test('everything is also what the alias below the base path answers', async () => {
  const { store, folder } = await createPublication();
  const { purge } = await changesOf(await buildInto(store, `${folder}/tree`), {
    basePath: '/b.log',
  });
  expect(purge).toEqual(['/b.log/content/*', '/ghost/api/*', '/b.log/ghost/api/*']);
  expect(everyAddress('')).toEqual(['/content/*', '/ghost/api/*']);
});

test('of thousands of files caches are told to forget everything', async () => {
  const files = Array.from({ length: 5_001 }, (_, at) => `posts/slug/s-${at}/index.json`);
  expect(await purgeOf(files, { basePath: '/b' })).toEqual(everyAddress('/b'));
  const [first = ''] = files;
  const some = await purgeOf(files.slice(1), { basePath: '' });
  expect(some).toContain('/content/posts/slug/s-5000/');
  expect(await purgeOf([first], { basePath: '' })).toEqual(purgeAddresses(first, { basePath: '' }));
});

test('a file that is sent for a variant without one is forgotten under its query too', () => {
  const selection = { profile: 'literal', variants: ['index', 'authors-tags'] } as const;
  const addresses = purgeAddresses('posts/slug/a/authors-tags.json', { basePath: '', selection });
  expect(addresses).toContain('/content/posts/slug/a/?include=tags');
  expect(addresses).toContain('/content/posts/slug/a/?include=tags%2Cauthors');
  expect(addresses).not.toContain('/content/posts/slug/a/');
  const list = purgeAddresses('posts/authors-tags.json', { basePath: '', selection });
  expect(list).not.toContain('/content/posts/?include=tags');
});

test('of the packed tree caches forget the root, and blobs that are gone', async () => {
  const blob = (name: string): string => `packed/${name.repeat(2)}/${name.repeat(30)}.txt`;
  const report = {
    generation: 2,
    files: {
      written: 3,
      removed: 1,
      names: {
        written: ['packed/root.json', blob('a'), 'search-index/tags/index.json'],
        added: [blob('a')],
        removed: [blob('b')],
      },
    },
  } as unknown as Parameters<typeof changesOf>[0];
  const { added, removed, purge, tags } = await changesOf(report, { basePath: '' });
  expect([added, removed]).toEqual([[`content/${blob('a')}`], [`content/${blob('b')}`]]);
  expect(tags).toEqual(['packed', 'search-index']);
  expect(purge).toContain('/content/packed/root.json');
  expect(purge).toContain(`/content/${blob('b')}`);
  expect(purge.filter((address) => address.includes(blob('a')))).toEqual([]);
  expect(purge).toContain('/content/search-index/tags/');
  expect(purge).toContain('/ghost/api/v4/content/search-index/tags/');
});

test('where copies show one variant, they change with it, and so does every query', async () => {
  const { store, insert, shell, folder } = await createPublication();
  const id = insert('posts', { ...POST, slug: 'one' });
  const output = `${folder}/tree`;
  await buildInto(store, output);
  shell.prepare("UPDATE posts SET title = 'Other'").run();
  const shown = (): string => 'authors-tags';
  const report = await buildInto(store, output);
  const { changed, purge } = await changesOf(report, { basePath: '', shown });
  expect(changed.filter((path) => path.endsWith('.html')).sort()).toEqual([
    `content/posts/${id}/index.html`,
    'content/posts/index.html',
    'content/posts/slug/one/index.html',
    'content/search-index/posts/index.html',
  ]);
  for (const address of ['', '?include=tags', 'index.html'])
    expect(purge).toContain(`/content/posts/${address}`);
  expect(purge).toContain('/content/posts/slug/one/');
  const spared = purgeAddresses('posts/page-2-authors-tags.json', { basePath: '', shown });
  expect(spared).not.toContain('/content/posts/');
});

test.each([
  ['posts/authors-tags.json', 6],
  ['tags/public-count-posts.json', 5],
  ['authors/page-2-count-posts.json', 2],
  ['settings/index.json', 1],
  ['posts/slug/café/index.json', 1],
  ['404.json', 0],
])('every purge address of %s is one that resolves to it', (file, queries) => {
  const addresses = purgeAddresses(file, { basePath: '' });
  expect(addresses.length).toBeGreaterThanOrEqual(6 * (queries + 1));
  expect(new Set(addresses).size).toBe(addresses.length);
  for (const address of addresses) {
    const [path = '', query = ''] = address.split('?');
    if (path.endsWith('.json')) continue;
    const options = { basePath: '', storedSegment: () => undefined, isPaged: () => true };
    expect(resolve(path, query, options), address).toMatchObject({ kind: 'file', file });
  }
});

test('sidecars are told with their files, and forgotten by their own names', async () => {
  const { store, insert, shell, folder } = await createPublication();
  const id = insert('posts', { ...POST, slug: 'one' });
  const build = () =>
    buildInto(store, `${folder}/tree`, { config: testConfig({ precompress: 'gzip' }) });
  await build();
  shell.prepare("UPDATE posts SET title = 'Other'").run();
  const { changed, tags } = await changesOf(await build(), { basePath: '' });
  const sidecars = changed.filter((path) => path.endsWith('.gz'));
  expect(sidecars).toHaveLength(12 + 2);
  for (const name of ['packed/root.json.gz', 'search-index/posts/index.json.gz']) {
    expect(sidecars).toContain(`content/${name}`);
  }
  const blobs = changed.filter((path) => /packed\/..\//.test(path));
  expect([blobs, tags]).toEqual([
    [],
    ['packed', `post:${id}`, 'post:one', 'posts', 'search-index'],
  ]);
  shell.prepare("UPDATE posts SET status = 'draft'").run();
  const { removed } = await changesOf(await build(), { basePath: '' });
  expect(removed).toContain('content/posts/slug/one/tags.json.gz');
  for (const file of ['posts/index.json.gz', 'settings/index.json.br', 'posts/page-2.json.gz']) {
    const addresses = purgeAddresses(file, { basePath: '/b' });
    expect(addresses).toContain(`/b/content/${file}`);
    expect(addresses.every((address) => address.endsWith(`/content/${file}`))).toBe(true);
  }
});

test('a slug that is stored under another name is forgotten by its own as well', () => {
  const stored = `~${'0'.repeat(32)}`;
  const slugOf = (resource: string, segment: string): string | undefined =>
    resource === 'posts' && segment === stored ? 'Twin é' : undefined;
  const addresses = purgeAddresses(`posts/slug/${stored}/tags.json`, { basePath: '/b', slugOf });
  expect(addresses).toContain('/b/content/posts/slug/Twin%20%C3%A9/?include=tags');
  expect(addresses).toContain(`/ghost/api/content/posts/slug/${stored}/?include=tags`);
});
