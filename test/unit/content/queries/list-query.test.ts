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
  ['limit=-1', 'limit'],
  ['limit=%2B5', 'limit'],
  ['limit=1.5', 'limit'],
  ['limit=15abc', 'limit'],
  ['limit=1e3', 'limit'],
  ['page=abc', 'page'],
  ['page=-1', 'page'],
  ['page=1.5', 'page'],
  ['page=all', 'page'],
  ['order=title;drop', 'order'],
  ['order=title-asc', 'order'],
  ['order=%C3%A9 asc', 'order'],
  ['formats=pdf', 'formats'],
  ['formats=html,pdf', 'formats'],
])('%s is a 422 that names %s', (rawQuery, property) => {
  const problem = problemOf(rawQuery);
  expect(problem).toMatchObject({ status: 422, property, context: null });
  expect(problem.message).toMatch(/^Validation error, cannot list posts: [a-z].*[^.]\.$/);
  expect(problem.message).toContain(property);
});

test('of several filters all must hold', () => {
  const { filter } = parse('filter=tag:a,tag:b&filter=&filter=featured:true');
  expect(filter).toMatchObject({ kind: 'all', parts: [{ kind: 'any' }, { kind: 'compare' }] });
  expect(parse('filter=%20').filter).toBeNull();
});

test.each([
  ...['colour:red', 'constructor:x', 'toString:x', '__proto__:x', 'tags.colour:red'],
  ...['primary_tag.id:x', 'authors.visibility:public', 'count.posts:3', 'html:x', 'og_title:x'],
  ...['og_title:[x,null]', "og_title:~'x'", "uuid:~'x'", "visibility:~'x'", 'visibility:>public'],
  ...["featured:'yes'", 'featured:>true', "tags.visibility:~'x'", "published_at:~'2024'"],
  ...['published_at:soon', 'published_at:>2024-02-30', 'published_at:>2024-13-01'],
  ...["published_at:>'2024-01-01 24:00'", 'published_at:[2024-01-01,x]', 'published_at:true'],
])('%s is a 400', (filter) => {
  const problem = problemOf(`filter=${encodeURIComponent(filter)}`);
  expect(problem).toMatchObject({
    status: 400,
    property: 'filter',
    context: 'Could not understand request.',
  });
  expect(problem.message).toMatch(/^Request not understood error, cannot list posts: .*[^.]\.$/);
});

test.each(['tag', 'tag:a+', '(tag:a', 'tag:a b:c', `tag:${'a'.repeat(2_000)}`])(
  '%.20s is no filter',
  (filter) => {
    expect(problemOf(`filter=${encodeURIComponent(filter)}`)).toMatchObject({
      status: 400,
      property: 'filter',
      context: 'Error parsing filter',
    });
  },
);

test('a filter that is too long is said to be so', () => {
  const { message } = problemOf(`filter=tag:${'a'.repeat(2_000)}`);
  expect(message).toContain('filter has 2004 characters of at most 2000');
});

test.each(['title:x', 'status:published', 'tag:x', 'featured:true', 'tags.created_at:>2024'])(
  'tags cannot be filtered by %s',
  (filter) => {
    expect(problemOf(`filter=${filter}`, 'tags')).toMatchObject({ status: 400 });
  },
);

test.each([
  ['limit=-1', 'limit must be a whole number or "all", got "-1"'],
  ['page=x', 'page must be a whole number, got "x"'],
  ['formats=markdown', 'formats takes html, plaintext, got "markdown"'],
  ['filter=featured:maybe', 'filter takes only true or false for "featured", got "maybe"'],
  ["filter=uuid:~'a'", 'filter takes only whole values for "uuid", got "~a"'],
  [
    'filter=created_at:>=soon',
    'filter takes only times such as 2026-01-31 for "created_at", got ">=soon"',
  ],
  ['filter=og_title:x', 'filter takes only null for "og_title", got "x"'],
  ['filter=titel:x', 'filter has no field "titel" (did you mean title?)'],
  ['filter=colour:x', 'filter has no field "colour"'],
  ['filter=tag:a%2B', 'filter ends where a field or a value must follow'],
  ['filter=tag:a%2B(tag:=b)', 'filter is not understood from "=b)" on'],
  [
    'filter=tag:a+featured:true',
    'filter is not understood from "featured:true" on; in an address, + is written as %2B',
  ],
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
    'Validation error, cannot read page: formats takes html, plaintext, got "pdf".',
  );
});
