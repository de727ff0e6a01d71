// What a client may send to create or edit a newsletter (facts section 7): every enumerated field with its
// values, every length. Everything else (id, uuid, created_at, ...) is dropped.
import * as z from 'zod';
import { email, isEmail } from '../../../base/text/email.ts';
import { each } from '../../../base/text/words.ts';
import { flag, nullableText, text } from '../fields.ts';

const flags = {
  ...each(flag.optional(), 'subscribe_on_signup feedback_enabled show_header_icon'),
  ...each(flag.optional(), 'show_header_title show_header_name show_excerpt show_feature_image'),
  ...each(flag.optional(), 'show_badge show_post_title_section show_comment_cta'),
  ...each(flag.optional(), 'show_subscription_details show_latest_posts show_share_button'),
};

type NewsletterFlag = keyof typeof flags;
export const NEWSLETTER_FLAGS = Object.keys(flags) as readonly NewsletterFlag[];

const font = z.enum(['serif', 'sans_serif']).optional();
const color = text(50).optional();
const nullableColor = nullableText(50).optional();

const name = text(191).transform((value) => value.trim());
const filledName = name.refine((value) => value !== '', 'must not be empty');

const replyTo = text(191).refine(
  (value) => value === 'newsletter' || value === 'support' || isEmail(value),
  'must be newsletter, support or a valid e-mail address',
);

const senderEmail = z.preprocess((value) => (value === '' ? null : value), email.nullable());

const fields = {
  name: filledName,
  description: nullableText(2000).optional(),
  slug: nullableText(191).optional(),
  sender_name: nullableText(191).optional(),
  sender_email: senderEmail.optional(),
  sender_reply_to: replyTo.optional(),
  status: z.enum(['active', 'archived']).optional(),
  visibility: text(50).optional(),
  sort_order: z.int().min(0).max(1_000_000).optional(),
  header_image: nullableText(2000).optional(),
  ...each(font, 'title_font_category body_font_category'),
  title_alignment: z.enum(['center', 'left']).optional(),
  footer_content: nullableText(65_535).optional(),
  ...each(color, 'background_color header_background_color'),
  ...each(nullableColor, 'post_title_color section_title_color divider_color'),
  ...each(nullableColor, 'button_color link_color'),
  button_corners: z.enum(['square', 'rounded', 'pill']).optional(),
  button_style: z.enum(['fill', 'outline']).optional(),
  title_font_weight: z.enum(['normal', 'medium', 'semibold', 'bold']).optional(),
  link_style: z.enum(['underline', 'regular', 'bold']).optional(),
  image_corners: z.enum(['square', 'rounded']).optional(),
  ...flags,
};

export const newsletterCreateInput = z.object(fields);
export const newsletterEditInput = z.object({ ...fields, name: filledName.optional() });

/** The body of a verification: the token alone, in no envelope. */
export const verificationInput = z.object({ token: text(200) });

export type NewsletterInput = z.output<typeof newsletterEditInput>;
