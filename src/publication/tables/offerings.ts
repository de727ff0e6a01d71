// Row types of tiers, newsletters, prices and offers, as the migrations declare them.
import type { Generated } from 'kysely';
import type { StoredTime } from './stored-time.ts';

export type NewslettersTable = {
  id: string;
  uuid: string;
  name: string;
  description: string | null;
  feedback_enabled: Generated<number>;
  slug: string;
  sender_name: string | null;
  sender_email: string | null;
  sender_reply_to: Generated<string>;
  status: Generated<string>;
  visibility: Generated<string>;
  subscribe_on_signup: Generated<number>;
  sort_order: Generated<number>;
  header_image: string | null;
  show_header_icon: Generated<number>;
  show_header_title: Generated<number>;
  show_excerpt: Generated<number>;
  title_font_category: Generated<string>;
  title_alignment: Generated<string>;
  show_feature_image: Generated<number>;
  body_font_category: Generated<string>;
  footer_content: string | null;
  show_badge: Generated<number>;
  show_header_name: Generated<number>;
  show_post_title_section: Generated<number>;
  show_comment_cta: Generated<number>;
  show_subscription_details: Generated<number>;
  show_latest_posts: Generated<number>;
  show_share_button: Generated<number>;
  background_color: Generated<string>;
  post_title_color: string | null;
  button_corners: Generated<string>;
  button_style: Generated<string>;
  title_font_weight: Generated<string>;
  link_style: Generated<string>;
  image_corners: Generated<string>;
  header_background_color: Generated<string>;
  section_title_color: string | null;
  divider_color: string | null;
  button_color: Generated<string | null>;
  link_color: Generated<string | null>;
  created_at: StoredTime;
  updated_at: StoredTime | null;
};

export type ProcessorProductsTable = {
  id: string;
  tier_id: string | null;
  processor_product_id: string;
  created_at: StoredTime;
  updated_at: StoredTime | null;
};

export type PricesTable = {
  id: string;
  processor_price_id: string;
  processor_product_id: string;
  active: Generated<number>;
  nickname: string | null;
  currency: string;
  amount: number;
  type: Generated<string>;
  interval: string | null;
  description: string | null;
  created_at: StoredTime;
  updated_at: StoredTime | null;
};

export type OffersTable = {
  id: string;
  active: Generated<number>;
  name: string;
  code: string;
  tier_id: string | null;
  processor_coupon_id: string | null;
  interval: string;
  currency: string | null;
  discount_type: string;
  discount_amount: number;
  duration: string;
  duration_in_months: number | null;
  portal_title: string | null;
  portal_description: string | null;
  redemption_type: Generated<string>;
  created_at: StoredTime;
  updated_at: StoredTime | null;
};

export type OfferingTables = {
  newsletters: NewslettersTable;
  processor_products: ProcessorProductsTable;
  prices: PricesTable;
  offers: OffersTable;
};
