// What a client may send to create or edit a tier. Prices are whole numbers of the smallest unit of the currency.
import * as z from 'zod';
import { flag, nullableText, recordName, text } from '../fields.ts';

const PRICE_MAX = 9_999_999_999;
const TRIAL_DAYS_MAX = 2_147_483_647;
const BENEFITS_MAX = 100;

const price = z
  .number()
  .refine(Number.isInteger, 'must be a whole number of the smallest unit, such as 500 for 5.00 USD')
  .min(0)
  .max(PRICE_MAX)
  .nullable();

/** ISO 4217, as it is stored. */
export const currency: z.ZodType<string | null> = nullableText(191)
  .refine(
    (value) => value === null || /^[a-z]{3}$/i.test(value),
    'must be a currency code of three letters, such as USD',
  )
  .transform((value) => value?.toUpperCase() ?? null);

const benefit = z
  .union([text(191), z.object({ name: text(191) })])
  .transform((value) => (typeof value === 'string' ? value : value.name).trim())
  .refine((name) => name !== '', 'must not be empty');

const fields = {
  name: recordName,
  slug: nullableText(191).optional(),
  description: nullableText(191).optional(),
  welcome_page_url: nullableText(2000).optional(),
  visibility: z.enum(['public', 'none']).optional(),
  active: flag.optional(),
  type: z.enum(['paid', 'free']).optional(),
  trial_days: z.int().min(0).max(TRIAL_DAYS_MAX).nullish(),
  currency: currency.optional(),
  monthly_price: price.optional(),
  yearly_price: price.optional(),
  benefits: z.array(benefit).max(BENEFITS_MAX).nullish(),
};

export const tierCreateInput = z.object(fields);
export const tierEditInput = z.object({ ...fields, name: recordName.optional() });

export type TierCreateInput = z.output<typeof tierCreateInput>;
export type TierEditInput = z.output<typeof tierEditInput>;
