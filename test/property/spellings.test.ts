// The regular expressions that hosts' rules are made of say of any query what the program says that reads it.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EITHER, listWith, queryWith, SENT } from '../../src/hosts/spellings.ts';
import { SHAPES } from '../../src/paths/endpoints.ts';
import { parsePage, parseQuery } from '../../src/paths/query.ts';
import { rulesOf, tokenOf } from '../helpers/read-by-rules.ts';

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
const number = fc.constantFrom('0', '1', '2', '02', '10', '007', '-2', '2x', '', '01', '1e1', '20');
const pair = fc.oneof(
  fc.tuple(name, value).map(([key, text]) => `${key}=${text}`),
  fc.tuple(blank, spelled(number), blank).map((parts) => `page=${parts.join('')}`),
  name,
);
const query = fc.array(pair, { maxLength: 4 }).map((pairs) => pairs.join('&'));

test('a rule asks for a value exactly when the program does', () => {
  fc.assert(
    fc.property(query, (text) => {
      const isAsked = (key: string, asked: string): boolean =>
        new RegExp(queryWith(key, listWith(SENT, asked))).test(text);
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

const RULES = rulesOf({ declared: [], undeclared: 'ignore', max: 50, listPages: 'all' });
const PAGE = RULES.flatMap(({ questions }) => questions).find(({ name }) => name === 'page') ?? {
  name: '',
  parameter: '',
  cases: [],
};

test('a rule asks for a page exactly when the program does', () => {
  const page = fc.tuple(blank, spelled(number), blank).map((parts) => parts.join(''));
  const once = fc.tuple(value, page).map(([text, at]) => `include=${text}&page=${at}`);
  fc.assert(
    fc.property(once, (text) => {
      // Digits that are encoded are not read by rules: no client does that.
      fc.pre(!/page=.*%3\d/.test(text));
      expect(Number(tokenOf(PAGE, text).slice('_p'.length) || 1)).toBe(parsePage(text));
    }),
    { numRuns: 1_000 },
  );
});

test('a value that was cut out of the query is read alike, raw and decoded', () => {
  fc.assert(
    fc.property(value, (text) => {
      const { includes } = parseQuery(`include=${text}`, SHAPES.posts);
      for (const include of SHAPES.posts.includes) {
        const pattern = new RegExp(`^${listWith(EITHER, include)}$`);
        const decoded = decodeURIComponent(text.replaceAll('+', ' '));
        expect(pattern.test(text)).toBe(includes.includes(include));
        expect(pattern.test(decoded)).toBe(includes.includes(include));
      }
    }),
    { numRuns: 1_000 },
  );
});

test('a rule that forgets the start of a value would be noticed', () => {
  const flawed = queryWith('include', listWith(SENT, 'tags')).replaceAll(
    '(?:[^&]*(?:,|%2[cC]))?',
    '[^&]*',
  );
  const differs = fc.sample(query, { numRuns: 2_000, seed: 1 }).some((text) => {
    const { includes } = parseQuery(text, SHAPES.posts);
    return new RegExp(flawed).test(text) !== includes.includes('tags');
  });
  expect(differs).toBe(true);
});
