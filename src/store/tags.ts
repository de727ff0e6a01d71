// Queries of tags: by what clients name them with, and as a list.
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import { timeText } from './list-filter.ts';
import { column, type ListSource, timeColumns } from './list-source.ts';
import type { Reader, Writer } from './store.ts';
import type { TagsTable } from './tables/content.ts';

export type FullTagRow = Selectable<TagsTable>;

const own = (name: string) => column('tags', name);

export const TAG_LIST: ListSource<FullTagRow> = {
  table: 'tags',
  fields: {
    id: { value: own('id'), kind: 'text' },
    name: { value: own('name'), kind: 'text' },
    slug: { value: own('slug'), kind: 'text' },
    visibility: { value: own('visibility'), kind: 'text' },
    created_at: { value: timeText(own('created_at')), kind: 'time' },
    updated_at: { value: timeText(own('updated_at')), kind: 'time' },
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
export const countPostsOfTags = async (
  reader: Reader,
  ids: readonly string[],
): Promise<Map<string, number>> => {
  if (ids.length === 0) return new Map();
  const rows = await reader
    .selectFrom('posts_tags')
    .select(['tag_id', ({ fn }) => fn.count<number>('post_id').distinct().as('posts')])
    .where('tag_id', 'in', ids)
    .groupBy('tag_id')
    .execute();
  return new Map(rows.map(({ tag_id, posts }) => [tag_id, posts]));
};

export const findTagById = (reader: Reader, id: string): Promise<FullTagRow | undefined> =>
  reader.selectFrom('tags').selectAll().where('id', '=', id).executeTakeFirst();

export const findTagBySlug = (reader: Reader, slug: string): Promise<FullTagRow | undefined> =>
  reader.selectFrom('tags').selectAll().where('slug', '=', slug).executeTakeFirst();

/** Names are compared without regard to the case of ASCII letters; the oldest tag wins. */
export const findTagByName = (reader: Reader, name: string): Promise<FullTagRow | undefined> =>
  reader
    .selectFrom('tags')
    .selectAll()
    .where(sql`lower(name)`, '=', sql`lower(${name})`)
    .orderBy('created_at')
    .orderBy('id')
    .executeTakeFirst();

export const insertTag = async (writer: Writer, row: Insertable<TagsTable>): Promise<void> => {
  await writer.insertInto('tags').values(row).execute();
};

export const updateTag = async (
  writer: Writer,
  id: string,
  changes: Updateable<TagsTable>,
): Promise<void> => {
  await writer.updateTable('tags').set(changes).where('id', '=', id).execute();
};

/** False when there is no such tag. */
export const deleteTagRow = async (writer: Writer, id: string): Promise<boolean> => {
  const result = await writer.deleteFrom('tags').where('id', '=', id).executeTakeFirst();
  return result.numDeletedRows > 0n;
};
