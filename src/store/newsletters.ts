// Queries of newsletters, and of the requests to verify an address that one is to be sent from.
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import { column, type ListSource } from './list-source.ts';
import type { Reader, Writer } from './store.ts';
import type { NewslettersTable } from './tables/offerings.ts';

export type NewsletterRow = Selectable<NewslettersTable>;
export type NewsletterChanges = Updateable<NewslettersTable>;

const own = (name: string) => column('newsletters', name);

export const NEWSLETTER_LIST: ListSource<NewsletterRow> = {
  table: 'newsletters',
  fields: {
    id: { value: own('id'), kind: 'text' },
    name: { value: own('name'), kind: 'text' },
    slug: { value: own('slug'), kind: 'text' },
    status: { value: own('status'), kind: 'text' },
    visibility: { value: own('visibility'), kind: 'text' },
    subscribe_on_signup: { value: own('subscribe_on_signup'), kind: 'flag' },
  },
  orders: {
    name: sql`${own('name')} COLLATE NOCASE`,
    sort_order: own('sort_order'),
    status: own('status'),
    created_at: own('created_at'),
  },
  defaultOrder: sql`newsletters.sort_order, newsletters.created_at, newsletters.id`,
};

export const findNewsletter = (reader: Reader, id: string): Promise<NewsletterRow | undefined> =>
  reader.selectFrom('newsletters').selectAll().where('id', '=', id).executeTakeFirst();

/** Another newsletter of that name, ASCII case aside. */
export const findNewsletterNamed = (
  reader: Reader,
  name: string,
  exceptId: string,
): Promise<NewsletterRow | undefined> =>
  reader
    .selectFrom('newsletters')
    .selectAll()
    .where(sql`lower(name)`, '=', sql`lower(${name})`)
    .where('id', '!=', exceptId)
    .executeTakeFirst();

export const listNewsletters = (reader: Reader): Promise<NewsletterRow[]> =>
  reader
    .selectFrom('newsletters')
    .selectAll()
    .orderBy('sort_order')
    .orderBy('created_at')
    .orderBy('id')
    .execute();

export const listNewsletterSlugsLike = async (
  reader: Reader,
  base: string,
  exceptId: string,
): Promise<string[]> => {
  const rows = await reader
    .selectFrom('newsletters')
    .select('slug')
    .where('id', '!=', exceptId)
    .where(({ eb, or, and }) =>
      or([eb('slug', '=', base), and([eb('slug', '>=', `${base}-`), eb('slug', '<', `${base}.`)])]),
    )
    .execute();
  return rows.map(({ slug }) => slug);
};

export const insertNewsletter = async (
  writer: Writer,
  row: Insertable<NewslettersTable>,
): Promise<void> => {
  await writer.insertInto('newsletters').values(row).execute();
};

export const updateNewsletter = async (
  writer: Writer,
  id: string,
  changes: NewsletterChanges,
): Promise<void> => {
  await writer.updateTable('newsletters').set(changes).where('id', '=', id).execute();
};
