// A publication with a declared query: a pattern of tags.
import { declaredQueriesOf } from '../../src/config/declared-queries.ts';
import { loadConfig } from '../../src/config/load.ts';
import type { Undeclared } from '../../src/config/schemas.ts';
import type { HostSite } from '../../src/hosts/host.ts';
import { EVERYTHING } from '../../src/paths/selection.ts';
import { buildMatrixSite, type MatrixSite, POST_ID } from './site.ts';

const MAX = 6;
const PATTERN = { resource: 'posts', filter: 'tag:{slug}', limit: 2, include: 'tags,authors' };
const SETTINGS = { 'lists.max': MAX, queries: [{ ...PATTERN, pages: 'all' }] };

export const UNICODE_TAG = '\u65e5\u672c';

export const buildDeclaredSite = (basePath = ''): Promise<MatrixSite> =>
  buildMatrixSite(basePath, undefined, {
    settings: SETTINGS,
    fill: ({ insert }) => {
      for (const [at, slug] of [UNICODE_TAG, 'zebra'].entries()) {
        const tag_id = insert('tags', { name: `Z ${at}`, slug });
        insert('posts_tags', { post_id: POST_ID, tag_id, sort_order: 7 + at });
      }
    },
  });

export const declaredHostQueries = (
  undeclared: Undeclared,
): Pick<HostSite, 'queries' | 'selection'> => {
  const { queries: declared } = declaredQueriesOf(loadConfig({ environment: {}, flags: SETTINGS }));
  return { selection: EVERYTHING, queries: { declared, undeclared, max: MAX, listPages: 'all' } };
};
