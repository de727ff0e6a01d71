// Queries of tiers; their benefits are in tier-benefits.ts.
import { type Insertable, sql, type Updateable } from 'kysely';
import type { RecordRow } from '../../snapshot/snapshot.ts';
import type { Tables } from '../../tables/tables.ts';
import { column, type ListSource, ownFields } from '../list-source.ts';
import type { Reader, Writer } from '../store.ts';
import { findRow, insertRow, updateRow } from '../table-rows.ts';

export type TierRow = RecordRow<'tiers'>;

const own = (name: string) => column('tiers', name);

export const TIER_LIST: ListSource<TierRow> = {
  table: 'tiers',
  fields: {
    ...ownFields('tiers', 'text', ['id', 'name', 'slug', 'type', 'visibility']),
    ...ownFields('tiers', 'flag', ['active']),
  },
  orders: { name: own('name'), monthly_price: own('monthly_price'), created_at: own('created_at') },
  defaultOrder: sql`tiers.monthly_price NULLS FIRST, tiers.created_at, tiers.id`,
};

/** Every tier, in the order of their making. */
export const listTiers = (reader: Reader): Promise<TierRow[]> =>
  reader.selectFrom('tiers').selectAll().orderBy('created_at').orderBy('id').execute();

export const findTier = (reader: Reader, id: string): Promise<TierRow | undefined> =>
  findRow(reader, 'tiers', { id });

export const insertTier = (writer: Writer, row: Insertable<Tables['tiers']>): Promise<void> =>
  insertRow(writer, 'tiers', row);

export const updateTier = (
  writer: Writer,
  id: string,
  changes: Updateable<Tables['tiers']>,
): Promise<void> => updateRow(writer, 'tiers', { ...changes, id });
