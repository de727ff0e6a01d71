// Queries of newsletters, and of the requests to verify an address that one is to be sent from.
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import { toStoredTime } from '../base/time.ts';
import { timeText } from './list-filter.ts';
import { column, type ListSource, timeColumns } from './list-source.ts';
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
    ...timeColumns('newsletters', ['created_at']),
  },
  defaultOrder: sql`newsletters.sort_order, ${timeText(own('created_at'))}, newsletters.id`,
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

/**
 * Subscribes every member who gets mail and has a newsletter already; returns how many. The links are
 * made in SQL: there may be hundreds of thousands.
 */
export const subscribeExisting = async (
  writer: Writer,
  id: string,
  now: number,
): Promise<number> => {
  const newId = sql`lower(hex(randomblob(12)))`;
  const { numAffectedRows = 0n } = await sql`
    INSERT INTO members_newsletters (id, member_id, newsletter_id)
    SELECT ${newId}, members.id, ${id} FROM members WHERE members.email_disabled = 0
      AND EXISTS (SELECT 1 FROM members_newsletters AS link WHERE link.member_id = members.id)`.execute(
    writer,
  );
  await sql`
    INSERT INTO members_subscribe_events (id, member_id, subscribed, source, newsletter_id, created_at)
    SELECT ${newId}, member_id, 1, 'admin', ${id}, ${toStoredTime(now)}
    FROM members_newsletters WHERE newsletter_id = ${id}`.execute(writer);
  return Number(numAffectedRows);
};
