// Changes of many posts or pages in a few statements, inside the transaction of the caller. A row that nothing changes
// is not written, so that the change log shows what happened alone.
import { type RawBuilder, sql } from 'kysely';
import { db, type Transaction } from '../db.ts';
import type { PostChanges } from './posts.ts';

const oneOf = (ids: readonly string[]): RawBuilder<unknown> =>
  sql`IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`;

export const setOnPosts = async (
  tx: Transaction,
  ids: readonly string[],
  { updated_at, ...changes }: PostChanges & { readonly updated_at: string },
): Promise<void> => {
  const pairs = Object.entries(changes).map(([name, value]) => [sql.ref(name), value] as const);
  const set = sql.join(pairs.map(([name, value]) => sql`${name} = ${value}`));
  const differs = sql.join(
    pairs.map(([name, value]) => sql`${name} IS NOT ${value}`),
    sql` OR `,
  );
  await sql`UPDATE posts SET ${set}, updated_at = ${updated_at}
    WHERE id ${oneOf(ids)} AND (${differs})`.execute(db(tx));
};

export const clearEmailOnly = async (tx: Transaction, ids: readonly string[]): Promise<void> => {
  await sql`UPDATE posts_meta SET email_only = 0
    WHERE post_id ${oneOf(ids)} AND email_only IS NOT 0`.execute(db(tx));
};

/** It becomes the last tag of those that do not have it. */
export const tagPosts = async (
  tx: Transaction,
  ids: readonly string[],
  tagId: string,
): Promise<void> => {
  await sql`INSERT INTO posts_tags (id, post_id, tag_id, sort_order)
    SELECT lower(hex(randomblob(12))), post.value, ${tagId}, (
      SELECT coalesce(max(sort_order) + 1, 0) FROM posts_tags WHERE post_id = post.value)
    FROM (${withoutTag(ids, tagId)}) AS post`.execute(db(tx));
};

/** Those that have the tag are not listed: there may be many more than the given ones. */
export const withoutTag = (ids: readonly string[], tagId: string): RawBuilder<unknown> =>
  sql`SELECT value FROM json_each(${JSON.stringify(ids)}) AS given WHERE NOT EXISTS
    (SELECT 1 FROM posts_tags AS own WHERE own.post_id = given.value AND own.tag_id = ${tagId})`;
