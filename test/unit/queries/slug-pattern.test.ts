// `{slug}` in filters.
import { expect, test } from 'vitest';
import { type Filter, parseFilter } from '../../../src/queries/filter.ts';
import { findSlugPattern, putSlug } from '../../../src/queries/slug-pattern.ts';

const read = (text: string): Filter => parseFilter(text, 0) ?? { kind: 'any', parts: [] };

test('a slug takes the place of {slug}, where one tag or author is asked for', () => {
  const texts = ['tag:{slug}', 'featured:true+author:{slug}', 'tag:news', 'tag:-{slug}'];
  const patterns = texts.map((text) => findSlugPattern(read(text)));
  expect(patterns).toEqual(['tag', 'author', null, 'misplaced']);
  expect(putSlug(read('featured:true+tag:{slug}'), 'news')).toEqual(read('featured:true+tag:news'));
});
