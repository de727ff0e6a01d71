// Members and what they are shown with, exactly as interface.md has them.
import * as z from 'zod';
import { offerFields } from './offer.ts';
import { count, recordId, textOrNull, timeOrNull, utcTime } from './record-fields.ts';

export const labelSchema = z.strictObject({
  id: recordId,
  name: z.string(),
  slug: z.string(),
  created_at: utcTime,
  updated_at: utcTime,
});

const tierFields = {
  id: recordId,
  name: z.string(),
  slug: z.string(),
  description: textOrNull,
  type: z.string(),
  currency: textOrNull,
  monthly_price: z.int().nullable(),
  yearly_price: z.int().nullable(),
  welcome_page_url: textOrNull,
  visibility: z.string(),
  trial_days: z.int(),
  created_at: utcTime,
  updated_at: timeOrNull,
};

const memberTierSchema = z.strictObject({ ...tierFields, expiry_at: timeOrNull });

/** A tier on its own, with Ghost's further keys. */
export const tierSchema = z.strictObject({
  ...tierFields,
  active: z.boolean(),
  monthly_price_id: textOrNull,
  yearly_price_id: textOrNull,
  benefits: z.array(z.string()),
});

const attributionSchema = z.strictObject({
  id: textOrNull,
  type: z.enum(['post', 'page', 'author', 'tag', 'url']).nullable(),
  url: textOrNull,
  title: textOrNull,
  referrer_source: textOrNull,
  referrer_medium: textOrNull,
  referrer_url: textOrNull,
});

const priceSchema = z.strictObject({
  id: z.string(),
  price_id: z.string(),
  nickname: textOrNull,
  amount: z.int(),
  interval: textOrNull,
  type: z.string(),
  currency: z.string(),
  tier: z.strictObject({ id: z.string(), name: textOrNull, tier_id: textOrNull }),
});

const nextPaymentSchema = z.strictObject({
  original_amount: z.int(),
  amount: z.int(),
  interval: z.string(),
  currency: z.string(),
  discount: z
    .strictObject({
      offer_id: z.string(),
      start: timeOrNull,
      end: timeOrNull,
      duration: z.string(),
      duration_in_months: z.int().nullable(),
      type: z.string(),
      amount: z.int(),
    })
    .nullable(),
});

const subscriptionFields = {
  id: z.string(),
  customer: z.strictObject({ id: z.string(), name: textOrNull, email: textOrNull }),
  status: z.enum(['active', 'trialing', 'past_due', 'canceled', 'unpaid']),
  start_date: timeOrNull,
  default_payment_card_last4: textOrNull,
  cancel_at_period_end: z.boolean(),
  cancellation_reason: textOrNull,
  current_period_end: timeOrNull,
  trial_start_at: timeOrNull,
  trial_end_at: timeOrNull,
  discount_start: timeOrNull,
  discount_end: timeOrNull,
  price: priceSchema,
  tier: memberTierSchema.nullable(),
  offer: z.strictObject(offerFields).nullable(),
  offer_redemptions: z.array(z.strictObject(offerFields)),
  next_payment: nextPaymentSchema.nullable(),
  plan: z.strictObject({
    id: z.string(),
    nickname: textOrNull,
    amount: z.int(),
    interval: z.string(),
    currency: z.string(),
  }),
};

const recipientSchema = z.strictObject({
  id: recordId,
  email_id: z.string(),
  member_id: z.string(),
  batch_id: z.string(),
  processed_at: timeOrNull,
  delivered_at: timeOrNull,
  opened_at: timeOrNull,
  failed_at: timeOrNull,
  member_uuid: z.string(),
  member_email: z.string(),
  member_name: textOrNull,
});

const memberFields = {
  id: recordId,
  uuid: z.string(),
  email: z.string().meta({ examples: ['ada@example.com'] }),
  name: textOrNull,
  note: textOrNull,
  geolocation: textOrNull,
  subscribed: z.boolean(),
  status: z.enum(['free', 'paid', 'comped', 'gift']),
  comped: z.boolean(),
  created_at: utcTime,
  updated_at: utcTime,
  last_seen_at: timeOrNull,
  avatar_image: textOrNull,
  email_count: count,
  email_opened_count: count,
  email_open_rate: z.int().min(0).max(100).nullable(),
  labels: z.array(labelSchema),
  unsubscribe_url: z.string(),
  can_comment: z.boolean(),
  commenting: z.strictObject({
    disabled: z.boolean(),
    disabled_reason: textOrNull,
    disabled_until: timeOrNull,
  }),
  email_suppression: z.strictObject({
    suppressed: z.boolean(),
    info: z.enum(['spam', 'fail']).nullable(),
  }),
  newsletters: z
    .array(
      z.strictObject({
        id: recordId,
        name: z.string(),
        description: textOrNull,
        status: z.literal('active'),
      }),
    )
    .optional(),
  email_recipients: z.array(recipientSchema).optional(),
};

const subscriptions = z.array(z.strictObject(subscriptionFields));

/** In a list: `tiers` when included. */
export const listedMemberSchema = z.strictObject({
  ...memberFields,
  subscriptions,
  tiers: z.array(memberTierSchema).optional(),
});

/** The answer to a save. */
export const savedMemberSchema = z.strictObject({
  ...memberFields,
  subscriptions,
  tiers: z.array(memberTierSchema),
});

/** The single read: with attribution, its own and that of each subscription. */
export const readMemberSchema = z.strictObject({
  ...memberFields,
  subscriptions: z.array(
    z.strictObject({ ...subscriptionFields, attribution: attributionSchema.nullable() }),
  ),
  tiers: z.array(memberTierSchema),
  attribution: attributionSchema.nullable(),
});
