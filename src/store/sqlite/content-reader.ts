// Reads what documents are made of: the keys of everything shown, and the sources of named records.
// Links are joined with both ends, because a writer without foreign keys may leave loose ones behind.
import { parseStoredTime } from '../../base/time.ts';
import type { Resource } from '../../paths/endpoints.ts';
import type { AuthorRow, AuthorSource, PostRow, PostSource, TagRow, TagSource } from '../rows.ts';
import type { RecordHolder, RecordKey, Snapshot, SourceOf } from '../snapshot.ts';
import type { Preparing } from './driver.ts';
import { byId, misledAt, throwIfHidden } from './rows-by-id.ts';

type ContentReader = Pick<
  Snapshot,
  'countRecords' | 'keys' | 'keysOf' | 'hidden' | 'sources' | 'linkedTo' | 'linkedFrom'
>;

/** At most this many tag and author rows are kept between calls. */
const CACHED_ROWS_MAX = 10_000;

/** Only the excerpt is made of it: 500 UTF-16 units, which are 1,500 bytes at most, or less before addresses are put in. */
const PLAINTEXT_BYTES = 2_048;

/** A body is handed out as its bytes (documents/byte-text.ts). */
const BODY_COLUMNS = `CAST(p.html AS BLOB) AS html, iif(octet_length(p.plaintext) > ${PLAINTEXT_BYTES},
  substr(CAST(p.plaintext AS BLOB), 1, ${PLAINTEXT_BYTES}), p.plaintext) AS plaintext`;

/** Of a database that keeps text in UTF-16. */
const DECODED_COLUMNS = 'p.html, p.plaintext';

const POST_COLUMNS = `p.id, p.uuid, p.title, p.slug, p.comment_id,
  p.feature_image, p.featured, p.type, p.status, p.visibility, p.created_at, p.updated_at,
  p.published_at, p.custom_excerpt, p.codeinjection_head, p.codeinjection_foot, p.custom_template,
  p.canonical_url, p.show_title_and_feature_image, m.og_image, m.og_title, m.og_description,
  m.twitter_image, m.twitter_title, m.twitter_description, m.meta_title, m.meta_description,
  m.email_subject, m.feature_image_alt, m.feature_image_caption`;

type Link = { readonly table: 'tags' | 'users'; readonly pivot: string; readonly column: string };

const LINKS: Readonly<Record<'tags' | 'authors', Link>> = {
  tags: { table: 'tags', pivot: 'posts_tags', column: 'tag_id' },
  authors: { table: 'users', pivot: 'posts_authors', column: 'author_id' },
};

const linkedToPublished = ({ table, pivot, column }: Link): string =>
  `EXISTS (SELECT 1 FROM ${pivot} l JOIN posts p ON p.id = l.post_id
    WHERE l.${column} = ${table}.id AND p.status = 'published')`;

type KeyQuery = { readonly columns: string; readonly table: RecordHolder; readonly shown: string };

const KEY_QUERIES: Readonly<Record<Resource, KeyQuery>> = {
  posts: {
    columns: 'id, slug, published_at AS sort, 1 AS shown, published_at AS time',
    table: 'posts',
    shown: "status = 'published' AND type = 'post'",
  },
  pages: {
    columns: 'id, slug, title AS sort, 1 AS shown, published_at AS time',
    table: 'posts',
    shown: "status = 'published' AND type = 'page'",
  },
  tags: {
    columns: "id, slug, name AS sort, visibility = 'public' AS shown",
    table: 'tags',
    shown: linkedToPublished(LINKS.tags),
  },
  authors: {
    columns: 'id, slug, name AS sort, 1 AS shown',
    table: 'users',
    shown: linkedToPublished(LINKS.authors),
  },
};

/** The keys of those shown, as KeyRow and whether the row has the id that was asked for. */
export const keysOfQuery = (statements: Preparing, resource: Resource): string => {
  const { columns, table, shown } = KEY_QUERIES[resource];
  return `SELECT ${columns}, ${table}.id = prepress_asked AS isAsked
    FROM ${byId(statements, table, table)} WHERE ${shown}`;
};

type KeyRow = {
  id: string;
  slug: string;
  sort: string | number | null;
  shown: number;
  /** When a post or page is published; absent for tags and authors. */
  time?: string | number | null;
};

/** Posts and pages whose time comes after `shownUntil` (milliseconds) are not shown yet. */
export const readContent = (statements: Preparing, shownUntil: number): ContentReader => {
  const hidden = new Set<string>();
  const isShown = ({ id, time }: KeyRow): boolean => {
    const isDue = (parseStoredTime(time) ?? 0) <= shownUntil;
    if (!isDue) hidden.add(id);
    return isDue;
  };
  const rowsOf = {
    tags: cachedRows<TagRow>(statements, 'tags'),
    authors: cachedRows<AuthorRow>(statements, 'users'),
  };
  let read: PostReader | null = null;
  const readPosts: PostReader = (ids) => {
    read ??= postSources(statements, rowsOf);
    return read(ids);
  };
  const sources: Readonly<{ [R in Resource]: (ids: readonly string[]) => SourceOf[R][] }> = {
    posts: readPosts,
    pages: readPosts,
    tags: (ids) =>
      counted(statements, 'tags', ids, rowsOf.tags).map(([tag, posts]) => ({
        tag,
        posts,
      })) satisfies TagSource[],
    authors: (ids) =>
      counted(statements, 'authors', ids, rowsOf.authors).map(([author, posts]) => ({
        author,
        posts,
      })) satisfies AuthorSource[],
  };
  return {
    countRecords: () =>
      statements
        .prepare(
          `SELECT (SELECT count(*) FROM posts WHERE status = 'published')
             + (SELECT count(*) FROM tags) + (SELECT count(*) FROM users)`,
        )
        .pluck()
        .get() as number,
    keys: (resource) => {
      const { columns, table, shown } = KEY_QUERIES[resource];
      const query = statements.prepare(`SELECT ${columns} FROM ${table} WHERE ${shown}`);
      const rows = query.iterate() as Iterable<KeyRow>;
      const keys: RecordKey[] = [];
      for (const row of rows) if (isShown(row)) keys.push(toKey(resource, row));
      return keys;
    },
    keysOf: (resource, ids) => {
      const statement = statements.prepare(keysOfQuery(statements, resource));
      const rows = statement.all(JSON.stringify(ids)) as (KeyRow & { isAsked: number })[];
      for (const { id, isAsked } of rows) {
        if (isAsked === 0) throw misledAt(KEY_QUERIES[resource].table, id);
      }
      return rows.filter(isShown).map((row) => toKey(resource, row));
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
           WHERE l.${column} IN (SELECT value FROM json_each(?)) AND p.status = 'published'`,
        )
        .pluck()
        .all(JSON.stringify(ids)) as string[];
    },
  };
};

const toKey = (resource: Resource, row: KeyRow): RecordKey => ({
  id: row.id,
  slug: row.slug,
  sort: resource === 'posts' ? (parseStoredTime(row.sort) ?? 0) : String(row.sort ?? ''),
  isPublic: row.shown === 1,
});

type RowCache<Row> = (ids: readonly string[]) => ReadonlyMap<string, Row>;

const cachedRows = <Row extends { id: string }>(
  statements: Preparing,
  table: Link['table'],
): RowCache<Row> => {
  const statement = statements.prepare(`SELECT t.* FROM ${byId(statements, table, 't')}`);
  const cache = new Map<string, Row>();
  const absent = new Set<string>();
  return (ids) => {
    if (cache.size > CACHED_ROWS_MAX) cache.clear();
    if (absent.size > CACHED_ROWS_MAX) absent.clear();
    const missing = ids.filter((id) => !cache.has(id) && !absent.has(id));
    if (missing.length > 0) {
      for (const row of statement.all(JSON.stringify(missing)) as Row[]) cache.set(row.id, row);
      const vain = missing.filter((id) => !cache.has(id));
      throwIfHidden(statements, table, vain);
      for (const id of vain) absent.add(id);
    }
    return cache;
  };
};

const counted = <Row>(
  statements: Preparing,
  resource: 'tags' | 'authors',
  ids: readonly string[],
  rows: RowCache<Row>,
): [Row, number][] => {
  const { pivot, column } = LINKS[resource];
  const counts = new Map(
    statements
      .prepare(
        `SELECT l.${column}, count(DISTINCT l.post_id) FROM ${pivot} l JOIN posts p ON p.id = l.post_id
         WHERE l.${column} IN (SELECT value FROM json_each(?))
           AND p.status = 'published' AND p.type = 'post' GROUP BY 1`,
      )
      .raw()
      .all(JSON.stringify(ids)) as [string, number][],
  );
  const found = rows(ids);
  return ids.flatMap((id): [Row, number][] => {
    const row = found.get(id);
    return row === undefined ? [] : [[row, counts.get(id) ?? 0]];
  });
};

type PostReader = (ids: readonly string[]) => PostSource[];

/** The statements are prepared once, not for every few records. */
const postSources = (
  statements: Preparing,
  rowsOf: { readonly tags: RowCache<TagRow>; readonly authors: RowCache<AuthorRow> },
): PostReader => {
  const isUtf8 = statements.prepare('PRAGMA encoding').pluck().get() === 'UTF-8';
  const rows = statements
    .prepare(
      `SELECT ${POST_COLUMNS}, ${isUtf8 ? BODY_COLUMNS : DECODED_COLUMNS} FROM ${byId(statements, 'posts', 'p')}
       LEFT JOIN posts_meta m ON m.post_id = p.id`,
    )
    .raw();
  const names = rows.columns().map(({ name }) => name);
  const tagsOf = linksOf(statements, LINKS.tags, rowsOf.tags);
  const authorsOf = linksOf(statements, LINKS.authors, rowsOf.authors);
  return (ids) => {
    const wanted = JSON.stringify(ids);
    const found = (rows.all(wanted) as unknown[][]).map((values) => toRow<PostRow>(names, values));
    const posts = new Map(found.map((post) => [post.id, post]));
    const tags = tagsOf(wanted);
    const authors = authorsOf(wanted);
    return ids.map((id) => {
      const post = posts.get(id);
      // Its key stands in the same snapshot.
      if (post === undefined) throw misledAt('posts', id);
      return { post, tags: tags.get(id) ?? [], authors: authors.get(id) ?? [] };
    });
  };
};

/** Objects made by the driver are hash tables, which take longer to make and to read. */
const toRow = <Row>(names: readonly string[], values: readonly unknown[]): Row => {
  const row: Record<string, unknown> = {};
  for (let at = 0; at < names.length; at += 1) row[names[at] as string] = values[at];
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
