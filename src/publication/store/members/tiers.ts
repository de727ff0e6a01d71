// Queries of tiers; their benefits are in tier-benefits.ts.
import { type Insertable, sql, type Updateable } from 'kysely';
import type { RecordRow } from '../../snapshot/snapshot.ts';
import type { Tables } from '../../tables/tables.ts';
import { db, type Queryable, type Transaction } from '../db.ts';
import { column, type ListSource, ownFields } from '../list-source.ts';
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
export const listTiers = (from: Queryable): Promise<TierRow[]> =>
  db(from).selectFrom('tiers').selectAll().orderBy('created_at').orderBy('id').execute();

export const findTier = (from: Queryable, id: string): Promise<TierRow | undefined> =>
  findRow(from, 'tiers', { id });

export const insertTier = (tx: Transaction, row: Insertable<Tables['tiers']>): Promise<void> =>
  insertRow(tx, 'tiers', row);

export const updateTier = (
  tx: Transaction,
  id: string,
  changes: Updateable<Tables['tiers']>,
): Promise<void> => updateRow(tx, 'tiers', { ...changes, id });
