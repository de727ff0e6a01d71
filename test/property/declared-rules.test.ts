// The rules of hosts that run no code name the file of a declared query only for a query that means the same.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { declareQuery, type WrittenQuery } from '../../src/config/declared-queries.ts';
import type { HostQueries } from '../../src/hosts/host.ts';
import type { DeclaredQuery } from '../../src/paths/declared-queries.ts';
import type { Resource } from '../../src/paths/endpoints.ts';
import { normaliseListQuery } from '../../src/queries/normal-query.ts';
import {
  type ConsumerQuery,
  consumerQueries,
  REFUSED_QUERIES,
} from '../helpers/consumer-queries.ts';
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

const fileOf = ({ resource, raw }: ConsumerQuery, rules = RULES): string | null =>
  fileByRules(rules, resource, raw);

const checkSound = (resource: Resource, raw: string): void => {
  const file = fileByRules(RULES, resource, raw);
  if (file === null) return;
  const meaning = file.startsWith('q/')
    ? meaningOf(resource, file)
    : defaultMeaningOf(resource, file);
  expect(meaning, `${raw} is answered by ${file}`).toBe(normal(resource, raw));
};

const UNFOUND = /include=.*include=|limit=.*limit=|fields=nothing/;

const TRAPS: readonly string[] = [
  ...['limit=7', 'limit=49', 'limit=2&limit=7', 'limit=7&limit=2', 'limit=15.5', 'page=2x'],
  ...['fields=titles', 'fields=title', 'formats=plaintext,html,pdf', 'order=id%20asc'],
  ...['order=published_at%20desc,id%20asc', 'order=published_at%20asc'],
  ...['tag:news%2Bfeatured:true', 'tag:ne%20ws', 'tag:null', 'tag:-news', 'tag:../../x'].map(
    (filter) => `filter=${filter}&limit=3`,
  ),
];

test('what consumers ask has its file when it is declared, and what is refused has none', () => {
  const found = CONSUMERS.map((query) => ({ ...query, file: fileOf(query) }));
  const lost = found.filter(({ raw, file }) => file === null && !UNFOUND.test(raw));
  expect(lost).toEqual([]);
  expect(REFUSED_QUERIES.filter((query) => fileOf(query) !== null)).toEqual([]);
  expect(REFUSED_QUERIES.filter((query) => fileOf(query, PLAIN_RULES) !== null)).toEqual([]);
});

const more = fc.constantFrom(
  ...TRAPS,
  ...['key=1', 'page=2', 'limit=all', 'Limit=3', 'l%69mit=3', 'include=tags', 'formats=html'],
  ...['filter=featured:true', 'fields=title,slug', 'order=title+ASC', "filter=title:~'x'"],
);

test('no query is answered by the file of another', () => {
  for (const raw of TRAPS) {
    checkSound('posts', raw);
    const file = fileByRules(PLAIN_RULES, 'posts', raw);
    if (file !== null) expect(defaultMeaningOf('posts', file)).toBe(normal('posts', raw));
  }
  fc.assert(
    fc.property(
      fc.constantFrom(...CONSUMERS),
      fc.array(more, { maxLength: 3 }),
      fc.boolean(),
      ({ resource, raw }, others, isFirst) => {
        checkSound(resource, (isFirst ? [...others, raw] : [raw, ...others]).join('&'));
      },
    ),
    { numRuns: 1_000 },
  );
});
