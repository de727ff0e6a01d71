// What site.changed names, and that data/changes.json names it in the same words.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import {
  ALL_CHANGED,
  type ChangedNames,
  nameFew,
} from '../../../../src/content/paths/changed-names.ts';
import { writeBuildChanges } from '../../../../src/publish/after-build/write-after-build.ts';
import { publishOnce } from '../../../../src/publish/cycle/publish-once.ts';
import { payloadsOf } from '../../../helpers/outbox.ts';
import { createPublishingSite } from '../../../helpers/publishing-site.ts';

type Told = ChangedNames & { readonly event?: string; readonly generation: number };

const openSite = async () => {
  const site = await createPublishingSite(['site.changed'], { basePath: '/blog' });
  const file = join(dirname(site.deps.paths.manifest), 'changes.json');
  return {
    ...site,
    /** What the webhook says, and what the file says. */
    publish: async (isTold = true): Promise<Told[]> => {
      await publishOnce(site.deps, {
        onBuilt: (report) => (isTold ? writeBuildChanges(site.deps, report) : Promise.resolve()),
      });
      const told: Told = JSON.parse(payloadsOf(site, 'site.changed').at(-1) ?? 'null');
      return [told, JSON.parse(isTold ? readFileSync(file, 'utf8') : 'null')];
    },
  };
};

test('site.changed names addresses and tags of what changed, as data/changes.json does', async () => {
  const site = await openSite();
  const { insert, shell } = site;
  const [first] = await site.publish();
  expect(first).toEqual({ event: 'site.changed', generation: 1, ...ALL_CHANGED });
  const author = insert('users', { name: 'A', slug: 'ann' });
  const post = insert('posts', { status: 'published', published_at: '2026-01-01', slug: 'a' });
  const tag = insert('tags', { name: 'É', slug: 'é' });
  insert('posts_tags', { post_id: post, tag_id: tag });
  insert('posts_authors', { post_id: post, author_id: author });
  const [told, file] = await site.publish();
  expect(told).toEqual({
    event: 'site.changed',
    generation: 2,
    all: false,
    addresses: file?.addresses,
    tags: file?.tags,
  });
  expect(told?.tags).toEqual([
    `author:${author}`,
    'author:ann',
    'authors',
    'packed',
    `post:${post}`,
    'post:a',
    'posts',
    'search-index',
    'tag:%C3%A9',
    `tag:${tag}`,
    'tags',
  ]);
  expect(told?.addresses).toEqual(
    expect.arrayContaining([
      '/blog/content/posts/',
      `/blog/content/posts/${post}/`,
      '/blog/content/posts/slug/a/',
      '/blog/content/tags/slug/%C3%A9/',
      '/blog/content/authors/slug/ann/',
      '/blog/content/packed/root.json',
    ]),
  );
  const strange = told?.addresses.filter(
    (one) => !/^\/blog\/content\/(.*\/)?(root\.json)?$/.test(one),
  );
  expect(strange).toEqual([]);
  shell.prepare("UPDATE posts SET status = 'draft', type = 'page'").run();
  const [gone] = await site.publish();
  expect(gone?.tags).toContain(`post:${post}`);
  expect(gone?.addresses).toContain('/blog/content/posts/slug/a/');
});

test('a tag that is stored under another name is known by its slug, also once it is gone', async () => {
  const site = await openSite();
  const tag = site.insert('tags', { name: 'T', slug: 'a/b?' });
  const post = site.insert('posts', { status: 'published', published_at: '2026-01-01' });
  await site.publish();
  site.insert('posts_tags', { post_id: post, tag_id: tag });
  expect((await site.publish(false))[0]?.tags).toContain('tag:a%2Fb%3F');
  site.shell.prepare('DELETE FROM tags').run();
  expect((await site.publish(false))[0]?.tags).toContain('tag:a%2Fb%3F');
});

test('what another build changed before it was announced is all', async () => {
  const site = await openSite();
  site.insert('posts', { status: 'published', published_at: '2026-01-01' });
  await site.publish();
  site.insert('posts', { status: 'published', published_at: '2026-01-01' });
  const die = () => Promise.reject(new Error('ended'));
  await expect(publishOnce(site.deps, { onBuilt: die })).rejects.toThrow('ended');
  const told = (generation: number) => ({ event: 'site.changed', generation, ...ALL_CHANGED });
  expect((await site.publish(false))[0]).toEqual(told(2));
  for (const isTold of [false, true]) {
    site.insert('posts', { status: 'published', published_at: '2026-01-01' });
    if (isTold) expect((await site.publish(false))[0]).toEqual(told(4));
    else await expect(publishOnce(site.deps, { onBuilt: die })).rejects.toThrow('ended');
  }
});

test('more than a thousand names, or long ones, are all', () => {
  const files = (count: number, slug = 's'): string[] =>
    Array.from({ length: count }, (_, at) => `posts/slug/${slug}-${at}/index.json`);
  const options = { basePath: '' };
  expect(nameFew(files(500), options).addresses).toHaveLength(500);
  expect(nameFew(files(501), options)).toEqual(ALL_CHANGED);
  expect(nameFew([...files(499), ...files(499)], options).addresses).toHaveLength(499);
  expect(nameFew(files(300, 's'.repeat(180)), options)).toEqual(ALL_CHANGED);
  expect(nameFew(['404.json'], options)).toEqual(ALL_CHANGED);
});
