// Names of declared queries, and of their files.
import { expect, test } from 'vitest';
import {
  type DeclaredQuery,
  declaredFile,
  declaredName,
  findDeclaredFile,
  isPatternSlug,
  UNKNOWN_SEGMENT,
} from '../../../src/paths/declared-queries.ts';

const nameOf = (...parameters: DeclaredQuery['parameters']): string => declaredName({ parameters });

test.each<[string, DeclaredQuery['parameters']]>([
  ['limit-15', [['limit', '15']]],
  ['filter-tag-slug', [['filter', 'tag:{slug}']]],
  [
    'filter-tag-slug-include-authors-tags-limit-15',
    [
      ['filter', 'tag:{slug}'],
      ['include', 'authors,tags'],
      ['limit', '15'],
    ],
  ],
  [
    'include-count-posts-order-count-posts-desc',
    [
      ['include', 'count.posts'],
      ['order', 'count.posts desc'],
    ],
  ],
  ['fields-published_at-title', [['fields', 'published_at,title']]],
])('%s is readable', (name, parameters) => {
  expect(nameOf(...parameters)).toBe(name);
});

test.each<[string, DeclaredQuery['parameters'], DeclaredQuery['parameters']]>([
  ['a pattern and a slug', [['filter', 'tag:{slug}']], [['filter', 'tag:slug']]],
  ['capitals', [['filter', "title:~'x'"]], [['filter', "title:~'X'"]]],
  ['signs', [['filter', 'featured:true+tag:a']], [['filter', 'featured:true,tag:a']]],
  ['fields and parameters', [['fields', 'limit,title']], [['fields', 'title']]],
  [
    'long filters',
    [['filter', `tag:[${'a,'.repeat(100)}a]`]],
    [['filter', `tag:[${'a,'.repeat(101)}a]`]],
  ],
])('%s have other names', (_what, one, other) => {
  expect(nameOf(...one)).not.toBe(nameOf(...other));
  for (const name of [nameOf(...one), nameOf(...other)]) {
    expect(name).toMatch(/^[a-z0-9_-]{1,80}$/);
  }
});

test('a file tells its query, page and slug', () => {
  const query = { resource: 'posts', name: 'filter-tag-slug' } as const;
  const places = [
    ['posts/q/filter-tag-slug/index.json', { page: 1, segment: null }],
    ['posts/q/filter-tag-slug/page-2.json', { page: 2, segment: null }],
    ['posts/q/filter-tag-slug/news/page-12.json', { page: 12, segment: 'news' }],
    ['posts/q/filter-tag-slug/~/index.json', { page: 1, segment: UNKNOWN_SEGMENT }],
    ['posts/q/filter-tag-slug/index.json/index.json', { page: 1, segment: 'index.json' }],
  ] as const;
  for (const [file, place] of places) {
    expect(declaredFile(query, place)).toBe(file);
    expect(findDeclaredFile(file)).toEqual({ ...query, ...place });
  }
});

test.each([
  'posts/index.json',
  'posts/slug/q/index.json',
  'posts/q/x/../index.json',
  'posts/q/x/a/b/index.json',
  'posts/q/x/tags.json',
  'posts/q/x/page-0.json',
  'packed/root.json',
])('%s is no file of a declared query', (file) => {
  expect(findDeclaredFile(file)).toBeNull();
});

test.each([
  ['news', true],
  ['2020', true],
  ['übung', true],
  ['a.b', true],
  ['', false],
  ['null', false],
  ['nullable', true],
  ['now-7d', false],
  ['now-7days', true],
  ['-a', false],
  ['a+b', false],
  ["it's", false],
  ['a b', false],
  ['c#', false],
  ['r&b', false],
  ['a{1}', false],
])('%j stands for {slug}: %s', (slug, isWord) => {
  expect(isPatternSlug(slug)).toBe(isWord);
});
