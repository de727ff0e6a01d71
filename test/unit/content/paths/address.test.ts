import { expect, test } from 'vitest';
import { parseAddress } from '../../../../src/content/paths/address.ts';

const ID = '6b00f67a8df29a0456bf5f70';

test.each([
  ['posts/', { kind: 'list', resource: 'posts' }],
  ['authors/', { kind: 'list', resource: 'authors' }],
  [`pages/${ID}/`, { kind: 'id', resource: 'pages', id: ID }],
  ['tags/slug/a-b/', { kind: 'slug', resource: 'tags', slug: 'a-b' }],
  ['posts/slug/caf%C3%A9/', { kind: 'slug', resource: 'posts', slug: 'café' }],
  ['posts/slug/cafe%CC%81/', { kind: 'slug', resource: 'posts', slug: 'cafe\u0301' }],
  ['posts/slug/a%2Fb/', { kind: 'slug', resource: 'posts', slug: 'a/b' }],
  ['posts/slug//', { kind: 'slug', resource: 'posts', slug: '' }],
  ['posts/slug/%E0%A4%A/', null],
  ['posts', null],
  ['posts//', null],
  ['posts/slug/', null],
  ['posts/slug/x', null],
  ['posts/slug/x/y/', null],
  [`posts/${ID.toUpperCase()}/`, null],
  [`posts/id/${ID}/`, null],
  ['settings/', null],
  ['tiers/', null],
  ['', null],
])('%s', (path, expected) => {
  expect(parseAddress(path)).toEqual(expected);
});
