// Queries of the links of posts and pages to tags, authors and tiers.
import { sql } from 'kysely';
import type { RecordRow } from '../../snapshot/snapshot.ts';
import { db, type Queryable } from '../db.ts';

export type PostLinks = {
  readonly tags: RecordRow<'tags'>[];
  readonly authors: RecordRow<'users'>[];
  readonly tiers: RecordRow<'tiers'>[];
};

/** The linked records of each post, in their order (sort_order, then row id). */
export const linksOfPosts = async (
  from: Queryable,
  postIds: readonly string[],
): Promise<Map<string, PostLinks>> => {
  const links = new Map<string, PostLinks>(
    postIds.map((id) => [id, { tags: [], authors: [], tiers: [] }]),
  );
  if (postIds.length === 0) return links;
  const tags = await linkedRecords(from, { table: 'posts_tags', target: 'tags' }, postIds);
  const authors = await linkedRecords(from, { table: 'posts_authors', target: 'users' }, postIds);
  const tiers = await linkedRecords(from, { table: 'posts_tiers', target: 'tiers' }, postIds);
  for (const { link_post_id, ...tag } of tags) links.get(link_post_id)?.tags.push(tag);
  for (const { link_post_id, ...author } of authors) links.get(link_post_id)?.authors.push(author);
  for (const { link_post_id, ...tier } of tiers) links.get(link_post_id)?.tiers.push(tier);
  return links;
};

const LINK_COLUMNS = {
  posts_tags: 'tag_id',
  posts_authors: 'author_id',
  posts_tiers: 'tier_id',
} as const;

type LinkTable = keyof typeof LINK_COLUMNS;

const linkedRecords = async <T extends 'tags' | 'users' | 'tiers'>(
  from: Queryable,
  { table, target }: { readonly table: LinkTable; readonly target: T },
  postIds: readonly string[],
): Promise<(RecordRow<T> & { readonly link_post_id: string })[]> => {
  const { rows } = await sql<RecordRow<T> & { readonly link_post_id: string }>`
    SELECT target.*, link.post_id AS link_post_id
    FROM ${sql.table(table)} AS link
    JOIN ${sql.table(target)} AS target ON target.id = link.${sql.ref(LINK_COLUMNS[table])}
    WHERE link.post_id IN (SELECT value FROM json_each(${JSON.stringify(postIds)}))
    ORDER BY link.sort_order, link.id`.execute(db(from));
  return rows;
};

/** Posts and pages of any status that each of those records is linked to; records without any are left out. */
export const countLinkedPosts = async (
  from: Queryable,
  [table, column]: readonly [table: 'posts_tags' | 'posts_authors', column: 'tag_id' | 'author_id'],
  ids: readonly string[],
): Promise<Map<string, number>> => {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ readonly id: string; readonly posts: number }>`
    SELECT ${sql.ref(column)} AS id, count(DISTINCT post_id) AS posts FROM ${sql.table(table)}
    WHERE ${sql.ref(column)} IN (${sql.join(ids)}) GROUP BY 1`.execute(db(from));
  return new Map(rows.map(({ id, posts }) => [id, posts]));
};
