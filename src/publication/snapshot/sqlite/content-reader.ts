// Reads what documents are made of: the keys of everything shown, and the sources of named records.

import type { Preparing } from '../../../base/sqlite/driver.ts';
import type { Resource } from '../../../content/paths/endpoints.ts';
import { publicPost } from '../../tables/published-posts.ts';
import type { AuthorRow, AuthorSource, TagRow, TagSource } from '../../tables/rows.ts';
import type { Snapshot, SourceOf } from '../snapshot.ts';
import { cachedRows } from './cached-rows.ts';
import { readKeys } from './content-keys.ts';
import { LINKS } from './link-sql.ts';
import { counted } from './post-counts.ts';
import { type PostReader, postSources } from './post-sources.ts';
import { lastGoodPost } from './set-aside-content.ts';
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
