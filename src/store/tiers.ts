// Queries of tiers; their benefits are in tier-benefits.ts.
import { type Insertable, sql, type Updateable } from 'kysely';
import { column, type ListSource } from './list-source.ts';
import type { RecordRow } from './snapshot.ts';
import type { Reader, Writer } from './store.ts';
import type { TiersTable } from './tables/offerings.ts';

export type TierRow = RecordRow<'tiers'>;

const own = (name: string) => column('tiers', name);

export const TIER_LIST: ListSource<TierRow> = {
  table: 'tiers',
  fields: {
    id: { value: own('id'), kind: 'text' },
    name: { value: own('name'), kind: 'text' },
    slug: { value: own('slug'), kind: 'text' },
    type: { value: own('type'), kind: 'text' },
    visibility: { value: own('visibility'), kind: 'text' },
    active: { value: own('active'), kind: 'flag' },
  },
  orders: { name: own('name'), monthly_price: own('monthly_price'), created_at: own('created_at') },
  defaultOrder: sql`tiers.monthly_price NULLS FIRST, tiers.created_at, tiers.id`,
};

/** Every tier, in the order of their making. */
export const listTiers = (reader: Reader): Promise<TierRow[]> =>
  reader.selectFrom('tiers').selectAll().orderBy('created_at').orderBy('id').execute();

export const findTier = (reader: Reader, id: string): Promise<TierRow | undefined> =>
  reader.selectFrom('tiers').selectAll().where('id', '=', id).executeTakeFirst();

export const insertTier = async (writer: Writer, row: Insertable<TiersTable>): Promise<void> => {
  await writer.insertInto('tiers').values(row).execute();
};

export const updateTier = async (
  writer: Writer,
  id: string,
  changes: Updateable<TiersTable>,
): Promise<void> => {
  await writer.updateTable('tiers').set(changes).where('id', '=', id).execute();
};
