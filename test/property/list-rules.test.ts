// Hosts that run no code answer a query by the file of a default list only where the executor would answer the same, and
// never refuse what clients say when they mean a default list.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isDefaultQuery } from '../../src/content/edge/default-query.ts';
import { RESOURCES, type Resource, variantName } from '../../src/content/paths/endpoints.ts';
import { listFile } from '../../src/content/paths/files.ts';
import { resolve } from '../../src/content/paths/resolve.ts';
import { findDefaultList } from '../../src/content/queries/default-list.ts';
import { parseListQuery } from '../../src/content/queries/list-query.ts';
import type { OrderClause } from '../../src/content/queries/order.ts';
import { isQueryProblem } from '../../src/content/queries/query-problem.ts';
import { defaultQueries } from '../../src/publish/hosts/bundles/bundle.ts';
import type { HostQueries } from '../../src/publish/hosts/host.ts';
import { consumerQueries, REFUSED_QUERIES } from '../helpers/consumer-queries.ts';
import { defaultSpelling } from '../helpers/default-spellings.ts';
import { fileByRules, rulesOf } from '../helpers/read-by-rules.ts';

const MAX = 50;
const QUERIES: HostQueries = {
  otherQueries: 'refuse',
  staleSeconds: 60,
  max: MAX,
  listPages: 'all',
};
const RULES = rulesOf(QUERIES);
const IGNORING = rulesOf({ ...QUERIES, otherQueries: 'ignore' });
const SHAPES = defaultQueries();
const CONSUMERS = consumerQueries({
  tag: 'news',
  author: 'ann',
  id: '64a0000000000000000000a1',
  slug: 'welcome',
  time: '2026-01-04T10:00:00.000+00:00',
});

/** The file that answers it, without `.json`, below the folder of the resource; null: none does. */
const fileOf = (resource: Resource, raw: string): string | null => {
  try {
    const asked = parseListQuery(resource, raw, { max: MAX, nowMs: 0 });
    const found = findDefaultList(resource, { ...asked, order: withoutId(asked.order) }, MAX);
    if (found === null) return null;
    const variant = variantName(found.isPublicOnly ? 'public' : null, found.includes);
    return listFile(resource, variant, found.page).slice(resource.length + 1, -'.json'.length);
  } catch (error) {
    if (isQueryProblem(error)) return null;
    throw error;
  }
};

/** The executor sorts by it where the query says so; among posts of one time it means the same. */
const withoutId = ([first, ...more]: readonly OrderClause[]): OrderClause[] => {
  if (first === undefined) return [];
  const isMeant = first.field === 'published_at' && first.isDown && more.length === 1;
  const isId = more.every(({ field, isDown }) => field === 'id' && isDown);
  return isMeant && isId ? [first] : [first, ...more];
};

const isDefaultAtEdge = (resource: Resource, query: string): boolean =>
  isDefaultQuery({ query, shape: SHAPES[resource], max: MAX, pages: 0 });

const checkSound = (resource: Resource, raw: string): void => {
  const file = fileByRules(RULES, resource, raw);
  if (file !== null) expect(file, raw).toBe(fileOf(resource, raw));
  if (isDefaultAtEdge(resource, raw)) expect(fileOf(resource, raw), raw).not.toBeNull();
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
  const asked = [...ALL, ...USUAL, ...CONSUMERS].filter(
    ({ resource, raw }) => fileOf(resource, raw) !== null,
  );
  expect(asked.length).toBeGreaterThan(ALL.length + USUAL.length);
  const lost = asked.filter(({ resource, raw }) => fileByRules(RULES, resource, raw) === null);
  expect(lost).toEqual([]);
  const refused = asked.filter(({ resource, raw }) => !isDefaultAtEdge(resource, raw));
  expect(refused).toEqual([]);
});

/** By the function for CloudFront. */
const fileAtEdge = (resource: Resource, query: string): string | null => {
  if (!isDefaultAtEdge(resource, query)) return null;
  const found = resolve(`/content/${resource}/`, query, {
    basePath: '',
    storedSegment: () => undefined,
    isPaged: () => true,
  });
  return found?.kind === 'file' ? found.file.slice(resource.length + 1, -'.json'.length) : null;
};

test('no spelling of a default list is refused', () => {
  fc.assert(
    fc.property(defaultSpelling(MAX), ({ resource, raw }) => {
      const file = fileOf(resource, raw);
      expect(file, raw).not.toBeNull();
      expect(fileByRules(RULES, resource, raw), raw).toBe(file);
      expect(fileByRules(IGNORING, resource, raw), raw).toBe(file);
      expect(fileAtEdge(resource, raw), raw).toBe(file);
    }),
    { numRuns: 2_000 },
  );
});

const parameter = fc.constantFrom(
  ...['limit=7', 'limit=49', 'limit=15.5', 'page=2x', 'page=2', 'fields=titles', 'fields=title'],
  ...['formats=plaintext,html,pdf', 'formats=plaintext', 'order=id%20asc', 'order=published_at'],
  ...['order=published_at%20desc,id%20asc', 'order=nonsense%20asc%2Cslug%20desc', 'order=a;b'],
  ...['order=%70ublished_at+asc', 'order=x,name%20desc', 'Limit=3', 'l%69mit=3', 'l%69mit=all'],
  ...['include=tags', 'include=count.posts', 'filter=visibility:public', 'filter=featured:true'],
  ...['limit[]=3', 'limit%5b1%5D=all', 'filter[]=featured:true', 'page[0]=2'],
  ...['key=1', 'formats=lexical', 'order=title+ASC', 'order=name+asc,id+desc', 'limit&limit=3'],
  ...['limit[%31]=3', 'page=%32', 'page=1%32', 'page=9999999999', 'limit=%C2%A05', 'limit=%2D5'],
  ...['limit=-5', 'limit=5x', 'limit=%35', 'page=%09%31', 'formats=lexical,', 'order=name%09asc'],
  ...['filter=(visibility:public', 'filter=visibility:%27public', 'filter=visibility:public)'],
  ...['filter=(visibility:public)', 'order=title+asc,title+desc', 'formats=html', 'page=3'],
  ...ALL.map(({ raw }) => raw),
);

test('no query is answered by the file of another', () => {
  expect(REFUSED_QUERIES.filter(({ resource, raw }) => fileByRules(RULES, resource, raw))).toEqual(
    [],
  );
  fc.assert(
    fc.property(
      fc.constantFrom(...RESOURCES),
      fc.array(
        fc.oneof(
          parameter,
          defaultSpelling(MAX).map(({ raw }) => raw),
          fc.constantFrom(...CONSUMERS.map(({ raw }) => raw)),
        ),
        {
          minLength: 1,
          maxLength: 3,
        },
      ),
      (resource, raw) => checkSound(resource, raw.join('&')),
    ),
    { numRuns: 2_000 },
  );
});
