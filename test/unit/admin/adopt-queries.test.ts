// Which queries are declared for what was asked.
import { expect, test } from 'vitest';
import { planAdoption } from '../../../src/admin/adopt-queries.ts';
import { loadConfig } from '../../../src/config/load.ts';
import type { AskedQuery } from '../../../src/store/asked-queries.ts';

type Asked = readonly [resource: AskedQuery['resource'], query: string];

const plan = (asked: readonly Asked[], queries: readonly unknown[] = []) =>
  planAdoption(
    asked.map(([resource, query]) => ({ resource, query, count: 1, askedAt: 0 })),
    loadConfig({ environment: {}, flags: { queries, 'lists.max': 100 } }),
  );

/** As `posts?limit=5`, with its pages. */
const added = (asked: readonly Asked[], queries: readonly unknown[] = []): string[] =>
  plan(asked, queries).added.map(({ resource, parameters, pages }) => {
    const text = parameters.map(([name, value]) => `${name}=${value}`).join('&');
    return `${resource}?${text} ${pages}`;
  });

test.each<[string, readonly Asked[], readonly string[]]>([
  ['one query', [['posts', 'include=tags&limit=5']], ['posts?include=tags&limit=5 1']],
  [
    'slugs of one tag filter',
    [
      ['posts', 'filter=tag:news&limit=5'],
      ['posts', 'filter=tag:other&limit=5'],
    ],
    ['posts?filter=tag:{slug}&limit=5 1'],
  ],
  ['one slug alone', [['posts', 'filter=tag:news']], ['posts?filter=tag:news 1']],
  [
    'slugs beside other clauses',
    [
      ['posts', 'filter=featured:true%2Bauthor:a'],
      ['posts', 'filter=featured:true%2Bauthor:b'],
    ],
    ['posts?filter=featured:true+author:{slug} 1'],
  ],
  [
    'other limits, resources and fields are other queries',
    [
      ['posts', 'filter=tag:a&limit=5'],
      ['posts', 'filter=tag:b&limit=6'],
      ['pages', 'filter=tag:c&limit=5'],
      ['posts', 'filter=primary_tag:d&limit=5'],
    ],
    [
      'posts?filter=tag:a&limit=5 1',
      'posts?filter=tag:b&limit=6 1',
      'pages?filter=tag:c&limit=5 1',
      'posts?filter=primary_tag:d&limit=5 1',
    ],
  ],
  [
    'later pages ask for all',
    [
      ['posts', 'limit=5&page=3'],
      ['posts', 'limit=5'],
      ['tags', 'limit=5'],
    ],
    ['posts?limit=5 all', 'tags?limit=5 1'],
  ],
  [
    'a page of one slug is for all of them',
    [
      ['posts', 'filter=tag:a'],
      ['posts', 'filter=tag:b&page=2'],
    ],
    ['posts?filter=tag:{slug} all'],
  ],
  [
    'what is listed or excluded is no slug',
    [
      ['posts', 'filter=tag:%5Ba,b%5D'],
      ['posts', 'filter=tag:-a'],
      ['posts', 'filter=tag:null'],
    ],
    ['posts?filter=tag:[a,b] 1', 'posts?filter=tag:-a 1', 'posts?filter=tag:null 1'],
  ],
  [
    'a default list',
    [
      ['posts', 'page=2'],
      ['posts', 'limit=500'],
    ],
    [],
  ],
])('%s', (_what, asked, expected) => {
  expect(added(asked)).toEqual(expected);
});

test('what is declared already is not declared again', () => {
  const declared = [
    { resource: 'posts', filter: 'tag:{slug}' },
    { resource: 'posts', limit: 5, pages: 3 },
  ];
  expect(added([['posts', 'filter=tag:a']], declared)).toEqual([]);
  expect(added([['posts', 'limit=5']], declared)).toEqual([]);
  expect(added([['posts', 'limit=5&page=2']], declared)).toEqual(['posts?limit=5 all']);
  expect(added([['posts', 'filter=tag:a&page=2']], declared)).toEqual(['posts?filter=tag:a all']);
});

test.each([
  ['filter=published_at:%3Enow-7d', /changes with the time/],
  ['filter=tag:a&filter=tag:b', /several filters/],
  ['filter=tag:%7Bslug%7D', /asks for \{slug\} itself/],
  ['filter=password:x', /no field of filters/],
])('%s is left, with the reason', (query, reason) => {
  const { added: none, left } = plan([['posts', query]]);
  expect(none).toEqual([]);
  expect(left).toEqual([{ resource: 'posts', query, reason: expect.stringMatching(reason) }]);
});
