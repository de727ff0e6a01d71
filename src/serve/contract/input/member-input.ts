// What a client may send to create or edit a member (facts 6.7). Everything else (id, uuid, status,
// created_at, counts, ...) is dropped: no client can set it.
import * as z from 'zod';
import { email } from '../../../base/text/email.ts';
import { isShownTime } from '../../../base/time.ts';
import { flag, nameReference, nullableText, text, time } from '../fields.ts';

const NAMES_MAX = 500;

/** A text is an id, as Activepieces sends it. */
const newsletterReference = z.union([
  z.object({ id: z.string() }),
  text(191).transform((id) => ({ id })),
]);

/** Ghost itself answers it as its database has it. */
const expiry = z.union([z.number().refine(isShownTime), time]);

const fields = {
  name: nullableText(191)
    .refine((value) => !value?.startsWith(','), 'must not begin with a comma')
    .optional(),
  note: nullableText(2000).optional(),
  subscribed: flag.optional(),
  comped: flag.optional(),
  labels: z.array(nameReference).max(NAMES_MAX).nullish(),
  newsletters: z.array(newsletterReference).max(NAMES_MAX).nullish(),
  tiers: z
    .array(z.object({ id: z.string(), expiry_at: expiry.nullish() }))
    .max(1, 'must hold one tier at most')
    .nullish(),
};

/** Older clients call the tiers `products` (facts 6.7). */
const withTiers = (element: unknown): unknown =>
  typeof element === 'object' && element !== null && 'products' in element
    ? { tiers: element.products, ...element }
    : element;

export const memberCreateInput = z.preprocess(
  withTiers,
  z.object({ ...fields, email, stripe_customer_id: z.string().nullish() }),
);

export const memberEditInput = z.preprocess(
  withTiers,
  z.object({ ...fields, email: email.optional() }),
);

export type MemberCreateInput = z.output<typeof memberCreateInput>;
export type MemberEditInput = z.output<typeof memberEditInput>;

/**
 * What is done to the members that the query chooses; `newsletter`: only of that one. An unknown key is refused: with
 * `newsletters` meant, all of them would end.
 */
export const membersBulkInput = z.strictObject({
  action: z.enum(['unsubscribe', 'addLabel', 'removeLabel']),
  newsletter: z.string().nullish(),
  meta: z
    .strictObject({ label: nameReference.nullish(), newsletter: z.string().nullish() })
    .nullish(),
});

export type MembersBulkInput = z.output<typeof membersBulkInput>;
