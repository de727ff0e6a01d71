// An offer as the admin interface shows it (facts 6.5).
import { pick } from '../../../base/text/words.ts';
import type { RecordRow } from '../../snapshot/snapshot.ts';
import type { JsonObject } from './document-context.ts';
import { adminTime, flag } from './values.ts';

type OfferSource = {
  readonly offer: RecordRow<'offers'>;
  readonly tier: RecordRow<'tiers'> | undefined;
  /** Every redemption of the offer, by anyone. */
  readonly redemptions: readonly RecordRow<'offer_redemptions'>[];
};

export const adminOffer = ({ offer, tier, redemptions }: OfferSource): JsonObject => {
  const isFixed = offerType(offer) === 'fixed';
  return {
    ...pick(offer, 'id name code'),
    display_title: offer.portal_title ?? '',
    display_description: offer.portal_description ?? '',
    type: offerType(offer),
    cadence: offer.interval,
    amount: offer.discount_amount,
    duration: offer.duration,
    duration_in_months: offer.duration === 'repeating' ? offer.duration_in_months : null,
    currency_restriction: isFixed,
    currency: isFixed ? (offer.currency?.toUpperCase() ?? null) : null,
    status: flag(offer.active) ? 'active' : 'archived',
    redemption_count: redemptions.length,
    redemption_type: offer.redemption_type,
    tier: tier === undefined ? null : pick(tier, 'id name'),
    created_at: adminTime(offer.created_at),
    last_redeemed:
      redemptions
        .map(({ created_at }) => adminTime(created_at) ?? '')
        .sort()
        .at(-1) || null,
  };
};

/** `percent`, `fixed` or `trial`. */
export const offerType = ({ discount_type }: RecordRow<'offers'>): string =>
  discount_type === 'amount' ? 'fixed' : discount_type;
