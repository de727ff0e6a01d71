// Tiers in Ghost's shape: the list of those that are offered, and the form in which posts and pages show theirs. Both
// stand in the order of their monthly prices.
import { compareCodeUnits } from '../../base/text/collation.ts';
import { ALL_TIERS, PAID_TIERS } from '../../content/tree/tree.ts';
import type { RecordRow } from '../snapshot/snapshot.ts';
import { adminTier } from './admin/tier.ts';
import { adminTime, flag } from './admin/values.ts';

export type TierRows = {
  readonly tiers: readonly RecordRow<'tiers'>[];
  readonly benefits: readonly RecordRow<'benefits'>[];
  readonly links: readonly RecordRow<'tiers_benefits'>[];
};

/** The JSON of the list of all active tiers. */
export const renderTiers = (rows: TierRows): Buffer => {
  const tiers = inOrder(rows)
    .filter(({ active }) => flag(active))
    .map((tier) => toTierRecord(tier, benefitsOf(tier, rows)));
  const limit = Math.max(1, tiers.length);
  const pagination = { page: 1, limit, pages: 1, total: tiers.length, next: null, prev: null };
  return Buffer.from(JSON.stringify({ tiers, meta: { pagination } }));
};

/** The tiers as posts and pages show them, as lines of the packed tree: of all of them, of paid ones, and of each of these. */
export const renderEmbeddedTiers = (rows: TierRows): string[] => {
  const all = inOrder(rows).map((tier) => ({ tier, text: JSON.stringify(listedTier(tier)) }));
  const paid = all.filter(({ tier }) => tier.type === 'paid');
  const lines: (readonly [id: string, text: string])[] = [
    [ALL_TIERS, all.map(({ text }) => text).join()],
    [PAID_TIERS, paid.map(({ text }) => text).join()],
    ...paid.map(({ tier }) => [tier.id, JSON.stringify(linkedTier(tier))] as const),
  ];
  return lines.flatMap(([id, text]) => (text === '' ? [] : [id + text]));
};

/** A tier that a post is linked to has the currency and the prices' ids as they are stored; one of a list has not. */
const linkedTier = (tier: RecordRow<'tiers'>) => ({ ...adminTier(tier), currency: tier.currency });

const listedTier = (tier: RecordRow<'tiers'>) => ({
  ...adminTier(tier),
  currency: tier.type === 'free' ? null : (tier.currency?.toLowerCase() ?? null),
  monthly_price_id: null,
  yearly_price_id: null,
});

/** Without a price first; of equal prices, Ghost leaves the order to the database, which has them by id. */
const inOrder = ({ tiers }: TierRows): RecordRow<'tiers'>[] =>
  [...tiers].sort(
    (one, other) =>
      (one.monthly_price ?? -1) - (other.monthly_price ?? -1) || compareCodeUnits(one.id, other.id),
  );

/** Names, in the order of their links. */
const benefitsOf = ({ id }: RecordRow<'tiers'>, { benefits, links }: TierRows): string[] => {
  const names = new Map(benefits.map((benefit) => [benefit.id, benefit.name]));
  return links
    .filter(({ tier_id }) => tier_id === id)
    .sort((one, other) => one.sort_order - other.sort_order || compareCodeUnits(one.id, other.id))
    .flatMap(({ benefit_id }) => names.get(benefit_id) ?? []);
};

const toTierRecord = (tier: RecordRow<'tiers'>, benefits: readonly string[]) => {
  const isPaid = tier.type !== 'free';
  return {
    id: tier.id,
    name: tier.name,
    description: tier.description,
    slug: tier.slug,
    active: true,
    type: tier.type,
    welcome_page_url: tier.welcome_page_url,
    created_at: adminTime(tier.created_at),
    updated_at: adminTime(tier.updated_at),
    visibility: tier.visibility,
    benefits,
    currency: isPaid ? (tier.currency?.toUpperCase() ?? null) : undefined,
    monthly_price: isPaid ? tier.monthly_price : undefined,
    yearly_price: isPaid ? tier.yearly_price : undefined,
    trial_days: tier.trial_days,
  };
};
