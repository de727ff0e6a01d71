// Newsletters as the admin interface answers them: interface.md's keys, then Ghost's further ones.
import * as z from 'zod';
import { each } from '../../base/text/words.ts';
import { recordId, textOrNull, timeOrNull, utcTime } from './record-fields.ts';

export const newsletterSchema = z.strictObject({
  id: recordId,
  name: z.string().meta({ examples: ['Weekly'] }),
  ...each(textOrNull, 'description sender_name sender_email'),
  sender_reply_to: z.string(),
  status: z.enum(['active', 'archived']),
  subscribe_on_signup: z.boolean(),
  sort_order: z.int(),
  header_image: textOrNull,
  ...each(z.boolean(), 'show_header_icon show_header_title show_header_name'),
  ...each(z.string(), 'title_font_category body_font_category title_alignment'),
  show_feature_image: z.boolean(),
  footer_content: textOrNull,
  show_badge: z.boolean(),
  ...each(z.string(), 'uuid slug visibility'),
  ...each(z.boolean(), 'feedback_enabled show_excerpt show_post_title_section show_comment_cta'),
  ...each(z.boolean(), 'show_subscription_details show_latest_posts show_share_button'),
  ...each(z.string(), 'background_color header_background_color'),
  ...each(textOrNull, 'post_title_color section_title_color divider_color button_color link_color'),
  ...each(z.string(), 'button_corners button_style title_font_weight link_style image_corners'),
  created_at: utcTime,
  updated_at: timeOrNull,
});
