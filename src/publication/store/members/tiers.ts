// Queries of tiers; their benefits are in tier-benefits.ts.
import { sql } from 'kysely';
import { each } from '../../../base/text/words.ts';
import type { RecordRow } from '../../snapshot/snapshot.ts';
import type { Queryable } from '../db.ts';
import { type ListSource, ownColumns } from '../list-source.ts';
import { listRows, rowsOf } from '../table-rows.ts';

export type TierRow = RecordRow<'tiers'>;

const OWN = ownColumns('tiers', {
  ...each('text', 'id name slug type visibility description welcome_page_url currency'),
  ...each('number', 'monthly_price yearly_price trial_days'),
  ...each('time', 'created_at updated_at'),
  active: 'flag',
});

export const TIER_LIST: ListSource<TierRow> = {
  table: 'tiers',
  ...OWN,
  defaultOrder: sql`tiers.monthly_price NULLS FIRST, tiers.created_at, tiers.id`,
};

/** Every tier, in the order of their making. */
export const listTiers = (from: Queryable): Promise<TierRow[]> =>
  listRows(from, 'tiers', { by: ['created_at', 'id'] });

export const { find: findTier, insert: insertTier, update: updateTier } = rowsOf('tiers');
