// A tier as the admin interface shows it, alone or linked to a member (then with expiry_at).
import { pick, pickAs } from '../../../base/text/words.ts';
import type { RecordRow } from '../../snapshot/snapshot.ts';
import type { JsonObject } from './document-context.ts';
import { adminTime, flag } from './values.ts';

export const adminTier = (tier: RecordRow<'tiers'>): JsonObject => ({
  ...pick(tier, 'id name slug'),
  active: flag(tier.active),
  ...pick(tier, 'welcome_page_url visibility trial_days description type'),
  currency: tier.currency?.toUpperCase() ?? null,
  ...pick(tier, 'monthly_price yearly_price'),
  ...pickAs(tier, 'created_at updated_at', adminTime),
  ...pick(tier, 'monthly_price_id yearly_price_id'),
});

/** `expiryAt` is taken from the link of the member to the tier. */
export const adminMemberTier = (
  tier: RecordRow<'tiers'>,
  expiryAt: string | number | null,
): JsonObject => ({ ...adminTier(tier), expiry_at: adminTime(expiryAt) });

/** A tier of a member with exactly the keys of the interface. */
export const memberTierDocument = (
  tier: RecordRow<'tiers'>,
  expiryAt: string | number | null,
): JsonObject => ({
  ...pick(tier, 'id name slug description type'),
  currency: tier.currency?.toUpperCase() ?? null,
  ...pick(tier, 'monthly_price yearly_price welcome_page_url visibility trial_days'),
  created_at: adminTime(tier.created_at),
  updated_at: adminTime(tier.updated_at) ?? adminTime(tier.created_at),
  expiry_at: adminTime(expiryAt),
});
