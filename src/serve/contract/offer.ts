// Offers as the admin interface answers them (facts 6.5).
import * as z from 'zod';
import { count, recordId, textOrNull, timeOrNull, utcTime } from './record-fields.ts';

export const offerFields = {
  id: recordId,
  name: z.string(),
  code: z.string(),
  display_title: z.string(),
  display_description: z.string(),
  type: z.string(),
  cadence: z.string(),
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
