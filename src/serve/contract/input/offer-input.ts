// What a client may send to create or edit an offer (facts 6.5). An amount is a percentage, days of a trial, or the
// smallest unit of the currency.
import * as z from 'zod';
import { id, nullableText, recordName, text } from '../fields.ts';
import { currency } from './tier-input.ts';

const AMOUNT_MAX = 9_999_999_999;
const MONTHS_MAX = 1_200;

const shown = {
  name: recordName.refine(
    (value) => [...value].length <= 40,
    'must not be longer than 40 characters',
  ),
  code: text(191).refine((value) => value.trim() !== '', 'must not be empty'),
  display_title: nullableText(191).optional(),
  display_description: nullableText(191).optional(),
  status: z.enum(['active', 'archived']).optional(),
};

const terms = {
  type: z.enum(['percent', 'fixed', 'trial']),
  cadence: z.enum(['month', 'year']),
  amount: z.int().min(0).max(AMOUNT_MAX),
  duration: z.enum(['once', 'repeating', 'forever', 'trial']),
  duration_in_months: z.int().min(1).max(MONTHS_MAX).nullish(),
  currency: currency.optional(),
  redemption_type: z.enum(['signup', 'retention']).optional(),
  tier: z.object({ id }).nullish(),
};

export const offerCreateInput = z.object({ ...shown, ...terms });
/** The terms that clients send back are dropped, as in Ghost: they stay. */
export const offerEditInput = z.object(shown).partial();

export type OfferCreateInput = z.output<typeof offerCreateInput>;
export type OfferEditInput = z.output<typeof offerEditInput>;
