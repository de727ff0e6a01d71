// Queries of tags: by what clients name them with, and as a list.
import { type Selectable, sql } from 'kysely';
import { each } from '../../../base/text/words.ts';
import type { Tables } from '../../tables/tables.ts';
import { db, type Queryable } from '../db.ts';
import { column, type ListSource, ownColumns } from '../list-source.ts';
import { findRow, rowsOf } from '../table-rows.ts';
import { countLinkedPosts } from './linked-posts.ts';

export type FullTagRow = Selectable<Tables['tags']>;

const OWN = ownColumns('tags', {
  ...each('text', 'id name slug description feature_image parent_id visibility accent_color'),
  ...each('text', 'og_image og_title og_description meta_title meta_description canonical_url'),
  ...each('text', 'twitter_image twitter_title twitter_description'),
  ...each('text', 'codeinjection_head codeinjection_foot'),
  ...each('time', 'created_at updated_at'),
});

export const TAG_LIST: ListSource<FullTagRow> = {
  table: 'tags',
  fields: OWN.fields,
  orders: {
    ...OWN.orders,
    name: sql`${column('tags', 'name')} COLLATE NOCASE`,
    'count.posts': sql`(SELECT count(*) FROM posts_tags WHERE posts_tags.tag_id = tags.id)`,
  },
  defaultOrder: sql`tags.name COLLATE NOCASE, tags.id`,
};

/** Posts and pages of any status that each tag has. */
export const countPostsOfTags = (
  from: Queryable,
  ids: readonly string[],
): Promise<Map<string, number>> => countLinkedPosts(from, ['posts_tags', 'tag_id'], ids);

export const {
  find: findTagById,
  insert: insertTag,
  update: updateTag,
  remove: deleteTagRow,
} = rowsOf('tags');

export const findTagBySlug = (from: Queryable, slug: string): Promise<FullTagRow | undefined> =>
  findRow(from, 'tags', { slug });

/** Names are compared without regard to the case of ASCII letters; the oldest tag wins. */
export const findTagByName = (from: Queryable, name: string): Promise<FullTagRow | undefined> =>
  db(from)
    .selectFrom('tags')
    .selectAll()
    .where(sql`lower(name)`, '=', sql`lower(${name})`)
    .orderBy('created_at')
    .orderBy('id')
    .executeTakeFirst();
