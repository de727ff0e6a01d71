// Queries that a default list answers.
import { expect, test } from 'vitest';
import { findDefaultList } from '../../../../src/content/queries/default-list.ts';
import { parseListQuery } from '../../../../src/content/queries/list-query.ts';
import type { ListResource } from '../../../../src/content/queries/resource.ts';

const OPTIONS = { max: 100, nowMs: 0 };

test.each<[ListResource, string, unknown]>([
  ['posts', '', { includes: [], isPublicOnly: false, page: 1 }],
  ['posts', 'limit=all&page=3&include=tags', { includes: ['tags'], isPublicOnly: false, page: 3 }],
  ['posts', 'limit=5000&order=published_at desc', { includes: [], isPublicOnly: false, page: 1 }],
  ['pages', 'order=title asc', { includes: [], isPublicOnly: false, page: 1 }],
  ['tags', 'filter=visibility:public', { includes: [], isPublicOnly: true, page: 1 }],
  [
    'tags',
    "filter=visibility:'public'&include=count.posts",
    { includes: ['count.posts'], isPublicOnly: true, page: 1 },
  ],
  ['authors', 'include=count.posts', { includes: ['count.posts'], isPublicOnly: false, page: 1 }],
  ['posts', 'limit=99', null],
  ['posts', 'order=published_at asc', null],
  ['posts', 'fields=id', null],
  ['posts', 'formats=plaintext', null],
  ['posts', 'formats=html,plaintext', null],
  ['posts', 'filter=visibility:public', null],
  ['tags', 'filter=visibility:internal', null],
  ['tags', 'filter=visibility:-public', null],
  ['tags', 'filter=visibility:public%2Bslug:a', null],
  ['authors', 'filter=visibility:public', null],
])('the default list of %s for %s', (resource, rawQuery, expected) => {
  const query = parseListQuery(resource, rawQuery, OPTIONS);
  expect(findDefaultList(resource, query, OPTIONS.max)).toEqual(expected);
});
