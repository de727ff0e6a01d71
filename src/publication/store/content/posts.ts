// Queries of posts and pages with their posts_meta row. Which values are allowed is decided by the use
// cases; links to tags, authors and tiers are in linked-posts.ts.
import { type RawBuilder, type Selectable, sql, type Updateable } from 'kysely';
import { each } from '../../../base/text/words.ts';
import { emailOnlyPost } from '../../tables/published-posts.ts';
import { META_FIELDS } from '../../tables/record-tables.ts';
import type { Tables } from '../../tables/tables.ts';
import { db, type Queryable, type Transaction } from '../db.ts';
import type { FilterField, FilterFields } from '../list-filter.ts';
import { column, type ListSource, ownColumns } from '../list-source.ts';
import { findRow, listRows, rowsOf } from '../table-rows.ts';

export type PostType = 'post' | 'page';
export type FullPostRow = Selectable<Tables['posts']>;
export type PostMetaRow = Selectable<Tables['posts_meta']>;
export type PostChanges = Updateable<Tables['posts']>;
export type PostMetaChanges = Updateable<Omit<Tables['posts_meta'], 'id' | 'post_id'>>;

export const findPostById = (
  from: Queryable,
  type: PostType,
  id: string,
): Promise<FullPostRow | undefined> => findRow(from, 'posts', { id, type });

/** `key`: its id or its uuid. */
export const findPostBy = (
  from: Queryable,
  type: PostType,
  key: { readonly id: string } | { readonly uuid: string },
): Promise<FullPostRow | undefined> => findRow(from, 'posts', { ...key, type });

export const findPostsById = async (
  from: Queryable,
  type: PostType,
  ids: readonly string[],
): Promise<Map<string, FullPostRow>> => {
  const rows = await listRows(from, 'posts', { where: { id: ids, type } });
  return new Map(rows.map((row) => [row.id, row]));
};

/** Ids of those whose body keeps a part of itself from somebody, as Ghost marks it. */
export const listGatedIds = async (from: Queryable): Promise<Set<string>> => {
  const marked = sql<boolean>`instr(html, '<!--kg-gated-block:begin') OR instr(html, '<!--members-only-->')`;
  const rows = await db(from).selectFrom('posts').select('id').where(marked).execute();
  return new Set(rows.map(({ id }) => id));
};

export const findMetaRows = (from: Queryable, postIds: readonly string[]): Promise<PostMetaRow[]> =>
  listRows(from, 'posts_meta', { where: { post_id: postIds } });

export const { insert: insertPost, update: updatePost } = rowsOf('posts');

/** Changes the posts_meta row of a post, or makes it. */
export const saveMeta = async (
  tx: Transaction,
  keys: { readonly id: string; readonly postId: string },
  changes: PostMetaChanges,
): Promise<void> => {
  await db(tx)
    .insertInto('posts_meta')
    .values({ ...changes, id: keys.id, post_id: keys.postId })
    .onConflict((conflict) => conflict.column('post_id').doUpdateSet(changes))
    .execute();
};

/** False when there is no such post or page. */
export const deletePostRow = async (
  tx: Transaction,
  type: PostType,
  id: string,
): Promise<boolean> => {
  const removal = db(tx).deleteFrom('posts').where('id', '=', id).where('type', '=', type);
  return (await removal.executeTakeFirst()).numDeletedRows > 0n;
};

/** A record linked to posts, by one of its columns. */
const linked = (link: string, target: string, name: string): FilterField => ({
  value: sql.ref(`${target}.${name}`),
  kind: 'text',
  exists: (condition) => sql<boolean>`EXISTS (SELECT 1 FROM ${sql.table(link)}
    JOIN ${sql.table(target)} ON ${sql.ref(`${target}.id`)} =
      ${sql.ref(`${link}.${target === 'users' ? 'author' : 'tag'}_id`)}
    WHERE ${sql.ref(`${link}.post_id`)} = posts.id AND ${condition})`,
});

/** The first of the linked records; the primary tag is nobody when the first one is internal. */
const first = (link: string, target: string, isPublic: RawBuilder<boolean>): FilterField => {
  const key = sql.ref(`${link}.${target === 'users' ? 'author' : 'tag'}_id`);
  return {
    value: sql`(SELECT CASE WHEN ${isPublic} THEN ${sql.ref(`${target}.slug`)} END
      FROM ${sql.table(link)} JOIN ${sql.table(target)} ON ${sql.ref(`${target}.id`)} = ${key}
      WHERE ${sql.ref(`${link}.post_id`)} = posts.id
      ORDER BY ${sql.ref(`${link}.sort_order`)}, ${sql.ref(`${link}.id`)} LIMIT 1)`,
    kind: 'text',
  };
};

const OWN = ownColumns('posts', {
  ...each('text', 'id uuid slug title status visibility type comment_id locale newsletter_id'),
  ...each('text', 'custom_template feature_image custom_excerpt canonical_url'),
  ...each('text', 'codeinjection_head codeinjection_foot email_recipient_filter'),
  ...each('flag', 'featured show_title_and_feature_image'),
  ...each('time', 'created_at updated_at published_at'),
});

/** `tag` and `tags` stand for the slug; `tags.name` and the like for the others. */
const linkedFields = (
  noun: string,
  link: string,
  target: string,
  names: readonly string[],
): FilterFields => ({
  [noun]: linked(link, target, 'slug'),
  [`${noun}s`]: linked(link, target, 'slug'),
  ...Object.fromEntries(names.map((name) => [`${noun}s.${name}`, linked(link, target, name)])),
});

const meta = (name: string): FilterField => ({
  value: sql.ref(`posts_meta.${name}`),
  kind: 'text',
  exists: (condition) => sql<boolean>`EXISTS (SELECT 1 FROM posts_meta
    WHERE posts_meta.post_id = posts.id AND ${condition})`,
});

/**
 * Posts and pages of any status: scheduled ones first, then drafts, then the rest; the newest first
 * within each (facts section 2).
 */
export const everyPostList: ListSource<FullPostRow> = {
  table: 'posts',
  fields: {
    ...OWN.fields,
    ...Object.fromEntries(META_FIELDS.map((name) => [name, meta(name)])),
    email_only: { value: sql.raw(emailOnlyPost('posts')), kind: 'flag' },
    ...linkedFields('tag', 'posts_tags', 'tags', ['id', 'name', 'slug', 'visibility']),
    ...linkedFields('author', 'posts_authors', 'users', ['id', 'name', 'slug']),
    primary_tag: first('posts_tags', 'tags', sql<boolean>`tags.visibility = 'public'`),
    primary_author: first('posts_authors', 'users', sql<boolean>`1`),
  },
  orders: { ...OWN.orders, title: sql`${column('posts', 'title')} COLLATE NOCASE` },
  defaultOrder: sql`CASE posts.status WHEN 'scheduled' THEN 0 WHEN 'draft' THEN 1 ELSE 2 END,
    CASE posts.status WHEN 'draft' THEN NULL ELSE ${OWN.orders.published_at} END DESC,
    ${OWN.orders.updated_at} DESC, posts.id DESC`,
};

export const postList = (type: PostType): ListSource<FullPostRow> => ({
  ...everyPostList,
  scope: sql<boolean>`posts.type = ${type}`,
});
