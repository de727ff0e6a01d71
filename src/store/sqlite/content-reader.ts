// Reads what documents are made of: the keys of everything shown, and the sources of named records.
// Links are joined with both ends, because a writer without foreign keys may leave loose ones behind.
import { spellBytes, toText } from '../../base/stored-text.ts';
import { parseStoredTime } from '../../base/time.ts';
import type { Resource } from '../../paths/endpoints.ts';
import { columnsWhere, RECORD_TABLES } from '../record-tables.ts';
import type { AuthorRow, AuthorSource, PostRow, PostSource, TagRow, TagSource } from '../rows.ts';
import { shownPost } from '../shown-posts.ts';
import type { RecordHolder, RecordKey, Snapshot, SourceOf } from '../snapshot.ts';
import { keptPost, notAbsent } from './aside-content.ts';
import type { AsideReader } from './aside-reader.ts';
import { cachedRows, type RowCache } from './cached-rows.ts';
import type { Preparing } from './driver.ts';
import { postColumns } from './post-columns.ts';
import { counted } from './post-counts.ts';
import { readPostTiers } from './post-tiers.ts';
import { byId, misledAt } from './rows-by-id.ts';

type ContentReader = Pick<
  Snapshot,
  'countRecords' | 'keys' | 'keysOf' | 'hidden' | 'sources' | 'linkedTo' | 'linkedFrom'
>;

export type Link = {
  readonly table: 'tags' | 'users';
  readonly pivot: string;
  readonly column: string;
};

const linkBy = (pivot: 'posts_tags' | 'posts_authors'): Link => {
  const { target, other } = RECORD_TABLES[pivot];
  return { table: target, pivot, column: other };
};

const LINKS: Readonly<Record<'tags' | 'authors', Link>> = {
  tags: linkBy('posts_tags'),
  authors: linkBy('posts_authors'),
};

/** Takes what else is to be true of the posts. */
const linkedToPublished =
  ({ table, pivot, column }: Link) =>
  (and: string): string =>
    `EXISTS (SELECT 1 FROM ${pivot} l JOIN posts p ON p.id = l.post_id
    WHERE l.${column} = ${table}.id AND ${shownPost('p')} ${and})`;

type KeyQuery = {
  readonly columns: string;
  readonly table: RecordHolder;
  readonly shown: (and: string) => string;
};

const KEY_QUERIES: Readonly<Record<Resource, KeyQuery>> = {
  posts: {
    columns: 'id, slug, published_at AS time',
    table: 'posts',
    shown: () => `${shownPost('posts')} AND type = 'post'`,
  },
  pages: {
    columns: 'id, slug, published_at AS time',
    table: 'posts',
    shown: () => `${shownPost('posts')} AND type = 'page'`,
  },
  tags: {
    columns: 'id, slug',
    table: 'tags',
    shown: linkedToPublished(LINKS.tags),
  },
  authors: {
    columns: 'id, slug',
    table: 'users',
    shown: linkedToPublished(LINKS.authors),
  },
};

/** The keys of those shown, as KeyRow and whether the row has the id that was asked for. */
export const keysOfQuery = (statements: Preparing, resource: Resource, and = ''): string => {
  const { columns, table, shown } = KEY_QUERIES[resource];
  return `SELECT ${columns}, ${table}.id = prepress_asked AS isAsked
    FROM ${byId(statements, table, table)} WHERE ${shown(and)}`;
};

type KeyRow = {
  id: string;
  /** Another program may have stored anything. */
  slug: unknown;
  /** When a post or page is published; absent for tags and authors. */
  time?: unknown;
};

type ReadOptions = {
  /** Milliseconds: posts and pages whose time comes after that are not shown yet. */
  readonly shownUntil: number;
  readonly aside: AsideReader;
};

export const readContent = (
  statements: Preparing,
  { shownUntil, aside }: ReadOptions,
): ContentReader => {
  const hidden = new Set<string>();
  const isShown = ({ id, time }: KeyRow): boolean => {
    const isDue = readTime(time) <= shownUntil;
    if (!isDue) hidden.add(id);
    return isDue;
  };
  const rowsOf = {
    tags: cachedRows<TagRow>(statements, 'tags', aside),
    authors: cachedRows<AuthorRow>(statements, 'users', aside),
  };
  /** `isAsked` tells the posts and pages that are wanted. */
  const keysFrom = (
    resource: Resource,
    rows: Iterable<KeyRow>,
    isAsked: (id: string) => boolean,
  ): RecordKey[] => {
    const { table } = KEY_QUERIES[resource];
    const keys: RecordKey[] = [];
    const found = new Set<string>();
    for (const row of rows) {
      if (aside.has(table, row.id)) found.add(row.id);
      else if (isShown(row)) keys.push(toKey(resource, row));
    }
    for (const kept of aside.keys(resource)) {
      const isKept = table === 'posts' ? isAsked(kept.id) : found.has(kept.id);
      if (isKept) keys.push(toKey(resource, kept));
    }
    return keys;
  };
  let read: PostReader | null = null;
  const readPosts: PostReader = (ids) => {
    read ??= postSources(statements, rowsOf);
    return read(ids).map((source) => keptPost(source, aside));
  };
  const sources: Readonly<{ [R in Resource]: (ids: readonly string[]) => SourceOf[R][] }> = {
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
  return {
    countRecords: () =>
      statements
        .prepare(
          `SELECT (SELECT count(*) FROM posts WHERE ${shownPost('posts')})
             + (SELECT count(*) FROM tags) + (SELECT count(*) FROM users)`,
        )
        .pluck()
        .get() as number,
    keys: (resource) => {
      const { columns, table, shown } = KEY_QUERIES[resource];
      const { and, given } = notAbsent(table, aside);
      const query = statements.prepare(`SELECT ${columns} FROM ${table} WHERE ${shown(and)}`);
      return keysFrom(resource, query.iterate(given) as Iterable<KeyRow>, () => true);
    },
    keysOf: (resource, ids) => {
      const { table } = KEY_QUERIES[resource];
      const { and, given } = notAbsent(table, aside);
      const statement = statements.prepare(keysOfQuery(statements, resource, and));
      const rows = statement.all(JSON.stringify(ids), ...given) as (KeyRow & { isAsked: number })[];
      for (const { id, isAsked } of rows) if (isAsked === 0) throw misledAt(table, id);
      const asked = new Set(ids);
      return keysFrom(resource, rows, (id) => asked.has(id));
    },
    hidden: () => [...hidden],
    sources: (resource, ids) => sources[resource](ids),
    linkedTo: (resource, postIds) => {
      const { pivot, column } = LINKS[resource];
      return statements
        .prepare(
          `SELECT DISTINCT ${column} FROM ${pivot} WHERE post_id IN (SELECT value FROM json_each(?))`,
        )
        .pluck()
        .all(JSON.stringify(postIds)) as string[];
    },
    linkedFrom: (resource, ids) => {
      const { pivot, column } = LINKS[resource];
      return statements
        .prepare(
          `SELECT DISTINCT p.id FROM ${pivot} l JOIN posts p ON p.id = l.post_id
           WHERE l.${column} IN (SELECT value FROM json_each(?)) AND ${shownPost('p')}`,
        )
        .pluck()
        .all(JSON.stringify(ids)) as string[];
    },
  };
};

/** An id stays as it is stored: what is no id is refused, not mended. */
const toKey = (resource: Resource, { id, slug, time }: KeyRow): RecordKey => ({
  id,
  slug: toText(slug),
  ms: resource === 'posts' || resource === 'pages' ? readTime(time) : 0,
});

const readTime = (stored: unknown): number =>
  parseStoredTime(spellBytes(stored) as string | number | null) ?? 0;

type PostReader = (ids: readonly string[]) => PostSource[];

/** The statements are prepared once, not for every few records. */
const postSources = (
  statements: Preparing,
  rowsOf: { readonly tags: RowCache<TagRow>; readonly authors: RowCache<AuthorRow> },
): PostReader => {
  const isUtf8 = statements.prepare('PRAGMA encoding').pluck().get() === 'UTF-8';
  const selected = postColumns({ post: 'p', meta: 'm' }, isUtf8 ? 'bytes' : 'text');
  const rows = statements
    .prepare(
      `SELECT ${selected} FROM ${byId(statements, 'posts', 'p')}
       LEFT JOIN posts_meta m ON m.post_id = p.id`,
    )
    .raw();
  const columns = rows.columns().map(({ name }) => ({ name, isBody: BODIES.has(name) }));
  const tagsOf = linksOf(statements, LINKS.tags, rowsOf.tags);
  const authorsOf = linksOf(statements, LINKS.authors, rowsOf.authors);
  const tiersOf = readPostTiers(statements);
  return (ids) => {
    const wanted = JSON.stringify(ids);
    const found = (rows.all(wanted) as unknown[][]).map((values) =>
      toRow<PostRow>(columns, values),
    );
    const posts = new Map(found.map((post) => [post.id, post]));
    const tags = tagsOf(wanted);
    const authors = authorsOf(wanted);
    const tiers = tiersOf(found);
    return ids.map((id) => {
      const post = posts.get(id);
      // Its key stands in the same snapshot.
      if (post === undefined) throw misledAt('posts', id);
      return {
        post,
        tags: tags.get(id) ?? [],
        authors: authors.get(id) ?? [],
        tiers: tiers.get(id) ?? [],
      };
    });
  };
};

type Column = { readonly name: string; readonly isBody: boolean };

/** Handed out as bytes. */
const BODIES: ReadonlySet<string> = new Set(
  columnsWhere('posts', ({ reads }) => reads === 'bytes'),
);

/** Objects made by the driver are hash tables, which take longer to make and to read. */
const toRow = <Row>(columns: readonly Column[], values: readonly unknown[]): Row => {
  const row: Record<string, unknown> = {};
  for (let at = 0; at < columns.length; at += 1) {
    const { name, isBody } = columns[at] as Column;
    row[name] = isBody ? values[at] : spellBytes(values[at]);
  }
  return row as Row;
};

/** Takes the ids of posts as a JSON array. */
type LinkReader<Row> = (wanted: string) => ReadonlyMap<string, readonly Row[]>;

/** What one post is linked to travels as one value. Ids are text; anything else is linked to nothing. */
const linksOf = <Row>(
  statements: Preparing,
  { pivot, column }: Link,
  rows: RowCache<Row>,
): LinkReader<Row> => {
  const statement = statements
    .prepare(
      `SELECT j.value, (SELECT json_group_array(l.${column} ORDER BY l.sort_order, l.id) FROM ${pivot} l
         WHERE l.post_id = j.value AND typeof(l.${column}) = 'text') FROM json_each(?) j`,
    )
    .raw();
  return (wanted) => {
    const links = (statement.all(wanted) as [string, string][]).map(
      ([postId, ids]) => [postId, new Set(JSON.parse(ids) as string[])] as const,
    );
    const found = rows([...new Set(links.flatMap(([, ids]) => [...ids]))]);
    const linked = new Map<string, Row[]>();
    for (const [postId, ids] of links) {
      const related = [...ids].map((id) => found.get(id));
      linked.set(
        postId,
        related.filter((row) => row !== undefined),
      );
    }
    return linked;
  };
};
