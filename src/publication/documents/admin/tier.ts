// A tier as the admin interface shows it, alone or linked to a member (then with expiry_at).
import type { RecordRow } from '../../snapshot/snapshot.ts';
import type { JsonObject } from './document-context.ts';
import { adminTime, flag } from './values.ts';

export const adminTier = (tier: RecordRow<'tiers'>): JsonObject => ({
  id: tier.id,
  name: tier.name,
  slug: tier.slug,
  active: flag(tier.active),
  welcome_page_url: tier.welcome_page_url,
  visibility: tier.visibility,
  trial_days: tier.trial_days,
  description: tier.description,
  type: tier.type,
  currency: tier.currency?.toUpperCase() ?? null,
  monthly_price: tier.monthly_price,
  yearly_price: tier.yearly_price,
  created_at: adminTime(tier.created_at),
  updated_at: adminTime(tier.updated_at),
  monthly_price_id: tier.monthly_price_id,
  yearly_price_id: tier.yearly_price_id,
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
  id: tier.id,
  name: tier.name,
  slug: tier.slug,
  description: tier.description,
  type: tier.type,
  currency: tier.currency?.toUpperCase() ?? null,
  monthly_price: tier.monthly_price,
  yearly_price: tier.yearly_price,
  welcome_page_url: tier.welcome_page_url,
  visibility: tier.visibility,
  trial_days: tier.trial_days,
  created_at: adminTime(tier.created_at),
  updated_at: adminTime(tier.updated_at) ?? adminTime(tier.created_at),
  expiry_at: adminTime(expiryAt),
});
