// Reads what documents are made of: the keys of everything shown, and the sources of named records.

import type { Preparing } from '../../../base/sqlite/driver.ts';
import type { Resource } from '../../../content/paths/endpoints.ts';
import { publicAmongMany, publicPost } from '../../tables/published-posts.ts';
import type { AuthorRow, AuthorSource, TagRow, TagSource } from '../../tables/rows.ts';
import type { Snapshot, SourceOf } from '../snapshot.ts';
import { cachedRows, type RowCache } from './cached-rows.ts';
import { readKeys } from './content-keys.ts';
import { LINKS, type Link } from './link-sql.ts';
import { type PostReader, postSources } from './post-sources.ts';
import { lastGoodPost, onlyPosts } from './set-aside-content.ts';
import type { SetAsideReader } from './set-aside-reader.ts';

type ContentReader = Pick<
  Snapshot,
  'countRecords' | 'keys' | 'keysOf' | 'sources' | 'linkedTo' | 'linkedFrom'
>;

export const readContent = (statements: Preparing, aside: SetAsideReader): ContentReader => {
  const sources = readSources(statements, aside);
  return {
    countRecords: () =>
      statements
        .prepare(
          `SELECT (SELECT count(*) FROM posts WHERE ${publicPost('posts')})
             + (SELECT count(*) FROM tags) + (SELECT count(*) FROM users)`,
        )
        .pluck()
        .get() as number,
    ...readKeys(statements, aside),
    sources: (resource, ids) => sources[resource](ids),
    ...readLinks(statements),
  };
};

type Sources = Readonly<{ [R in Resource]: (ids: readonly string[]) => SourceOf[R][] }>;

const readSources = (statements: Preparing, aside: SetAsideReader): Sources => {
  const rowsOf = {
    tags: cachedRows<TagRow>(statements, 'tags', aside),
    authors: cachedRows<AuthorRow>(statements, 'users', aside),
  };
  let read: PostReader | null = null;
  const readPosts: PostReader = (ids) => {
    read ??= postSources(statements, rowsOf);
    return read(ids).map((source) => lastGoodPost(source, aside));
  };
  return {
    posts: readPosts,
    pages: readPosts,
    tags: (ids) =>
      counted(statements, { link: LINKS.tags, ids, aside }, rowsOf.tags).map(([tag, posts]) => ({
        tag,
        posts,
      })) satisfies TagSource[],
    authors: (ids) =>
      counted(statements, { link: LINKS.authors, ids, aside }, rowsOf.authors).map(
        ([author, posts]) => ({ author, posts }),
      ) satisfies AuthorSource[],
  };
};

const readLinks = (statements: Preparing): Pick<Snapshot, 'linkedTo' | 'linkedFrom'> => {
  const read = (sql: string, ids: readonly string[]): string[] =>
    statements.prepare(sql).pluck().all(JSON.stringify(ids)) as string[];
  return {
    linkedTo: (resource, postIds) => {
      const { pivot, column } = LINKS[resource];
      return read(
        `SELECT DISTINCT ${column} FROM ${pivot} WHERE post_id IN (SELECT value FROM json_each(?))`,
        postIds,
      );
    },
    linkedFrom: (resource, ids) => {
      const { pivot, column } = LINKS[resource];
      return read(
        `SELECT DISTINCT p.id FROM ${pivot} l CROSS JOIN posts p ON p.id = l.post_id
           WHERE l.${column} IN (SELECT value FROM json_each(?)) AND ${publicPost('p')}`,
        ids,
      );
    },
  };
};

type Counting = {
  readonly link: Link;
  readonly ids: readonly string[];
  readonly aside: SetAsideReader;
};

/** The rows that stand of tags or authors, each with the number of posts that are shown; pages are not counted. */
const counted = <Row>(
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
