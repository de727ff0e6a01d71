// A publication with declared queries: those of real consumers, and patterns of tags and authors.

import { queryValues } from '../../src/base/query-values.ts';
import { declaredQueriesOf } from '../../src/config/declared-queries.ts';
import { loadConfig } from '../../src/config/load.ts';
import type { Undeclared } from '../../src/config/schemas.ts';
import type { HostSite } from '../../src/hosts/host.ts';
import { EVERYTHING } from '../../src/paths/selection.ts';
import { type ConsumerQuery, consumerQueries } from '../helpers/consumer-queries.ts';
import { buildMatrixSite, type MatrixSite, POST_ID } from './site.ts';

const MAX = 6;

const PATTERNS = [
  { resource: 'posts', filter: 'tag:{slug}', limit: 2, include: 'tags,authors', pages: 'all' },
  { resource: 'posts', filter: 'author:{slug}+featured:false', fields: 'title,slug', pages: 2 },
  { resource: 'posts', filter: "title:'Post 1'", fields: 'slug' },
  { resource: 'posts', fields: 'slug', include: 'tags', limit: 1 },
  { resource: 'posts', limit: 2, pages: 'all' },
] as const;

/** A declared query of nine posts, of which one page is a file. */
export const ONE_PAGE = 'fields=slug&include=tags&limit=1';

/** What is declared for a query that a client sent. */
const declarationOf = ({ resource, raw }: ConsumerQuery): Record<string, unknown> => ({
  resource,
  pages: 'all',
  ...Object.fromEntries(
    ['fields', 'filter', 'formats', 'include', 'limit', 'order'].flatMap((name) => {
      const [first, ...more] = queryValues(raw, name);
      if (first === undefined) return [];
      return [[name, name === 'include' ? [first, ...more].join() : first]];
    }),
  ),
});

/** What a consumer may declare, for the sizes of rules. */
export const CONSUMERS = consumerQueries({
  tag: 'news',
  author: 'author-0',
  id: POST_ID,
  slug: 'welcome',
  time: '2026-01-04T10:00:00.000+00:00',
}).map(declarationOf);

const SETTINGS = { 'lists.max': MAX, queries: PATTERNS };

export const UNICODE_TAG = '\u65e5\u672c';

export const buildDeclaredSite = (basePath = ''): Promise<MatrixSite> =>
  buildMatrixSite(basePath, undefined, {
    settings: SETTINGS,
    fill: ({ insert }) => {
      const tag_id = insert('tags', { name: 'Japan', slug: UNICODE_TAG });
      insert('posts_tags', { post_id: POST_ID, tag_id, sort_order: 7 });
      const zebra = insert('tags', { name: 'Zebra', slug: 'zebra' });
      insert('posts_tags', { post_id: POST_ID, tag_id: zebra, sort_order: 8 });
    },
  });

export const declaredHostQueries = (
  undeclared: Undeclared,
  queries: readonly object[] = PATTERNS,
): Pick<HostSite, 'queries' | 'selection'> => ({
  selection: EVERYTHING,
  queries: {
    declared: declaredQueriesOf(loadConfig({ environment: {}, flags: { ...SETTINGS, queries } }))
      .queries,
    undeclared,
    max: MAX,
    listPages: 'all',
  },
});
