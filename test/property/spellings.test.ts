// The regular expressions that hosts' rules are made of say of any query what the program says that reads it.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SHAPES } from '../../src/content/paths/endpoints.ts';
import { parseQuery } from '../../src/content/paths/query.ts';
import { listWith, queryWith } from '../../src/publish/hosts/rules/spellings.ts';

/** A text with any of its letters encoded, in either case of the digits. */
const encodedBy = (text: string, choices: readonly number[]): string =>
  [...text]
    .map((letter, at) => {
      const hex = letter.charCodeAt(0).toString(16).padStart(2, '0');
      return [letter, `%${hex}`, `%${hex.toUpperCase()}`, letter, letter][(choices[at] ?? 0) % 5];
    })
    .join('');

const spelled = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(text, fc.array(fc.nat(4), { maxLength: 30 }))
    .map(([given, choices]) => encodedBy(given, choices));

const name = spelled(
  fc.constantFrom('include', 'filter', 'page', 'Include', 'xinclude', 'includes', 'key', ''),
);
const token = fc.constantFrom(
  'tags',
  'authors',
  'TAGS',
  'Authors',
  'tagsx',
  'xtags',
  'count.posts',
  'countxposts',
  'visibility:public',
  'visibility:publics',
  '',
);
const blank = fc.constantFrom('', '+', '%20', '%09', '++');
const value = fc
  .array(fc.tuple(blank, spelled(token), blank), { minLength: 1, maxLength: 3 })
  .chain((tokens) =>
    fc
      .constantFrom(',', '%2c', '%2C')
      .map((comma) => tokens.map((parts) => parts.join('')).join(comma)),
  );
const pair = fc.oneof(
  fc.tuple(name, value).map(([key, text]) => `${key}=${text}`),
  name,
);
const query = fc.array(pair, { maxLength: 4 }).map((pairs) => pairs.join('&'));

test('a rule asks for a value exactly when the program does', () => {
  fc.assert(
    fc.property(query, (text) => {
      const isAsked = (key: string, asked: string): boolean =>
        new RegExp(queryWith(key, listWith(asked))).test(text);
      for (const include of SHAPES.posts.includes) {
        const { includes } = parseQuery(text, SHAPES.posts);
        expect(isAsked('include', include)).toBe(includes.includes(include));
      }
      const { includes } = parseQuery(text, SHAPES.tags);
      expect(isAsked('include', 'count.posts')).toBe(includes.includes('count.posts'));
    }),
    { numRuns: 2_000 },
  );
});
