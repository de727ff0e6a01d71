// Queries of posts and pages with their posts_meta row. Which values are allowed is decided by the use
// cases; links to tags, authors and tiers are in post-links.ts.
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { Reader, Writer } from './store.ts';
import type { PostsMetaTable, PostsTable } from './tables/content.ts';

export type PostType = 'post' | 'page';
export type FullPostRow = Selectable<PostsTable>;
export type PostMetaRow = Selectable<PostsMetaTable>;
export type PostChanges = Updateable<PostsTable>;
export type PostMetaChanges = Updateable<Omit<PostsMetaTable, 'id' | 'post_id'>>;

export const findPostById = (
  reader: Reader,
  type: PostType,
  id: string,
): Promise<FullPostRow | undefined> =>
  reader
    .selectFrom('posts')
    .selectAll()
    .where('id', '=', id)
    .where('type', '=', type)
    .executeTakeFirst();

export const findPostBySlug = (
  reader: Reader,
  type: PostType,
  slug: string,
): Promise<FullPostRow | undefined> =>
  reader
    .selectFrom('posts')
    .selectAll()
    .where('slug', '=', slug)
    .where('type', '=', type)
    .executeTakeFirst();

export const findMetaRows = async (
  reader: Reader,
  postIds: readonly string[],
): Promise<PostMetaRow[]> =>
  postIds.length === 0
    ? []
    : reader.selectFrom('posts_meta').selectAll().where('post_id', 'in', postIds).execute();

/** Slugs of posts and pages that are `base` or begin with `base-`; `exceptId` is left out. */
export const listSlugsLike = async (
  reader: Reader,
  base: string,
  exceptId: string | null,
): Promise<string[]> => {
  const rows = await reader
    .selectFrom('posts')
    .select('slug')
    .where(({ eb, or, and }) =>
      or([
        eb('slug', '=', base),
        // A range instead of LIKE: the index serves it, and no character needs escaping.
        and([eb('slug', '>=', `${base}-`), eb('slug', '<', `${base}.`)]),
      ]),
    )
    .$if(exceptId !== null, (query) => query.where('id', '!=', exceptId ?? ''))
    .execute();
  return rows.map(({ slug }) => slug);
};

export const insertPost = async (writer: Writer, row: Insertable<PostsTable>): Promise<void> => {
  await writer.insertInto('posts').values(row).execute();
};

export const updatePost = async (
  writer: Writer,
  id: string,
  changes: PostChanges,
): Promise<void> => {
  await writer.updateTable('posts').set(changes).where('id', '=', id).execute();
};

/** Changes the posts_meta row of a post, or makes it. */
export const saveMeta = async (
  writer: Writer,
  keys: { readonly id: string; readonly postId: string },
  changes: PostMetaChanges,
): Promise<void> => {
  await writer
    .insertInto('posts_meta')
    .values({ ...EMPTY_META, ...changes, id: keys.id, post_id: keys.postId })
    .onConflict((conflict) => conflict.column('post_id').doUpdateSet(changes))
    .execute();
};

const EMPTY_META = {
  og_image: null,
  og_title: null,
  og_description: null,
  twitter_image: null,
  twitter_title: null,
  twitter_description: null,
  meta_title: null,
  meta_description: null,
  email_subject: null,
  frontmatter: null,
  feature_image_alt: null,
  feature_image_caption: null,
};

/** False when there is no such post or page. */
export const deletePostRow = async (
  writer: Writer,
  type: PostType,
  id: string,
): Promise<boolean> => {
  const result = await writer
    .deleteFrom('posts')
    .where('id', '=', id)
    .where('type', '=', type)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
};

export type Page = { readonly limit: number; readonly offset: number };

/**
 * Posts or pages of any status: scheduled ones first, then drafts, then the rest; the newest first
 * within each (facts section 2).
 */
export const listPostRows = (reader: Reader, type: PostType, page: Page): Promise<FullPostRow[]> =>
  reader
    .selectFrom('posts')
    .selectAll()
    .where('type', '=', type)
    .orderBy(sql`CASE status WHEN 'scheduled' THEN 0 WHEN 'draft' THEN 1 ELSE 2 END`)
    .orderBy(sql`CASE status WHEN 'draft' THEN NULL ELSE published_at END`, 'desc')
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();

export const countPosts = async (reader: Reader, type: PostType): Promise<number> => {
  const row = await reader
    .selectFrom('posts')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('type', '=', type)
    .executeTakeFirstOrThrow();
  return row.total;
};
