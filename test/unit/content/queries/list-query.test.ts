// What a raw query of a list or a record asks for: tables of parameters, read by hand.
import { expect, test } from 'vitest';
import {
  type ListQuery,
  parseListQuery,
  parseRecordQuery,
} from '../../../../src/content/queries/list-query.ts';
import {
  isQueryProblem,
  type QueryProblem,
} from '../../../../src/content/queries/query-problem.ts';
import type { ListResource } from '../../../../src/content/queries/resource.ts';

const OPTIONS = { max: 100, nowMs: Date.parse('2026-03-31T12:00:00.000Z') };

const parse = (rawQuery: string, resource: ListResource = 'posts'): ListQuery =>
  parseListQuery(resource, rawQuery, OPTIONS);

const problemOf = (rawQuery: string, resource: ListResource = 'posts'): QueryProblem => {
  try {
    parse(rawQuery, resource);
  } catch (thrown) {
    if (isQueryProblem(thrown)) return thrown;
    throw thrown;
  }
  throw new Error(`${rawQuery} is taken.`);
};

test('nothing asks for the first page of the default list', () => {
  expect(parse('')).toEqual({
    limit: 100,
    page: 1,
    includes: [],
    fields: null,
    hasHtml: true,
    hasPlaintext: false,
    order: [],
    filter: null,
  });
});

/** Each field and its direction. */
const spelled = ({ order, ...query }: ListQuery) => ({
  ...query,
  order: order.map(({ field, isDown }) => `${field} ${isDown ? 'desc' : 'asc'}`).join(', '),
});

// What is usual is asked for at random in test/property/queries.test.ts.
test.each<[ListResource, string, Partial<ReturnType<typeof spelled>>]>([
  ['posts', 'limit=', { limit: 100 }],
  ['posts', 'limit=ALL', { limit: 100 }],
  ['posts', 'limit=NaN', { limit: 100 }],
  ['posts', 'limit=101', { limit: 100 }],
  ['posts', `limit=${'9'.repeat(400)}`, { limit: 100 }],
  ['posts', 'limit=+5', { limit: 5 }],
  ['posts', 'limit=5&limit=7', { limit: 5 }],
  ['posts', 'page=', { page: 1 }],
  ['posts', 'page=00', { page: 1 }],
  ['posts', `page=${'9'.repeat(400)}`, { page: 1_000_000_000 }],
  ['posts', 'page=2&page=x', { page: 2 }],
  ['posts', 'order=', { order: '' }],
  ['posts', 'order=title+asc', { order: 'title asc' }],
  ['posts', 'order=title asc desc', { order: '' }],
  ['posts', 'order=html asc,email desc', { order: '' }],
  ['posts', 'order=name asc', { order: '' }],
  ['posts', 'order=count.posts desc', { order: '' }],
  ['posts', 'order=featured desc&order=id asc', { order: 'featured desc, id asc' }],
  ['posts', 'order=published_at asc,id desc', { order: 'published_at asc, id desc' }],
  ['pages', 'order=published_at desc,title asc', { order: 'published_at desc, title asc' }],
  ['tags', 'order=title asc,published_at asc', { order: '' }],
  ['tags', 'order=count.posts desc', { order: '' }],
  ['tags', 'order=COUNT.POSTS desc&include=count.posts', { order: 'count.posts desc' }],
  ['posts', 'include=TAGS&include=tags,nothing', { includes: ['tags'] }],
  ['posts', 'include=count.posts,tiers', { includes: ['tiers'] }],
  ['posts', 'fields=Title,slug,title,', { fields: ['slug', 'title'], hasHtml: false }],
  ['posts', 'fields=html', { fields: ['html'], hasHtml: true }],
  ['posts', 'fields=plaintext', { fields: ['plaintext'], hasHtml: false, hasPlaintext: true }],
  ['posts', 'fields=,', { fields: null, hasHtml: true }],
  ['posts', 'formats=PLAINTEXT,html', { hasHtml: true, hasPlaintext: true }],
  ['posts', 'formats=lexical', { hasHtml: false, hasPlaintext: false }],
  ['posts', 'formats=mobiledoc,html', { hasHtml: true, hasPlaintext: false }],
  // Formats that are asked for are shown, whatever the fields are.
  ['posts', 'fields=title&formats=html', { fields: ['title'], hasHtml: true }],
  ['posts', 'fields=html&formats=plaintext', { hasHtml: false, hasPlaintext: true }],
  ['tags', 'formats=pdf&include=tags,count.posts', { includes: ['count.posts'] }],
])('%s?%.60s', (resource, rawQuery, asked) => {
  expect(spelled(parse(rawQuery, resource))).toMatchObject(asked);
});

test.each([
  ['limit=-1', 'limit must be 1 or more, or "all", got "-1"'],
  ['page=x', 'page must be 1 or more, got "x"'],
  ['order=-title', 'order must be such as "title asc", got "-title"'],
  ['formats=markdown', 'formats can be html and plaintext, got "markdown"'],
  ['filter=featured:maybe', 'filter: "featured" cannot be compared with "maybe"'],
  [
    "filter=created_at:>'today'",
    'filter: "created_at" cannot be compared with "today", but with 2024-05-31',
  ],
  ['filter=titel:x', 'filter has no field "titel"'],
  ['filter=tag:a+featured:true', 'filter is not understood at "featured:true"; send + as %2B'],
  ['filter=tag:a%2Bfeatured:', 'filter is not understood at its end'],
])('%s: %s', (rawQuery, reason) => {
  expect(problemOf(rawQuery).message.split('cannot list posts: ')[1]).toBe(`${reason}.`);
});

test('a field is named in the message, short and quoted', () => {
  expect(problemOf('filter=colour:red').message).toContain('"colour"');
  expect(problemOf(`filter=${'x'.repeat(500)}:red`).message.length).toBeLessThan(150);
});

test('reads look at the shape alone', () => {
  expect(parseRecordQuery('posts', 'limit=-1&page=x&filter=%28&order=%3B&fields=title')).toEqual({
    includes: [],
    fields: ['title'],
    hasHtml: false,
    hasPlaintext: false,
  });
  expect(() => parseRecordQuery('pages', 'formats=pdf')).toThrow(
    'Validation error, cannot read page: formats can be html and plaintext, got "pdf".',
  );
});
