// Queries of tags: by what clients name them with, and as a list.
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { Tables } from '../../tables/tables.ts';
import { column, type ListSource, ownFields, timeColumns } from '../list-source.ts';
import type { Reader, Writer } from '../store.ts';
import { deleteRow, findRow, insertRow, updateRow } from '../table-rows.ts';
import { countLinkedPosts } from './post-links.ts';

export type FullTagRow = Selectable<Tables['tags']>;

const own = (name: string) => column('tags', name);

export const TAG_LIST: ListSource<FullTagRow> = {
  table: 'tags',
  fields: {
    ...ownFields('tags', 'text', ['id', 'name', 'slug', 'visibility']),
    ...ownFields('tags', 'time', ['created_at', 'updated_at']),
  },
  orders: {
    id: own('id'),
    name: sql`${own('name')} COLLATE NOCASE`,
    slug: own('slug'),
    visibility: own('visibility'),
    'count.posts': sql`(SELECT count(*) FROM posts_tags WHERE posts_tags.tag_id = tags.id)`,
    ...timeColumns('tags', ['created_at', 'updated_at']),
  },
  defaultOrder: sql`tags.name COLLATE NOCASE, tags.id`,
};

/** Posts and pages of any status that each tag has. */
export const countPostsOfTags = (
  reader: Reader,
  ids: readonly string[],
): Promise<Map<string, number>> => countLinkedPosts(reader, ['posts_tags', 'tag_id'], ids);

export const findTagById = (reader: Reader, id: string): Promise<FullTagRow | undefined> =>
  findRow(reader, 'tags', { id });

export const findTagBySlug = (reader: Reader, slug: string): Promise<FullTagRow | undefined> =>
  findRow(reader, 'tags', { slug });

/** Names are compared without regard to the case of ASCII letters; the oldest tag wins. */
export const findTagByName = (reader: Reader, name: string): Promise<FullTagRow | undefined> =>
  reader
    .selectFrom('tags')
    .selectAll()
    .where(sql`lower(name)`, '=', sql`lower(${name})`)
    .orderBy('created_at')
    .orderBy('id')
    .executeTakeFirst();

export const insertTag = (writer: Writer, row: Insertable<Tables['tags']>): Promise<void> =>
  insertRow(writer, 'tags', row);

export const updateTag = (
  writer: Writer,
  id: string,
  changes: Updateable<Tables['tags']>,
): Promise<void> => updateRow(writer, 'tags', { ...changes, id });

/** False when there is no such tag. */
export const deleteTagRow = (writer: Writer, id: string): Promise<boolean> =>
  deleteRow(writer, 'tags', { id });
