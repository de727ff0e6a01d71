// Queries of tiers and their benefits.
import { sql } from 'kysely';
import { column, type ListSource } from './list-source.ts';
import type { RecordRow } from './snapshot.ts';
import type { Reader } from './store.ts';

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

/** Names of the benefits of each tier, in their order. */
export const benefitsOfTiers = async (reader: Reader): Promise<Map<string, string[]>> => {
  const rows = await reader
    .selectFrom('tiers_benefits')
    .innerJoin('benefits', 'benefits.id', 'tiers_benefits.benefit_id')
    .select(['tiers_benefits.tier_id', 'benefits.name'])
    .orderBy('tiers_benefits.sort_order')
    .orderBy('tiers_benefits.id')
    .execute();
  const benefits = new Map<string, string[]>();
  for (const { tier_id, name } of rows) {
    benefits.set(tier_id, [...(benefits.get(tier_id) ?? []), name]);
  }
  return benefits;
};
