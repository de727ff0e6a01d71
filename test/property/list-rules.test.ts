// Hosts that run no code answer a query by the file of a default list only where the executor would answer the same, and
// never refuse what clients say when they mean a default list.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultQueries } from '../../src/hosts/bundle.ts';
import { isDefaultQuery } from '../../src/hosts/edge/default-query.ts';
import type { HostQueries } from '../../src/hosts/host.ts';
import { RESOURCES, type Resource } from '../../src/paths/endpoints.ts';
import { parseListQuery } from '../../src/queries/list-query.ts';
import { findDefaultList, normaliseListQuery } from '../../src/queries/normal-query.ts';
import { consumerQueries, REFUSED_QUERIES } from '../helpers/consumer-queries.ts';
import { fileByRules, rulesOf } from '../helpers/read-by-rules.ts';

const MAX = 50;
const QUERIES: HostQueries = { otherQueries: 'refuse', max: MAX, listPages: 'all' };
const RULES = rulesOf(QUERIES);
const SHAPES = defaultQueries();
const CONSUMERS = consumerQueries({
  tag: 'news',
  author: 'ann',
  id: '64a0000000000000000000a1',
  slug: 'welcome',
  time: '2026-01-04T10:00:00.000+00:00',
});

/** Null: the executor refuses it. */
const normal = (resource: Resource, raw: string): string | null => {
  try {
    return normaliseListQuery(resource, raw, { max: MAX, nowMs: 0 });
  } catch {
    return null;
  }
};

/** What the executor says: a default list, with its variant and page. */
const isDefault = (resource: Resource, raw: string): boolean => {
  try {
    const query = parseListQuery(resource, raw, { max: MAX, nowMs: 0 });
    return findDefaultList(resource, query, MAX) !== null;
  } catch {
    return false;
  }
};

/** What the file of a default list answers, in normal form. */
const meaningOf = (resource: Resource, file: string): string | null => {
  const [, page = '', variant = ''] = /^(?:page-(\d+)-?)?(.*)$/.exec(file) ?? [];
  const include = ['authors', 'tags', 'count-posts'].filter((one) =>
    `-${variant}-`.includes(`-${one}-`),
  );
  const filter = variant.startsWith('public') ? '&filter=visibility:public' : '';
  return normal(resource, `include=${include.join().replace('-', '.')}${filter}&page=${page || 1}`);
};

const checkSound = (resource: Resource, raw: string): void => {
  const file = fileByRules(RULES, resource, raw);
  if (file !== null) {
    expect(meaningOf(resource, file), `${raw} is answered by ${file}`).toBe(normal(resource, raw));
  }
  const asked = { query: raw, shape: SHAPES[resource], max: MAX, pages: 0 };
  if (isDefaultQuery(asked)) expect(isDefault(resource, raw), `${resource} ${raw}`).toBe(true);
};

const ALL = RESOURCES.flatMap((resource) =>
  [
    ...['', 'limit=all', 'limit=ALL', 'limit=many', 'limit=0', 'limit=50', 'limit=0051', 'limit='],
    ...['page=1', 'page=01', 'page=', 'page=0', 'order=', 'order=nonsense%20desc', 'order=title'],
    ...['formats=html', 'formats=HTML', 'formats=lexical,html', 'formats=', 'fields=', 'fields=,'],
    ...[
      'filter=',
      'filter=+',
      'nonsense=1',
      'x[]=1',
      'limit[]=all',
      'order%5B0%5D=',
      'include[]=tags,',
    ],
  ].map((raw) => ({ resource, raw })),
);
const USUAL = [
  ...['published_at%20desc', 'PUBLISHED_AT+DESC', 'published_at%20desc,id%20desc'].map((text) => ({
    resource: 'posts' as const,
    raw: `order=${text}`,
  })),
  ...['title%20asc', 'Title+ASC%2Cid+asc'].map((text) => ({
    resource: 'pages' as const,
    raw: `order=${text}`,
  })),
  ...['name+asc', 'NAME%20ASC'].map((text) => ({
    resource: 'tags' as const,
    raw: `order=${text}&filter=visibility:public&include=count.posts`,
  })),
];

test('what means a default list has its file', () => {
  const asked = [...ALL, ...USUAL, ...CONSUMERS].filter(({ resource, raw }) =>
    isDefault(resource, raw),
  );
  expect(asked.length).toBeGreaterThan(ALL.length + USUAL.length);
  const lost = asked.filter(({ resource, raw }) => fileByRules(RULES, resource, raw) === null);
  expect(lost).toEqual([]);
  const refused = asked.filter(
    ({ resource, raw }) =>
      !isDefaultQuery({ query: raw, shape: SHAPES[resource], max: MAX, pages: 0 }),
  );
  expect(refused).toEqual([]);
});

const parameter = fc.constantFrom(
  ...['limit=7', 'limit=49', 'limit=15.5', 'page=2x', 'page=2', 'fields=titles', 'fields=title'],
  ...['formats=plaintext,html,pdf', 'formats=plaintext', 'order=id%20asc', 'order=published_at'],
  ...['order=published_at%20desc,id%20asc', 'order=nonsense%20asc%2Cslug%20desc', 'order=a;b'],
  ...['order=%70ublished_at+asc', 'order=x,name%20desc', 'Limit=3', 'l%69mit=3', 'l%69mit=all'],
  ...['include=tags', 'include=count.posts', 'filter=visibility:public', 'filter=featured:true'],
  ...['limit[]=3', 'limit%5b1%5D=all', 'filter[]=featured:true', 'page[0]=2'],
  ...['key=1', 'formats=lexical', 'order=title+ASC', 'order=name+asc,id+desc', 'limit&limit=3'],
  ...ALL.map(({ raw }) => raw),
);

test('no query is answered by the file of another', () => {
  expect(REFUSED_QUERIES.filter(({ resource, raw }) => fileByRules(RULES, resource, raw))).toEqual(
    [],
  );
  fc.assert(
    fc.property(
      fc.constantFrom(...RESOURCES),
      fc.array(fc.oneof(parameter, fc.constantFrom(...CONSUMERS.map(({ raw }) => raw))), {
        minLength: 1,
        maxLength: 3,
      }),
      (resource, raw) => checkSound(resource, raw.join('&')),
    ),
    { numRuns: 2_000 },
  );
});
