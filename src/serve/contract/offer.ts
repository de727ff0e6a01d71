// Offers as the admin interface answers them (facts 6.5).
import * as z from 'zod';
import { each } from '../../base/text/words.ts';
import { count, recordId, textOrNull, timeOrNull, utcTime } from './record-fields.ts';

export const offerFields = {
  id: recordId,
  ...each(z.string(), 'name code display_title display_description type cadence'),
  amount: z.int(),
  duration: z.string(),
  duration_in_months: z.int().nullable(),
  currency_restriction: z.boolean(),
  currency: textOrNull,
  status: z.enum(['active', 'archived']),
  redemption_count: count,
  redemption_type: z.string(),
  tier: z.strictObject({ id: recordId, name: z.string() }).nullable(),
  created_at: utcTime,
  last_redeemed: timeOrNull,
};

export const offerSchema = z.strictObject(offerFields);
