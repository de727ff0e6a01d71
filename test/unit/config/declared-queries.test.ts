// The setting `queries`: what is declared, and which sentence refuses what.
import { expect, test } from 'vitest';
import { declaredQueriesOf } from '../../../src/config/declared-queries.ts';
import { loadConfig } from '../../../src/config/load.ts';

const load = (queries: unknown, max = 100) =>
  loadConfig({ environment: {}, flags: { queries, 'lists.max': max } });

const declare = (...queries: unknown[]) => declaredQueriesOf(load(queries));

test('a query is declared in normal form', () => {
  const { queries } = declare({
    resource: 'posts',
    filter: " tag: '{slug}' + featured:true",
    include: ['tags', 'authors'],
    fields: 'title, slug',
    formats: 'html',
    order: 'Title DESC',
    limit: 15,
    pages: 'all',
  });
  expect(queries).toEqual([
    {
      resource: 'posts',
      parameters: [
        ['fields', 'slug,title'],
        ['filter', 'tag:{slug}+featured:true'],
        ['formats', 'html'],
        ['include', 'authors,tags'],
        ['limit', '15'],
        ['order', 'title desc'],
      ],
      pattern: 'tag',
      pages: 'all',
      name: expect.stringMatching(
        /^fields-slug-title-filter-tag-slug-featured-true-.*-[0-9a-f]{8}$/,
      ),
    },
  ]);
});

test('equal queries are one, with the more pages', () => {
  const { queries } = declare(
    { resource: 'posts', include: 'tags,authors', limit: '5', pages: 2 },
    { resource: 'posts', include: ['authors', 'tags'], limit: 5, formats: 'html', pages: 3 },
    { resource: 'pages', limit: 5 },
  );
  expect(queries.map(({ resource, name, pages }) => [resource, name, pages])).toEqual([
    ['pages', 'limit-5', 1],
    ['posts', 'include-authors-tags-limit-5', 3],
  ]);
});

test.each([
  { resource: 'posts' },
  { resource: 'posts', limit: 'all' },
  { resource: 'posts', limit: 100, include: 'tags' },
  { resource: 'posts', limit: 5000, order: 'published_at desc' },
  { resource: 'tags', filter: 'visibility:public', include: 'count.posts' },
])('%j needs no files', (query) => {
  const { queries, needless } = declare(query);
  expect(queries).toEqual([]);
  expect(needless).toHaveLength(1);
});

test('what a limit means depends on lists.max', () => {
  const query = { resource: 'posts', limit: 100 };
  expect(declaredQueriesOf(load([query], 1_000)).queries).toHaveLength(1);
  expect(declaredQueriesOf(load([query], 50)).queries).toHaveLength(0);
});

test('the environment has it as JSON', () => {
  const config = loadConfig({
    environment: { PREPRESS_QUERIES: '[{"resource":"tags","limit":5}]' },
  });
  expect(declaredQueriesOf(config).queries.map(({ name }) => name)).toEqual(['limit-5']);
});

test.each([
  ['tags', 'must be a list of queries'],
  [['posts'], 'query 1, "posts", cannot be declared: it must be an object'],
  [[{ resource: 'members' }], 'resource must be posts, pages, tags or authors'],
  [[{ resource: 'posts', page: 2 }], '"page" is not a part of a query; its parts are resource, '],
  [
    [
      { resource: 'posts', limit: 'five' },
      { resource: 'posts', limit: '5x' },
    ],
    'query 2, ',
  ],
  [[{ resource: 'posts', limit: '5x' }], 'limit must be a number or "all"'],
  [[{ resource: 'posts', pages: 0 }], 'pages must be "all" or a whole number'],
  [[{ resource: 'posts', formats: 'pdf' }], 'formats can be html and plaintext'],
  [[{ resource: 'posts', filter: 'tag' }], 'filter is not written in the filter language'],
  [[{ resource: 'posts', filter: 'password:x' }], '"password" is no field of filters'],
  [[{ resource: 'posts', filter: 'published_at:>now-7d' }], 'its answer changes with the time'],
  [[{ resource: 'posts', filter: 'tag:{slug},tag:a' }], '{slug} can stand once'],
  [[{ resource: 'tags', filter: 'slug:{slug}' }], '{slug} can stand once'],
])('%j is refused', (queries, sentence) => {
  expect(() => load(queries)).toThrow(
    expect.objectContaining({
      code: 'CONFIG_INVALID',
      property: 'queries',
      message: expect.stringContaining(sentence),
    }),
  );
});

test.each([
  ['refuse', 'refuse'],
  ['ignore', 'ignore'],
  ['https://content.example.com/', 'https://content.example.com'],
])('undeclared may be %s', (undeclared, read) => {
  expect(loadConfig({ environment: {}, flags: { undeclared } }).undeclared).toBe(read);
});

test.each([
  ['pass', 'must be refuse, ignore, or the address of a companion server'],
  ['https://content.example.com/a;b', 'must have only letters, digits'],
  ['https://content.example.com/$uri', 'must have only letters, digits'],
  ['https://content.example.com/a%20b', 'must have only letters, digits'],
])('undeclared may not be %s', (undeclared, sentence) => {
  expect(() => loadConfig({ environment: {}, flags: { undeclared } })).toThrow(sentence);
});
