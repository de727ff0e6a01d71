// Members and what they are shown with, exactly as interface.md has them.
import * as z from 'zod';
import { each } from '../../base/text/words.ts';
import { offerFields } from './offer.ts';
import { count, recordId, textOrNull, timeOrNull, utcTime } from './record-fields.ts';

export const labelSchema = z.strictObject({
  id: recordId,
  ...each(z.string(), 'name slug'),
  ...each(utcTime, 'created_at updated_at'),
});

const tierFields = {
  id: recordId,
  ...each(z.string(), 'name slug'),
  description: textOrNull,
  type: z.string(),
  currency: textOrNull,
  ...each(z.int().nullable(), 'monthly_price yearly_price'),
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
  ...each(textOrNull, 'monthly_price_id yearly_price_id'),
  benefits: z.array(z.string()),
});

const attributionSchema = z.strictObject({
  id: textOrNull,
  type: z.enum(['post', 'page', 'author', 'tag', 'url']).nullable(),
  ...each(textOrNull, 'url title referrer_source referrer_medium referrer_url'),
});

const priceSchema = z.strictObject({
  ...each(z.string(), 'id price_id'),
  nickname: textOrNull,
  amount: z.int(),
  interval: textOrNull,
  ...each(z.string(), 'type currency'),
  tier: z.strictObject({ id: z.string(), name: textOrNull, tier_id: textOrNull }),
});

const nextPaymentSchema = z.strictObject({
  ...each(z.int(), 'original_amount amount'),
  ...each(z.string(), 'interval currency'),
  discount: z
    .strictObject({
      offer_id: z.string(),
      ...each(timeOrNull, 'start end'),
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
  ...each(timeOrNull, 'current_period_end trial_start_at trial_end_at'),
  ...each(timeOrNull, 'discount_start discount_end'),
  price: priceSchema,
  tier: memberTierSchema.nullable(),
  offer: z.strictObject(offerFields).nullable(),
  offer_redemptions: z.array(z.strictObject(offerFields)),
  next_payment: nextPaymentSchema.nullable(),
  plan: z.strictObject({
    id: z.string(),
    nickname: textOrNull,
    amount: z.int(),
    ...each(z.string(), 'interval currency'),
  }),
};

const recipientSchema = z.strictObject({
  id: recordId,
  ...each(z.string(), 'email_id member_id batch_id'),
  ...each(timeOrNull, 'processed_at delivered_at opened_at failed_at'),
  ...each(z.string(), 'member_uuid member_email'),
  member_name: textOrNull,
});

const memberFields = {
  id: recordId,
  uuid: z.string(),
  email: z.string().meta({ examples: ['ada@example.com'] }),
  ...each(textOrNull, 'name note geolocation'),
  subscribed: z.boolean(),
  status: z.enum(['free', 'paid', 'comped', 'gift']),
  comped: z.boolean(),
  ...each(utcTime, 'created_at updated_at'),
  last_seen_at: timeOrNull,
  avatar_image: textOrNull,
  ...each(count, 'email_count email_opened_count'),
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
