// Posts and pages by what finds them, and how long their texts are, read from the heads of their rows.
import { sql } from 'kysely';
import { db, type Queryable } from '../db.ts';
import type { ListSource } from '../list-source.ts';
import { type PostType, postList } from './posts.ts';

/** The list of posts or pages, with their ids alone. */
export const postIdList = (type: PostType): ListSource<{ readonly id: string }> => {
  const { row: _row, ...source } = postList(type);
  return { ...source, columns: sql`posts.id` };
};

/** Undefined when there is none. */
export const findPostId = async (
  from: Queryable,
  type: PostType,
  slug: string,
): Promise<string | undefined> =>
  (
    await db(from)
      .selectFrom('posts')
      .select('id')
      .where('slug', '=', slug)
      .where('type', '=', type)
      .executeTakeFirst()
  )?.id;

/** Bytes of all forms of their bodies together. */
export const sumPostBytes = async (from: Queryable, ids: readonly string[]): Promise<number> => {
  if (ids.length === 0) return 0;
  const { rows } = await sql<{ bytes: number | null }>`
    SELECT sum(coalesce(octet_length(html), 0) + coalesce(octet_length(plaintext), 0)
      + coalesce(octet_length(lexical), 0) + coalesce(octet_length(mobiledoc), 0)) AS bytes
    FROM posts WHERE id IN (${sql.join(ids)})`.execute(db(from));
  return rows[0]?.bytes ?? 0;
};
