// Queries of tags by what clients name them with.
import { type Insertable, type Selectable, sql } from 'kysely';
import type { Reader, Writer } from './store.ts';
import type { TagsTable } from './tables/content.ts';

export type FullTagRow = Selectable<TagsTable>;

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

/** Slugs of tags that are `base` or begin with `base-`; `exceptId` is left out. */
export const listTagSlugsLike = async (
  reader: Reader,
  base: string,
  exceptId: string | null,
): Promise<string[]> => {
  const rows = await reader
    .selectFrom('tags')
    .select('slug')
    .where(({ eb, or, and }) =>
      or([eb('slug', '=', base), and([eb('slug', '>=', `${base}-`), eb('slug', '<', `${base}.`)])]),
    )
    .$if(exceptId !== null, (query) => query.where('id', '!=', exceptId ?? ''))
    .execute();
  return rows.map(({ slug }) => slug);
};

export const insertTag = async (writer: Writer, row: Insertable<TagsTable>): Promise<void> => {
  await writer.insertInto('tags').values(row).execute();
};
