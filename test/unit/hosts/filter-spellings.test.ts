import { expect, test } from 'vitest';
import { filterParts } from '../../../src/hosts/filter-spellings.ts';

test.each([
  ['tag:news', ['tag:', 'news']],
  [' tag: news ', ['tag:', 'news']],
  ['tag:-{slug}', ['tag:', '-', '{slug}']],
  ['tag:[a,b]+id:-x', ['tag:', '[', 'a', ',', 'b', ']', '+', 'id:', '-', 'x']],
  [
    '(tag:a,tag:b)+featured:true',
    ['(', 'tag:', 'a', ',', 'tag:', 'b', ')', '+', 'featured:', 'true'],
  ],
  ["published_at:<='2026-01-01 10:00'", ['published_at:', '<=', "'2026-01-01 10:00'"]],
  ["title:~^'it\\'s, so'", ['title:', '~^', "'it\\'s, so'"]],
  ['updated_at:>2026-01-01T10:00:00.000Z', ['updated_at:', '>', '2026-01-01T10:00:00.000Z']],
])('%s has the parts %j', (filter, parts) => {
  expect(filterParts(filter)).toEqual(parts);
});

test.each(['', 'tag :news', 'tag:ne ws', 'tag', 'tag:a b:c', 'tag:news+', "tag:'news"])(
  '"%s" has none',
  (filter) => {
    expect(filterParts(filter)).toBeNull();
  },
);
