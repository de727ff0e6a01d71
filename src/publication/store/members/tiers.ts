// Queries of tiers; their benefits are in tier-benefits.ts.
import { sql } from 'kysely';
import type { RecordRow } from '../../snapshot/snapshot.ts';
import type { Queryable } from '../db.ts';
import { column, type ListSource, ownFields } from '../list-source.ts';
import { listRows, rowsOf } from '../table-rows.ts';

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
  listRows(from, 'tiers', { by: ['created_at', 'id'] });

export const { find: findTier, insert: insertTier, update: updateTier } = rowsOf('tiers');
