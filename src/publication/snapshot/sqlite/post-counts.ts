// Counts the posts of tags and authors as the content interface shows them.

import type { Preparing } from '../../../base/sqlite/driver.ts';
import { publicAmongMany } from '../../tables/published-posts.ts';
import type { RowCache } from './cached-rows.ts';
import type { Link } from './link-sql.ts';
import { onlyPosts } from './set-aside-content.ts';
import type { SetAsideReader } from './set-aside-reader.ts';

type Counting = {
  readonly link: Link;
  readonly ids: readonly string[];
  readonly aside: SetAsideReader;
};

/** The rows that stand of tags or authors, each with the number of posts that are shown; pages are not counted. */
export const counted = <Row>(
  statements: Preparing,
  { link: { pivot, column }, ids, aside }: Counting,
  rows: RowCache<Row>,
): [Row, number][] => {
  const { and, given } = onlyPosts(aside);
  // The join has a fixed order, because SQLite chooses a slower one after ANALYZE. The query names no index: a table that another
  // program made again may lack it.
  const counts = new Map(
    statements
      .prepare(
        `SELECT l.${column}, count(DISTINCT l.post_id) FROM ${pivot} l CROSS JOIN posts p ON p.id = l.post_id
         WHERE l.${column} IN (SELECT value FROM json_each(?))
           AND ${publicAmongMany('p')} ${and} GROUP BY 1`,
      )
      .raw()
      .all(JSON.stringify(ids), ...given) as [string, number][],
  );
  const found = rows(ids);
  return ids.flatMap((id): [Row, number][] => {
    const row = found.get(id);
    return row === undefined ? [] : [[row, counts.get(id) ?? 0]];
  });
};
