// Queries of offers and their redemptions.
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import { column, type ListSource } from './list-source.ts';
import type { RecordRow } from './snapshot.ts';
import type { Reader, Writer } from './store.ts';
import type { OffersTable } from './tables/offerings.ts';

export type OfferRow = Selectable<OffersTable>;

const own = (name: string) => column('offers', name);

export const OFFER_LIST: ListSource<OfferRow> = {
  table: 'offers',
  fields: {
    id: { value: own('id'), kind: 'text' },
    name: { value: own('name'), kind: 'text' },
    code: { value: own('code'), kind: 'text' },
    status: { value: sql`iif(offers.active = 1, 'active', 'archived')`, kind: 'text' },
    redemption_type: { value: own('redemption_type'), kind: 'text' },
  },
  orders: { name: own('name'), code: own('code'), created_at: own('created_at') },
  defaultOrder: sql`offers.created_at, offers.id`,
};

export const findOffer = (reader: Reader, id: string): Promise<OfferRow | undefined> =>
  reader.selectFrom('offers').selectAll().where('id', '=', id).executeTakeFirst();

export const redemptionsOf = async (
  reader: Reader,
  offerIds: readonly string[],
): Promise<RecordRow<'offer_redemptions'>[]> =>
  offerIds.length === 0
    ? []
    : reader
        .selectFrom('offer_redemptions')
        .selectAll()
        .where('offer_id', 'in', offerIds)
        .orderBy('created_at')
        .orderBy('id')
        .execute();

/** Another offer with that name or code. */
export const findOfferBy = (
  reader: Reader,
  column: 'name' | 'code',
  { value, exceptId }: { readonly value: string; readonly exceptId: string },
): Promise<OfferRow | undefined> =>
  reader
    .selectFrom('offers')
    .selectAll()
    .where(column, '=', value)
    .where('id', '!=', exceptId)
    .executeTakeFirst();

export const insertOffer = async (writer: Writer, row: Insertable<OffersTable>): Promise<void> => {
  await writer.insertInto('offers').values(row).execute();
};

export const updateOffer = async (
  writer: Writer,
  id: string,
  changes: Updateable<OffersTable>,
): Promise<void> => {
  await writer.updateTable('offers').set(changes).where('id', '=', id).execute();
};
