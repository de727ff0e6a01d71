// Offers: create, edit, archive (facts 6.5). There is no payment processor here, so nobody redeems one; what an offer
// gives stays as it was made, because those who redeemed it were promised that.
import { invalid, notFound } from '../../../base/errors.ts';
import { createId } from '../../../base/ids.ts';
import { toStoredTime } from '../../../base/time.ts';
import {
  findOffer,
  findOfferBy,
  insertOffer,
  type OfferRow,
  updateOffer,
} from '../../../publication/store/members/offers.ts';
import { findTier } from '../../../publication/store/members/tiers.ts';
import type { Queryable, Transaction } from '../../../publication/store/store.ts';
import { slugOf } from '../../../publication/tables/slug-text.ts';
import type { OfferCreateInput, OfferEditInput } from '../../contract/input/offer-input.ts';
import { changedColumns, nextUpdate } from '../changed-columns.ts';
import { saveContent } from '../save-content.ts';
import type { WriteContext } from '../use-case-context.ts';

/** Answers the new offer's id. Throws VALIDATION. */
export const createOffer = (
  { store, clock }: WriteContext,
  input: OfferCreateInput,
): Promise<string> => {
  const nowMs = clock.now();
  const id = createId(nowMs);
  const terms = termsOf(input);
  return saveContent({ store }, nowMs, async (tx) => {
    const code = slugOf(input.code, { noun: 'offer' });
    await refuseTaken(tx, { name: input.name, code, exceptId: id });
    await refuseUnknownTier(tx, terms);
    await insertOffer(tx, {
      ...terms,
      ...shownColumns(input),
      id,
      name: input.name,
      code,
      created_at: toStoredTime(nowMs),
      updated_at: toStoredTime(nowMs),
    });
    return id;
  });
};

/** Throws NOT_FOUND, VALIDATION. */
export const editOffer = async (
  { store, clock }: WriteContext,
  id: string,
  input: OfferEditInput,
): Promise<void> => {
  const nowMs = clock.now();
  await saveContent({ store }, nowMs, async (tx) => {
    const stored = await findOffer(tx, id);
    if (stored === undefined) throw notFound('Offer');
    const { name = stored.name } = input;
    const isRecoded = input.code !== undefined && input.code !== stored.code;
    const code = isRecoded ? slugOf(input.code ?? '', { noun: 'offer' }) : stored.code;
    await refuseTaken(tx, { name, code, exceptId: id });
    const changes = changedColumns<OfferRow>(stored, { ...shownColumns(input), name, code });
    if (Object.keys(changes).length === 0) return;
    const updated_at = nextUpdate(stored.updated_at, nowMs);
    await updateOffer(tx, id, { ...changes, updated_at });
  });
};

/** What an edit may change, without name and code. */
const shownColumns = (input: OfferEditInput): Partial<OfferRow> => ({
  ...(input.display_title !== undefined && { portal_title: input.display_title }),
  ...(input.display_description !== undefined && { portal_description: input.display_description }),
  ...(input.status !== undefined && { active: Number(input.status === 'active') }),
});

type Terms = Pick<
  OfferRow,
  | 'discount_type'
  | 'discount_amount'
  | 'interval'
  | 'duration'
  | 'duration_in_months'
  | 'currency'
  | 'redemption_type'
  | 'tier_id'
>;

type OfferRule = {
  readonly property: string;
  readonly sentence: string;
  readonly isBroken: (offer: OfferCreateInput) => boolean;
};

/** What offers of one kind must have, in the order in which it is said. */
const RULES: readonly OfferRule[] = [
  {
    property: 'duration',
    sentence: 'duration must be trial for a trial, and for nothing else.',
    isBroken: ({ type, duration }) => (type === 'trial') !== (duration === 'trial'),
  },
  {
    property: 'amount',
    sentence: 'amount must not be more than 100.',
    isBroken: ({ type, amount }) => type === 'percent' && amount > 100,
  },
  {
    property: 'duration',
    sentence: 'duration must be once or forever for an offer by the year.',
    isBroken: ({ duration, cadence }) => duration === 'repeating' && cadence === 'year',
  },
  {
    property: 'duration_in_months',
    sentence: 'duration_in_months is required for a repeating offer.',
    isBroken: ({ duration, duration_in_months: months }) => duration === 'repeating' && !months,
  },
  {
    property: 'currency',
    sentence: 'currency is required for a fixed amount.',
    isBroken: ({ type, currency }) => type === 'fixed' && !currency,
  },
  {
    property: 'type',
    sentence: 'type must be percent or fixed for an offer that retains members.',
    isBroken: ({ type, redemption_type }) => redemption_type === 'retention' && type === 'trial',
  },
  {
    property: 'tier',
    sentence: 'tier is required for an offer at signup.',
    isBroken: ({ redemption_type = 'signup', tier }) => redemption_type === 'signup' && !tier,
  },
];

/** What the offer gives. Throws VALIDATION for terms that contradict each other. */
const termsOf = (input: OfferCreateInput): Terms => {
  const broken = RULES.find(({ isBroken }) => isBroken(input));
  if (broken !== undefined) throw invalid(broken.property, broken.sentence);
  const { type, amount, cadence, duration, redemption_type = 'signup' } = input;
  return {
    discount_type: type === 'fixed' ? 'amount' : type,
    discount_amount: amount,
    interval: cadence,
    duration,
    duration_in_months: duration === 'repeating' ? (input.duration_in_months ?? null) : null,
    currency: type === 'fixed' ? (input.currency ?? null) : null,
    redemption_type,
    tier_id: input.tier?.id ?? null,
  };
};

const refuseUnknownTier = async (from: Queryable, { tier_id }: Terms): Promise<void> => {
  if (tier_id === null) return;
  const tier = await findTier(from, tier_id);
  if (tier === undefined)
    throw invalid('tier', `tier names a tier that does not exist: ${tier_id}.`);
  if (tier.type === 'free') throw invalid('tier', 'tier must be a paid one.');
};

const refuseTaken = async (
  tx: Transaction,
  { name, code, exceptId }: Record<'name' | 'code' | 'exceptId', string>,
): Promise<void> => {
  for (const [property, value] of Object.entries({ name, code })) {
    const other = await findOfferBy(tx, property as 'name' | 'code', { value, exceptId });
    if (other === undefined) continue;
    throw invalid(property, `An offer with the same ${property} already exists.`);
  }
};
