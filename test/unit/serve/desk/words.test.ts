import { expect, test } from 'vitest';
import { parseFilter } from '../../../../src/content/queries/filter.ts';
import { addressHint, filterText } from '../../../../src/serve/desk/ui/words.ts';
import { askedBy } from '../../../../src/serve/desk/views/asked-by.ts';
import { visibilityWords } from '../../../../src/serve/desk/views/posts/settings/visibilities.ts';

test.each([
  ['publisher', ''],
  ['admin', 'asked for with an admin key, '],
  ['hook Nightly', 'asked for by the hook “Nightly”, '],
  ['another', 'asked for by another, '],
])('a build that %s asked for', (requestedBy, words) => {
  expect(askedBy(requestedBy)).toBe(words);
});

test('who may read is said in the words of the choice, and an unknown value as it is', () => {
  const values = ['public', 'members', 'paid', 'tiers', 'label:vip'];
  const words = ['Everyone', 'Members', 'Paying members', 'Some tiers', 'label:vip'];
  expect(values.map(visibilityWords)).toEqual(words);
});

test.each([
  ["it's", "it's"],
  ['say "hi"', 'say "hi"'],
  ['a\\b', 'a\\b'],
  ["a\\'b", "a\\'b"],
  ['ends in \\\\', 'ends in '],
  ['null', 'null'],
  ['now-1d', 'now-1d'],
])('%s is searched for as it is', (text, value) => {
  const filter = parseFilter(`title:~${filterText(text)}`, 0);
  expect(filter).toMatchObject({ field: 'title', text: value });
  expect(parseFilter(`label:${filterText(text)}`, 0)).toMatchObject({ value });
});

test('the address of a slug is shown where the server stores it as it is typed', () => {
  const hint = (slug: string, stored?: string): string =>
    addressHint(slug, `https://site.example/${slug}/`, stored);
  expect(hint('low_tide-2')).toBe('https://site.example/low_tide-2/');
  for (const slug of ['Low tide', 'café', 'a/b', 'Low'])
    expect(hint(slug)).toMatch(/^Saving makes an address/);
  expect(hint('café', 'café')).toBe('https://site.example/café/');
});
