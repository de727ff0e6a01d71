import { describe, expect, test } from 'vitest';
import { resolve } from '../../../../src/content/paths/resolve.ts';

const options = { basePath: '', storedSegment: () => undefined };
const ID = '6b00f67a8df29a0456bf5f70';

const fileOf = (address: string, basePath = ''): string | null => {
  const [path = '', query = ''] = address.split('?');
  const found = resolve(path, query, { ...options, basePath });
  if (found === null) return null;
  return found.kind === 'file' ? found.file : `-> ${found.path}`;
};

describe('addresses of the endpoint table', () => {
  test.each([
    ['/content/posts/', 'posts/index.json'],
    ['/content/search-index/posts/?key=1', 'search-index/posts/index.json'],
    ['/content/search-index/authors', '-> /content/search-index/authors/'],
    ['/content/search-index/pages/', null],
    ['/content/search-index/', null],
    ['/content/search-index/posts/slug/', null],
    ['/content/packed/root.json', 'packed/root.json'],
    [`/content/packed/0f/${'a'.repeat(30)}.txt?key=1`, `packed/0f/${'a'.repeat(30)}.txt`],
    [`/ghost/api/v4/content/packed/0f/${'a'.repeat(30)}.bin`, `packed/0f/${'a'.repeat(30)}.bin`],
    [`/content/packed/0f/${'a'.repeat(30)}.txt/`, null],
    [`/content/packed/0F/${'a'.repeat(30)}.txt`, null],
    [`/content/packed/0f/${'a'.repeat(31)}.txt`, null],
    ['/content/packed/', null],
    ['/content/posts/?include=authors', 'posts/authors.json'],
    ['/content/posts/?include=tags,authors', 'posts/authors-tags.json'],
    ['/content/posts/?include=authors%2Ctags', 'posts/authors-tags.json'],
    ['/content/posts/?include=authors%2ctags&key=1', 'posts/authors-tags.json'],
    ['/content/posts/?key=1&include=tags&include=authors', 'posts/authors-tags.json'],
    ['/content/posts/?include=AUTHORS,%20tags%20', 'posts/authors-tags.json'],
    ['/content/posts/?%69nclude=%74ags', 'posts/tags.json'],
    ['/content/posts/?include=', 'posts/index.json'],
    ['/content/posts/?include', 'posts/index.json'],
    ['/content/posts/?include=tiers,count.posts,xtags', 'posts/index.json'],
    ['/content/posts/?xinclude=tags&filter=tag:a', 'posts/index.json'],
    ['/content/posts/?include=tags&', 'posts/tags.json'],
    ['/content/posts/?include=%E0%A4%A', 'posts/index.json'],
    [`/content/pages/${ID}/?include=tags`, `pages/${ID}/tags.json`],
    ['/content/tags/?filter=visibility%3Apublic', 'tags/public.json'],
    [
      '/content/tags/?include=count%2Eposts&filter=visibility:public',
      'tags/public-count-posts.json',
    ],
    ['/content/tags/?filter=visibility:internal', 'tags/index.json'],
    [`/content/tags/${ID}/?filter=visibility:public`, `tags/${ID}/index.json`],
    ['/content/authors/slug/zoe/?include=count.posts', 'authors/slug/zoe/count-posts.json'],
    ['/content/posts/slug/caf%C3%A9/', 'posts/slug/café/index.json'],
    ['/content/posts/slug/cafe%CC%81/', 'posts/slug/café/index.json'],
    ['/content/settings/?include=tags', 'settings/index.json'],
    ['/ghost/api/content/posts/?include=tags', 'posts/tags.json'],
    ['/ghost/api/v4/content/settings/', 'settings/index.json'],
    ['/ghost/api/canary/content/posts/', 'posts/index.json'],
    ['/content/posts', '-> /content/posts/'],
    ['/ghost/api/content/posts/slug/a', '-> /ghost/api/content/posts/slug/a/'],
  ])('%s', (address, expected) => {
    expect(fileOf(address)).toBe(expected);
  });
});

describe('everything else', () => {
  test.each([
    '/',
    '/content/',
    '/content',
    '/contents/posts/',
    '/content/images/a.png',
    '/content/posts/index.json',
    '/content/posts/slug/',
    '/content/posts/slug/a/b/',
    '/content/posts/not-an-id/',
    `/content/posts/${ID.toUpperCase()}/`,
    '/content/posts//',
    '/content//posts/',
    '/content/toString/',
    '/content/__proto__/',
    '/content/posts/slug/%2e%2e/',
    '/content/posts/slug/..%2f..%2fetc/',
    '/content/posts/slug/a%00b/',
    '/content/posts/slug/%zz/',
    '/content/posts/slug/.hidden/',
    '/ghost/api/v5/content/posts/',
    '/ghost/content/posts/',
  ])('%s is not answered', (address) => {
    expect(fileOf(address)).toBeNull();
  });
});

test('a base path moves the interface, and the alias stays', () => {
  expect(fileOf('/blog/content/posts/', '/blog')).toBe('posts/index.json');
  expect(fileOf('/content/posts/', '/blog')).toBeNull();
  expect(fileOf('/ghost/api/content/posts/', '/blog')).toBe('posts/index.json');
});

test('a slug that does not stand as it is goes through the stored segments', () => {
  const storedSegment = (_: string, slug: string) => (slug === 'con' ? '~0' : undefined);
  const found = resolve('/content/tags/slug/con/', '', { basePath: '', storedSegment });
  expect(found).toEqual({ kind: 'file', file: 'tags/slug/~0/index.json', list: null });
});
