// prepress posts: list posts and pages of any status.

import { PrepressError } from '../../../base/errors.ts';
import type { Filter } from '../../../content/queries/filter.ts';
import { adminTime } from '../../../publication/documents/admin/values.ts';
import {
  everyPostList,
  type FullPostRow,
  type PostType,
  postList,
} from '../../../publication/store/content/posts.ts';
import { openList } from '../../../publication/store/list-source.ts';
import { withWorkspace } from '../../../serve/workspace/with-workspace.ts';
import type { Run } from '../command.ts';
import { parseLimit } from '../parse-count.ts';

const STATUSES = ['draft', 'published', 'scheduled', 'sent'];
const TYPES: readonly PostType[] = ['post', 'page'];

export const postsList: Run = ({ config, report, options }) =>
  withWorkspace(config, async ({ store }) => {
    const limit = parseLimit(options.limit);
    const type = parseOneOf('--type', TYPES, options.type);
    const status = parseOneOf('--status', STATUSES, options.status);
    const source = type === undefined ? everyPostList : postList(type);
    const query = { filter: filterOf(status), search: null, order: [] };
    const { total, rows: read } = await openList(store, source, query);
    const posts: PostLine[] = [];
    // A row has its bodies: few at a time.
    while (posts.length < Math.min(limit, total)) {
      const range = { limit: Math.min(ROWS, limit - posts.length), offset: posts.length };
      const rows = await read(range);
      if (rows.length === 0) break;
      posts.push(...rows.map(lineOf));
    }
    for (const { slug, type: kind, status: state, published_at, title } of posts) {
      report.print(`${slug}  ${kind}  ${state}  ${published_at ?? '-'}  ${title}`);
    }
    const more = total - posts.length;
    if (more > 0) report.print(`... and ${more} more; --limit ${total} lists all.`);
    if (posts.length === 0) {
      const nouns = type === undefined ? 'posts or pages' : `${type}s`;
      report.print(`There are no ${status === undefined ? nouns : `${status} ${nouns}`}.`);
    }
    report.data({ posts, total });
    return 0;
  });

const ROWS = 100;

type PostLine = {
  readonly id: string;
  readonly type: string;
  readonly slug: string;
  readonly status: string;
  readonly title: string;
  readonly published_at: string | null;
};

const lineOf = (row: FullPostRow): PostLine => ({
  id: row.id,
  type: row.type,
  slug: row.slug,
  status: row.status,
  title: row.title,
  published_at: adminTime(row.published_at),
});

const filterOf = (status: string | undefined): Filter | null =>
  status === undefined ? null : { kind: 'compare', field: 'status', operator: '=', value: status };

const parseOneOf = <T extends string>(
  option: string,
  names: readonly T[],
  value: unknown,
): T | undefined => {
  const found = names.find((name) => name === value);
  if (found !== undefined || value === undefined) return found;
  throw new PrepressError('USAGE', `${option} is one of ${names.join(', ')}, got "${value}".`);
};
