import { expect, test } from 'vitest';
import { foldSlug, slugSegment } from '../../../../src/content/paths/segments.ts';

const stored = /^~[0-9a-f]{32}$/;

test.each(['hello', 'café', 'a_b', '日本語', 'a'.repeat(255), 'conman', 'x~'])(
  '%s stands as it is',
  (slug) => {
    expect(slugSegment(slug, { shared: false })).toBe(slug.normalize('NFC'));
  },
);

test.each([
  '..',
  '.',
  '',
  '.a',
  '_a',
  '~a',
  'a.',
  'a ',
  'a/b',
  'a\\b',
  'a\u0000',
  'a\u0085',
  'a?',
  'a%41',
  'a:b',
  'a*',
  '"a"',
  'a<b',
  'a>b',
  'a|b',
  'CON',
  'com1.txt',
  'lpt9',
  'é'.repeat(128),
  '\ud800',
])('%j is stored under its hash', (slug) => {
  expect(slugSegment(slug, { shared: false })).toMatch(stored);
});

test('slugs that a case-insensitive disk mixes up share a fold', () => {
  expect(foldSlug('Straße')).toBe(foldSlug('STRASSE'));
  expect(foldSlug('Café')).toBe(foldSlug('cafe\u0301'));
  expect(foldSlug('a')).not.toBe(foldSlug('b'));
  expect(slugSegment('Hello', { shared: true })).toMatch(stored);
  expect(slugSegment('Hello', { shared: true })).not.toBe(slugSegment('hello', { shared: true }));
});
