// What the next payment of a subscription will be, with the discount of its offer while that lasts
// (interface: Next payment; facts 6.3). Null unless the subscription is active.
import { parseStoredTime, toStoredTime } from '../../../base/time.ts';
import type { RecordRow } from '../../snapshot/snapshot.ts';
import type { JsonObject } from './document-context.ts';
import { offerType } from './offer.ts';

type PaymentSource = {
  readonly subscription: RecordRow<'subscriptions'>;
  readonly offer: RecordRow<'offers'> | undefined;
  /** The present in milliseconds. */
  readonly now: number;
};

type Window = { readonly start: number | null; readonly end: number | null };

export const nextPayment = (source: PaymentSource): JsonObject | null => {
  const { subscription, offer } = source;
  if (subscription.status !== 'active') return null;
  const amount = subscription.plan_amount;
  const window = offer === undefined ? null : discountWindow(source, offer);
  const price = {
    original_amount: amount,
    amount,
    interval: subscription.plan_interval,
    currency: subscription.plan_currency.toUpperCase(),
  };
  if (offer === undefined || window === null) return { ...price, discount: null };
  return {
    ...price,
    amount: discounted(amount, offer),
    discount: {
      offer_id: offer.id,
      start: window.start === null ? null : toStoredTime(window.start),
      end: window.end === null ? null : toStoredTime(window.end),
      duration: offer.duration,
      duration_in_months: offer.duration === 'repeating' ? offer.duration_in_months : null,
      type: offerType(offer),
      amount: offer.discount_amount,
    },
  };
};

const discounted = (amount: number, offer: RecordRow<'offers'>): number =>
  offerType(offer) === 'percent'
    ? amount - Math.round((amount * offer.discount_amount) / 100)
    : Math.max(0, amount - offer.discount_amount);

/** The time in which the discount applies, or null when the next payment lies outside. */
const discountWindow = (
  { subscription, now }: PaymentSource,
  offer: RecordRow<'offers'>,
): Window | null => {
  if (!['percent', 'fixed'].includes(offerType(offer))) return null;
  const start = parseStoredTime(subscription.discount_start);
  const end = parseStoredTime(subscription.discount_end);
  const renewal = parseStoredTime(subscription.current_period_end);
  if (start === null) return windowOfOldSubscription({ subscription, offer, now });
  if (offer.duration === 'once') return { start, end: renewal };
  if (offer.duration === 'forever') return { start, end };
  if (end === null || end <= now || (renewal !== null && end <= renewal)) return null;
  return { start, end: lastRenewalUntil(end, renewal, subscription.plan_interval) };
};

/** A discount ends with the last payment that it still applies to. */
const lastRenewalUntil = (end: number, renewal: number | null, interval: string): number => {
  if (renewal === null) return end;
  const step = interval === 'year' ? 12 : 1;
  let count = 0;
  while (count < 1200 && addMonths(renewal, (count + 1) * step) <= end) count += 1;
  return addMonths(renewal, count * step);
};

/** Subscriptions from before discounts were stored tell only by their offer. */
const windowOfOldSubscription = ({
  subscription,
  offer,
  now,
}: PaymentSource & { readonly offer: RecordRow<'offers'> }): Window | null => {
  const start = parseStoredTime(subscription.start_date);
  if (offer.redemption_type !== 'signup' || start === null) return null;
  if (offer.duration === 'forever') return { start, end: null };
  if (offer.duration !== 'repeating') return null;
  const end = addMonths(start, (offer.duration_in_months ?? 0) - 1);
  const renewal = parseStoredTime(subscription.current_period_end);
  return end <= now || (renewal !== null && end < renewal) ? null : { start, end };
};

const addMonths = (ms: number, months: number): number => {
  const date = new Date(ms);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, last));
  return date.getTime();
};
