// Row types of tiers, newsletters, prices and offers, as the migrations declare them.
import type { Generated } from 'kysely';
import type { Each } from '../../base/text/words.ts';
import type { StoredTime } from './stored-time.ts';

type Times = { created_at: StoredTime; updated_at: StoredTime | null };

export type NewslettersTable = Times &
  Each<string, 'id uuid name slug'> &
  Each<string | null, 'description sender_name sender_email header_image footer_content'> &
  Each<string | null, 'post_title_color section_title_color divider_color'> &
  Each<Generated<string | null>, 'button_color link_color'> &
  Each<Generated<string>, 'sender_reply_to status visibility background_color'> &
  Each<Generated<string>, 'title_font_category title_alignment title_font_weight'> &
  Each<Generated<string>, 'body_font_category header_background_color button_corners'> &
  Each<Generated<string>, 'button_style link_style image_corners'> &
  Each<Generated<number>, 'feedback_enabled subscribe_on_signup sort_order show_header_icon'> &
  Each<Generated<number>, 'show_header_title show_header_name show_excerpt show_feature_image'> &
  Each<Generated<number>, 'show_badge show_post_title_section show_comment_cta'> &
  Each<Generated<number>, 'show_subscription_details show_latest_posts show_share_button'>;

export type ProcessorProductsTable = Times &
  Each<string, 'id processor_product_id'> &
  Each<string | null, 'tier_id'>;

export type PricesTable = Times &
  Each<string, 'id processor_price_id processor_product_id currency'> &
  Each<string | null, 'nickname interval description'> & {
    active: Generated<number>;
    amount: number;
    type: Generated<string>;
  };

export type OffersTable = Times &
  Each<string, 'id name code interval discount_type duration'> &
  Each<string | null, 'tier_id processor_coupon_id currency portal_title portal_description'> & {
    active: Generated<number>;
    discount_amount: number;
    duration_in_months: number | null;
    redemption_type: Generated<string>;
  };

export type OfferingTables = {
  newsletters: NewslettersTable;
  processor_products: ProcessorProductsTable;
  prices: PricesTable;
  offers: OffersTable;
};
