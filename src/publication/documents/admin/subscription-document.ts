// A subscription with exactly the keys of interface.md, in its order; made from the shape that webhooks
// show too.
import { pickAs } from '../../../base/text/words.ts';
import type { JsonObject } from './document-context.ts';

const BEFORE_TIER =
  'id customer status start_date default_payment_card_last4 cancel_at_period_end ' +
  'cancellation_reason current_period_end trial_start_at trial_end_at discount_start discount_end';
const PRICE = 'id price_id nickname amount interval type currency tier';
const TIER =
  'id name slug description type currency monthly_price yearly_price welcome_page_url visibility ' +
  'trial_days created_at updated_at expiry_at';

/** `attribution` undefined: left out; only the single read has it. */
export const subscriptionDocument = (
  subscription: JsonObject,
  attribution: JsonObject | null | undefined,
): JsonObject => ({
  ...orNull(subscription, BEFORE_TIER),
  price: orNull(subscription.price as JsonObject, PRICE),
  tier: subscription.tier === undefined ? null : orNull(subscription.tier as JsonObject, TIER),
  offer: subscription.offer,
  offer_redemptions: subscription.offer_redemptions,
  next_payment: subscription.next_payment,
  ...(attribution !== undefined && { attribution }),
  plan: subscription.plan,
});

const orNull = (from: JsonObject, names: string): JsonObject =>
  pickAs(from, names, (value) => value ?? null);
