// A member's subscriptions as the admin interface shows them: the real ones of the payment processor and,
// for a comped or gift member, one synthetic for each tier that no real one covers.
import { each, pick, pickAs } from '../../../base/text/words.ts';
import { parseStoredTime } from '../../../base/time.ts';
import type { RecordRow } from '../../snapshot/snapshot.ts';
import type { BillingRows } from '../../store/members/member-rows.ts';
import type { JsonObject } from './document-context.ts';
import type { MemberTier } from './member.ts';
import { nextPayment } from './next-payment.ts';
import { adminOffer } from './offer.ts';
import { adminMemberTier } from './tier.ts';
import { adminTime, flag } from './values.ts';

/** All rows that a member's subscriptions are made of; rows of other members do no harm. */
export type MemberBilling = BillingRows & {
  readonly member: RecordRow<'members'>;
  readonly tiers: readonly MemberTier[];
};

type Scope = {
  readonly allTiers: readonly RecordRow<'tiers'>[];
  /** The present in milliseconds. */
  readonly now: number;
};

const SHOWN_STATUSES = new Set(['active', 'trialing', 'past_due', 'canceled', 'unpaid']);
const PAYING_STATUSES = new Set(['active', 'trialing', 'past_due', 'unpaid']);

export const adminSubscriptions = (billing: MemberBilling, scope: Scope): JsonObject[] => {
  const customers = new Map(
    billing.customers
      .filter(({ member_id }) => member_id === billing.member.id)
      .map((customer) => [customer.customer_id, customer] as const),
  );
  const covered = new Set<string>();
  const real = billing.subscriptions.flatMap((subscription) => {
    const customer = customers.get(subscription.customer_id);
    const price = priceOf(billing, subscription);
    if (customer === undefined || price === undefined) return [];
    if (!SHOWN_STATUSES.has(subscription.status)) return [];
    const tier = tierOf(billing, price, scope);
    if (tier !== undefined && PAYING_STATUSES.has(subscription.status)) covered.add(tier.tier.id);
    return [realSubscription(billing, { subscription, customer, price, tier }, scope)];
  });
  const { status } = billing.member;
  if (status !== 'comped' && status !== 'gift') return real;
  const free = billing.tiers.filter(({ tier }) => !covered.has(tier.id));
  return [...real, ...free.map((tier) => syntheticSubscription(billing, tier))];
};

type RealParts = {
  readonly subscription: RecordRow<'subscriptions'>;
  readonly customer: RecordRow<'customers'>;
  readonly price: RecordRow<'prices'>;
  readonly tier: MemberTier | undefined;
};

const realSubscription = (
  billing: MemberBilling,
  { subscription, customer, price, tier }: RealParts,
  scope: Scope,
): JsonObject => {
  const offer = billing.offers.find(({ id }) => id === subscription.offer_id);
  const shown = (one: RecordRow<'offers'>): JsonObject =>
    adminOffer({
      offer: one,
      tier: scope.allTiers.find(({ id }) => id === one.tier_id),
      redemptions: billing.redemptions.filter(({ offer_id }) => offer_id === one.id),
    });
  const redeemed = billing.redemptions
    .filter(({ subscription_id }) => subscription_id === subscription.id)
    .flatMap(({ offer_id }) => billing.offers.filter(({ id }) => id === offer_id));
  return {
    id: subscription.subscription_id,
    customer: { id: customer.customer_id, name: customer.name, email: customer.email },
    plan: {
      id: subscription.plan_id,
      nickname: subscription.plan_nickname,
      amount: subscription.plan_amount,
      interval: subscription.plan_interval,
      currency: subscription.plan_currency.toUpperCase(),
    },
    status: subscription.status,
    start_date: adminTime(subscription.start_date),
    default_payment_card_last4: subscription.default_payment_card_last4,
    cancel_at_period_end: flag(subscription.cancel_at_period_end),
    cancellation_reason: subscription.cancellation_reason,
    ...pickAs(subscription, 'current_period_end trial_start_at trial_end_at', adminTime),
    ...pickAs(subscription, 'discount_start discount_end', adminTime),
    price: {
      id: price.processor_price_id,
      price_id: price.id,
      ...pick(price, 'nickname amount interval type'),
      currency: price.currency.toUpperCase(),
      tier: {
        id: price.processor_product_id,
        name: tier?.tier.name ?? null,
        tier_id: tier?.tier.id ?? null,
      },
    },
    ...(tier !== undefined && { tier: adminMemberTier(tier.tier, tier.expiryAt) }),
    offer: offer === undefined ? null : shown(offer),
    offer_redemptions: redeemed.map(shown),
    next_payment: nextPayment({ subscription, offer, now: scope.now }),
  };
};

type Gift = MemberBilling['gifts'][number];

const newestRedeemed = (gifts: readonly Gift[]): Gift | undefined => {
  const timeOf = ({ redeemed_at }: Gift): number => parseStoredTime(redeemed_at) ?? 0;
  return gifts
    .filter(({ status }) => status === 'redeemed')
    .reduce<Gift | undefined>(
      (newest, one) => (newest === undefined || timeOf(one) >= timeOf(newest) ? one : newest),
      undefined,
    );
};

const syntheticSubscription = (
  { member, gifts, tierEvents }: MemberBilling,
  { tier, expiryAt }: MemberTier,
): JsonObject => {
  const gift =
    member.status === 'gift'
      ? newestRedeemed(
          gifts.filter((one) => one.redeemer_member_id === member.id && one.tier_id === tier.id),
        )
      : undefined;
  const plan = {
    id: '',
    nickname: member.status === 'gift' ? 'Gift subscription' : 'Complimentary',
    amount: gift?.amount ?? 0,
    interval: gift?.cadence ?? 'year',
    currency: (gift?.currency ?? 'usd').toUpperCase(),
  };
  const { id: _id, nickname: _nickname, amount, ...payment } = plan;
  const added = tierEvents
    .filter((event) => event.member_id === member.id && event.tier_id === tier.id)
    .filter(({ action }) => action === 'added')
    .map(({ created_at }) => adminTime(created_at) ?? '')
    .sort();
  return {
    id: '',
    customer: { id: '', name: member.name, email: member.email },
    plan,
    status: 'active',
    start_date: added.at(-1) || adminTime(member.created_at),
    default_payment_card_last4: '****',
    cancel_at_period_end: false,
    cancellation_reason: null,
    current_period_end: adminTime(expiryAt),
    ...each(null, 'trial_start_at trial_end_at discount_start discount_end'),
    price: {
      ...plan,
      price_id: '',
      type: 'recurring',
      tier: { id: '', name: tier.name, tier_id: tier.id },
    },
    tier: adminMemberTier(tier, expiryAt),
    offer: null,
    offer_redemptions: [],
    next_payment: { original_amount: amount, amount, ...payment, discount: null },
  };
};

const priceOf = (
  { prices }: MemberBilling,
  { processor_price_id }: RecordRow<'subscriptions'>,
): RecordRow<'prices'> | undefined =>
  prices.find((price) => price.processor_price_id === processor_price_id);

/** The tier of a price; without the member's link when the member has lost it. */
const tierOf = (
  { products, tiers }: MemberBilling,
  { processor_product_id }: RecordRow<'prices'>,
  { allTiers }: Scope,
): MemberTier | undefined => {
  const product = products.find((one) => one.processor_product_id === processor_product_id);
  const linked = tiers.find(({ tier }) => tier.id === product?.tier_id);
  if (linked !== undefined) return linked;
  const tier = allTiers.find(({ id }) => id === product?.tier_id);
  return tier && { tier, expiryAt: null };
};
