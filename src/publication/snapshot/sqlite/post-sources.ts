// Reads what posts and pages are rendered from: the row with its meta, its tags, its authors and its tiers. Links are
// joined with both ends, because a writer without foreign keys may leave loose ones behind.
import type { Preparing } from '../../../base/sqlite/driver.ts';
import { spellBytes } from '../../../base/text/stored-text.ts';
import { columnsWhere } from '../../tables/record-tables.ts';
import type { AuthorRow, PostRow, PostSource, TagRow } from '../../tables/rows.ts';
import type { RowCache } from './cached-rows.ts';
import { LINKS, type Link } from './link-sql.ts';
import { postColumns } from './post-columns.ts';
import { byId, misledAt } from './rows-by-id.ts';

export type PostReader = (ids: readonly string[]) => PostSource[];

/** The statements are prepared once, not for every few records. */
export const postSources = (
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
    // SQLite made the list, of texts.
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

/** Few posts ask for tiers; the visibilities of the others are these. */
const WITHOUT_TIERS: readonly unknown[] = ['public', 'members', 'paid'];

const readPostTiers = (
  statements: Preparing,
): ((posts: readonly PostRow[]) => ReadonlyMap<string, readonly string[]>) => {
  const statement = statements
    .prepare(
      `SELECT j.value, (SELECT json_group_array(l.tier_id ORDER BY l.sort_order, l.id) FROM posts_tiers l
         WHERE l.post_id = j.value AND typeof(l.tier_id) = 'text') FROM json_each(?) j`,
    )
    .raw();
  return (posts) => {
    const asking = posts.filter(({ visibility }) => !WITHOUT_TIERS.includes(visibility));
    if (asking.length === 0) return new Map();
    const links = statement.all(JSON.stringify(asking.map(({ id }) => id))) as [string, string][];
    // SQLite made the list, of texts.
    return new Map(links.map(([id, tiers]) => [id, JSON.parse(tiers) as string[]]));
  };
};
