// Queries of offers and their redemptions.
import { type Selectable, sql } from 'kysely';
import { each } from '../../../base/text/words.ts';
import type { RecordRow } from '../../snapshot/snapshot.ts';
import type { OffersTable } from '../../tables/offerings.ts';
import { db, type Queryable } from '../db.ts';
import { type ListSource, ownColumns } from '../list-source.ts';
import { listRows, rowsOf } from '../table-rows.ts';

export type OfferRow = Selectable<OffersTable>;

const OWN = ownColumns('offers', {
  ...each('text', 'id name code redemption_type'),
  created_at: 'time',
});

export const OFFER_LIST: ListSource<OfferRow> = {
  table: 'offers',
  fields: {
    ...OWN.fields,
    status: { value: sql`iif(offers.active = 1, 'active', 'archived')`, kind: 'text' },
  },
  orders: OWN.orders,
  defaultOrder: sql`offers.created_at, offers.id`,
};

export const redemptionsOf = (
  from: Queryable,
  offerIds: readonly string[],
): Promise<RecordRow<'offer_redemptions'>[]> =>
  listRows(from, 'offer_redemptions', { where: { offer_id: offerIds }, by: ['created_at', 'id'] });

/** Another offer with that name or code. */
export const findOfferBy = (
  from: Queryable,
  column: 'name' | 'code',
  { value, exceptId }: { readonly value: string; readonly exceptId: string },
): Promise<OfferRow | undefined> =>
  db(from)
    .selectFrom('offers')
    .selectAll()
    .where(column, '=', value)
    .where('id', '!=', exceptId)
    .executeTakeFirst();

export const { find: findOffer, insert: insertOffer, update: updateOffer } = rowsOf('offers');
