// A newsletter as the admin interface shows it: the keys of interface.md in their order, then Ghost's
// further ones.
import { pick, pickAs } from '../../../base/text/words.ts';
import type { NewsletterRow } from '../../store/members/newsletters.ts';
import type { AdminContext, JsonObject } from './document-context.ts';
import { adminTime, flag } from './values.ts';

export const adminNewsletter = (row: NewsletterRow, { site }: AdminContext): JsonObject => ({
  ...pick(row, 'id name'),
  ...pickAs(row, 'description sender_name sender_email', (text) => text || null),
  ...pick(row, 'sender_reply_to status'),
  subscribe_on_signup: flag(row.subscribe_on_signup),
  sort_order: row.sort_order,
  header_image: site.nullableText(row.header_image),
  ...pickAs(row, 'show_header_icon show_header_title show_header_name', flag),
  ...pick(row, 'title_font_category body_font_category title_alignment'),
  show_feature_image: flag(row.show_feature_image),
  footer_content: row.footer_content || null,
  show_badge: flag(row.show_badge),
  ...pick(row, 'uuid slug visibility'),
  ...pickAs(row, 'feedback_enabled show_excerpt show_post_title_section show_comment_cta', flag),
  ...pickAs(row, 'show_subscription_details show_latest_posts show_share_button', flag),
  ...pick(row, 'background_color header_background_color post_title_color section_title_color'),
  ...pick(row, 'divider_color button_color link_color button_corners button_style'),
  ...pick(row, 'title_font_weight link_style image_corners'),
  ...pickAs(row, 'created_at updated_at', adminTime),
});
