// `{slug}` in filters.
import { expect, test } from 'vitest';
import { isPatternSlug } from '../../../src/paths/declared-queries.ts';
import { type Filter, parseFilter } from '../../../src/queries/filter.ts';
import { findSlugPattern, putSlug } from '../../../src/queries/slug-pattern.ts';

const read = (text: string): Filter => {
  const filter = parseFilter(text, 0);
  if (filter === null) throw new Error(`${text} is no filter`);
  return filter;
};

test.each([
  ['tag:{slug}', 'tag'],
  ['tags:{slug}', 'tag'],
  ['tags.slug:{slug}', 'tag'],
  ['primary_tag:{slug}', 'tag'],
  ['author:{slug}', 'author'],
  ['authors.slug:{slug}', 'author'],
  ['primary_author:{slug}', 'author'],
  ['featured:true+tag:{slug}', 'tag'],
  ['(tag:{slug}+featured:true)+visibility:public', 'tag'],
  ['tag:news', null],
  ['tag:{slug},featured:true', 'misplaced'],
  ['tag:-{slug}', 'misplaced'],
  ['tag:{slug}+author:{slug}', 'misplaced'],
  ['tag:[{slug}]', 'misplaced'],
  ['tag:x-{slug}', 'misplaced'],
  ['title:{slug}', 'misplaced'],
  ['slug:{slug}', 'misplaced'],
  ['tags.name:{slug}', 'misplaced'],
])('%s has the pattern %s', (text, pattern) => {
  expect(findSlugPattern(read(text))).toBe(pattern);
});

test('a slug takes the place of {slug}', () => {
  expect(putSlug(read('featured:true+tag:{slug}'), 'news')).toEqual(read('featured:true+tag:news'));
});

test('a slug that stands for itself is read as it is', () => {
  for (const slug of ['news', 'übung', '007', 'true', 'a.b', 'now-7days', '日本']) {
    expect(isPatternSlug(slug)).toBe(true);
    const filter = read(`tag:${slug}`);
    expect(filter.kind === 'compare' && String(filter.value)).toBe(slug);
  }
});
