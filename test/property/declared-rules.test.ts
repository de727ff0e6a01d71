// The rules of hosts that run no code name the file of a declared query only for a query that means the same, and find it
// in the spellings that clients use.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { declareQuery, type WrittenQuery } from '../../src/config/declared-queries.ts';
import type { HostQueries } from '../../src/hosts/host.ts';
import type { DeclaredQuery } from '../../src/paths/declared-queries.ts';
import type { Resource } from '../../src/paths/endpoints.ts';
import { normaliseListQuery } from '../../src/queries/normal-query.ts';
import { consumerQueries, REFUSED_QUERIES } from '../helpers/consumer-queries.ts';
import { fileByRules, rulesOf } from '../helpers/read-by-rules.ts';

const MAX = 50;
const CONSUMERS = consumerQueries({
  tag: 'news',
  author: 'ann',
  id: '64a0000000000000000000a1',
  slug: 'welcome',
  time: '2026-01-04T10:00:00.000+00:00',
});

const written = (resource: Resource, rawQuery: string, pages: number | 'all' = 'all') => ({
  resource,
  rawQuery: rawQuery.replace(/(?:^|&)page=[^&]*/g, ''),
  pages,
});

const PATTERNS: readonly WrittenQuery[] = [
  written('posts', 'filter=tag:{slug}&limit=3'),
  written('posts', 'filter=author:{slug}%2Bfeatured:true&include=tags', 2),
  written('pages', 'filter=tag:{slug}&limit=3', 1),
];

const declaredOf = (queries: readonly WrittenQuery[]): DeclaredQuery[] =>
  [
    ...new Map(
      queries.flatMap((query) => {
        const declared = declareQuery(query, MAX);
        return declared === null
          ? []
          : [[`${declared.resource}/${declared.name}`, declared] as const];
      }),
    ).values(),
  ].sort((a, b) => (a.name < b.name ? -1 : 1));

const queriesOf = (declared: readonly DeclaredQuery[]): HostQueries => ({
  declared,
  undeclared: 'refuse',
  max: MAX,
  listPages: 'all',
});

const DECLARED = declaredOf([
  ...PATTERNS,
  ...CONSUMERS.map(({ resource, raw }) => written(resource, raw)),
]);
const RULES = rulesOf(queriesOf(DECLARED));
const PLAIN_RULES = rulesOf(queriesOf([]));

const normal = (resource: Resource, raw: string): string | null => {
  try {
    return normaliseListQuery(resource, raw, { max: MAX, nowMs: 0 });
  } catch {
    return null;
  }
};

/** What the file answers, in normal form; the slug of a pattern is in its place. */
const meaningOf = (resource: Resource, file: string): string | null => {
  const [, name = '', segment = '', page = ''] =
    /^q\/([^/]+)\/(?:([^/]+)\/)?(?:page-(\d+)|index)$/.exec(file) ?? [];
  const found = DECLARED.find((one) => one.resource === resource && one.name === name);
  if (found === undefined) return null;
  const raw = found.parameters.map(
    ([parameter, value]) => `${parameter}=${encodeURIComponent(value.replace('{slug}', segment))}`,
  );
  return normal(resource, [...raw, `page=${page || 1}`].join('&'));
};

/** What a default list answers. */
const defaultMeaningOf = (resource: Resource, file: string): string | null => {
  const [, page = '', variant = ''] = /^(?:page-(\d+)-?)?(.*)$/.exec(file) ?? [];
  const include = ['authors', 'tags', 'count-posts'].filter((one) =>
    `-${variant}-`.includes(`-${one}-`),
  );
  const filter = variant.startsWith('public') ? '&filter=visibility:public' : '';
  return normal(resource, `include=${include.join().replace('-', '.')}${filter}&page=${page || 1}`);
};

const checkSound = (resource: Resource, raw: string): void => {
  const file = fileByRules(RULES, resource, raw);
  if (file === null) return;
  const meaning = file.startsWith('q/')
    ? meaningOf(resource, file)
    : defaultMeaningOf(resource, file);
  expect(meaning, `${raw} is answered by ${file}`).toBe(normal(resource, raw));
};

const UNFOUND = /include=.*include=|limit=.*limit=|fields=nothing/;

test.each(CONSUMERS.map(({ resource, raw }) => [resource, raw] as const))(
  '%s?%s has its file when it is declared',
  (resource, raw) => {
    checkSound(resource, raw);
    const file = fileByRules(RULES, resource, raw);
    if (UNFOUND.test(raw)) return;
    expect(file).not.toBeNull();
  },
);

test.each(REFUSED_QUERIES.map(({ resource, raw }) => [resource, raw] as const))(
  '%s?%s has none',
  (resource, raw) => {
    expect(fileByRules(RULES, resource, raw)).toBeNull();
    expect(fileByRules(PLAIN_RULES, resource, raw)).toBeNull();
  },
);

const TRAPS: readonly string[] = [
  'limit=7',
  'limit=49',
  'limit=2&limit=7',
  'limit=7&limit=2',
  'limit=15.5',
  'page=2x',
  'fields=titles',
  'fields=title',
  'fields=title,slug,url,secret',
  'formats=plaintext,html,pdf',
  'order=id%20asc',
  'order=published_at%20desc,id%20asc',
  'order=published_at%20asc',
  'filter=tag:news%2Bfeatured:true&limit=3',
  'filter=tag:ne%20ws&limit=3',
  'filter=tag:null&limit=3',
  'filter=tag:-news&limit=3',
];

test.each(TRAPS)('posts?%s is answered by no other list', (raw) => {
  checkSound('posts', raw);
  const file = fileByRules(PLAIN_RULES, 'posts', raw);
  if (file !== null) expect(defaultMeaningOf('posts', file)).toBe(normal('posts', raw));
});

test.each(['../../x', '..%2F..%2Fx', '%2e%2e/x', '.', 'a/b', 'a%2Fb', '/etc', '~x', ''])(
  'the slug "%s" leads out of no folder',
  (slug) => {
    const file = fileByRules(RULES, 'posts', `filter=tag:${slug}&limit=3`);
    if (file !== null) expect(file).toMatch(/^q\/[^/]+\/(?:~|[^/.][^/]*)\/index$/);
  },
);

const parameter = fc.constantFrom(
  'limit',
  'page',
  'order',
  'filter',
  'fields',
  'formats',
  'include',
  'key',
  'Limit',
  'l%69mit',
);
const pieces = fc.constantFrom(
  ...[
    '15',
    '3',
    '2',
    '50',
    '0',
    'all',
    '007',
    '-1',
    '1.5',
    'tags',
    'authors',
    'count.posts',
    'title',
    'slug',
    'url',
  ],
  ...[
    'html',
    'plaintext',
    'tag:',
    'tag:news',
    'tag:-news',
    'tag:{slug}',
    'author:ann',
    'featured:true',
    'null',
    '../x',
  ],
  ...[
    'published_at desc',
    'name asc',
    'title ASC',
    'id desc',
    'featured',
    ' ',
    '+',
    ',',
    "'",
    '~',
    '%',
    'visibility:public',
  ],
);
const value = fc
  .array(pieces, { maxLength: 4 })
  .chain((all) =>
    fc.constantFrom(
      encodeURIComponent(all.join('')),
      encodeURIComponent(all.join(',')),
      all.join('').replace(/%/g, ''),
    ),
  )
  .map((text) => text.replaceAll('%20', '+'));
const consumer = fc.constantFrom(
  ...CONSUMERS,
  ...PATTERNS.map(({ resource, rawQuery }) => ({
    resource,
    raw: rawQuery.replace('{slug}', 'news'),
  })),
);
const pairs = fc.array(
  fc.tuple(parameter, value).map((pair) => pair.join('=')),
  { maxLength: 3 },
);

test('no query is answered by the file of another', () => {
  fc.assert(
    fc.property(consumer, pairs, fc.boolean(), ({ resource, raw }, more, isFirst) => {
      checkSound(resource, (isFirst ? [...more, raw] : [raw, ...more]).join('&'));
      checkSound(resource, more.join('&'));
    }),
    { numRuns: 1_000 },
  );
});

test('parameters in any order, and signs encoded or not, name the same file', () => {
  const swapped = (text: string, choices: readonly number[]): string =>
    text.replace(/%[0-9A-Fa-f]{2}|[:,]/g, (sign, at: number) => {
      const decoded = decodeURIComponent(sign);
      if (!/[:,<>'[\]]/.test(decoded)) return sign.toLowerCase();
      const code = encodeURIComponent(decoded).replace("'", '%27');
      return [decoded, code, code.toLowerCase()][(choices[at % 20] ?? 0) % 3] ?? sign;
    });
  const choices = fc.array(fc.nat(2), { minLength: 20, maxLength: 20 });
  fc.assert(
    fc.property(consumer, choices, ({ resource, raw }, chosen) => {
      fc.pre(!UNFOUND.test(raw));
      const parts = raw.split('&');
      const turned = [...parts.slice(chosen[0]), ...parts.slice(0, chosen[0])].join('&');
      const expected = fileByRules(RULES, resource, raw);
      expect(fileByRules(RULES, resource, swapped(turned, chosen)), turned).toBe(expected);
      expect(fileByRules(RULES, resource, `${turned}&key=1&slug=x&v=5`)).toBe(expected);
    }),
    { numRuns: 600 },
  );
});

test('a slug of other than plain signs that no rule names is refused: a newer tag may have it', () => {
  for (const slug of ['%E6%97%A5%E6%9C%AC', 'caf%C3%A9', 'news%3F', 'a!b', '%F0%9F%98%80']) {
    expect(fileByRules(RULES, 'posts', `filter=tag:${slug}&limit=3`), slug).toBeNull();
  }
});
