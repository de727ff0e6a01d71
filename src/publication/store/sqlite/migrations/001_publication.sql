-- The publication: everything that the interface shows or that an administrator edits.
-- Times are text, ISO 8601 in UTC; readers also take "YYYY-MM-DD HH:MM:SS" and integer milliseconds.

CREATE TABLE users (
  id TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 24 AND id NOT GLOB '*[^0-9a-f]*'),
  name TEXT NOT NULL,
  slug TEXT NOT NULL UNIQUE,
  email TEXT NOT NULL UNIQUE,
  role TEXT NOT NULL DEFAULT 'Author',
  profile_image TEXT, cover_image TEXT, bio TEXT, website TEXT, location TEXT,
  facebook TEXT, twitter TEXT, threads TEXT, bluesky TEXT, mastodon TEXT, tiktok TEXT,
  youtube TEXT, instagram TEXT, linkedin TEXT,
  accessibility TEXT,
  status TEXT NOT NULL DEFAULT 'active',
  locale TEXT,
  visibility TEXT NOT NULL DEFAULT 'public',
  meta_title TEXT, meta_description TEXT,
  last_seen TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT
);

CREATE TABLE newsletters (
  id TEXT NOT NULL PRIMARY KEY,
  uuid TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL UNIQUE,
  description TEXT,
  feedback_enabled INTEGER NOT NULL DEFAULT 0,
  slug TEXT NOT NULL UNIQUE,
  sender_name TEXT, sender_email TEXT,
  sender_reply_to TEXT NOT NULL DEFAULT 'newsletter',
  status TEXT NOT NULL DEFAULT 'active',
  visibility TEXT NOT NULL DEFAULT 'members',
  subscribe_on_signup INTEGER NOT NULL DEFAULT 1,
  sort_order INTEGER NOT NULL DEFAULT 0,
  header_image TEXT,
  show_header_icon INTEGER NOT NULL DEFAULT 1,
  show_header_title INTEGER NOT NULL DEFAULT 1,
  show_excerpt INTEGER NOT NULL DEFAULT 0,
  title_font_category TEXT NOT NULL DEFAULT 'sans_serif',
  title_alignment TEXT NOT NULL DEFAULT 'center',
  show_feature_image INTEGER NOT NULL DEFAULT 1,
  body_font_category TEXT NOT NULL DEFAULT 'sans_serif',
  footer_content TEXT,
  show_badge INTEGER NOT NULL DEFAULT 1,
  show_header_name INTEGER NOT NULL DEFAULT 1,
  show_post_title_section INTEGER NOT NULL DEFAULT 1,
  show_comment_cta INTEGER NOT NULL DEFAULT 1,
  show_subscription_details INTEGER NOT NULL DEFAULT 0,
  show_latest_posts INTEGER NOT NULL DEFAULT 0,
  show_share_button INTEGER NOT NULL DEFAULT 0,
  background_color TEXT NOT NULL DEFAULT 'light',
  post_title_color TEXT,
  button_corners TEXT NOT NULL DEFAULT 'rounded',
  button_style TEXT NOT NULL DEFAULT 'fill',
  title_font_weight TEXT NOT NULL DEFAULT 'bold',
  link_style TEXT NOT NULL DEFAULT 'underline',
  image_corners TEXT NOT NULL DEFAULT 'square',
  header_background_color TEXT NOT NULL DEFAULT 'transparent',
  section_title_color TEXT, divider_color TEXT,
  button_color TEXT DEFAULT 'accent', link_color TEXT DEFAULT 'accent',
  created_at TEXT NOT NULL,
  updated_at TEXT
);

CREATE TABLE posts (
  id TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 24 AND id NOT GLOB '*[^0-9a-f]*'),
  uuid TEXT NOT NULL,
  title TEXT NOT NULL,
  slug TEXT NOT NULL,
  mobiledoc TEXT, lexical TEXT, html TEXT,
  comment_id TEXT,
  plaintext TEXT,
  feature_image TEXT,
  featured INTEGER NOT NULL DEFAULT 0,
  type TEXT NOT NULL DEFAULT 'post' CHECK (type IN ('post', 'page')),
  status TEXT NOT NULL DEFAULT 'draft' CHECK (status IN ('draft', 'published', 'scheduled', 'sent')),
  locale TEXT,
  visibility TEXT NOT NULL DEFAULT 'public',
  email_recipient_filter TEXT NOT NULL DEFAULT 'all',
  created_at TEXT NOT NULL,
  updated_at TEXT,
  published_at TEXT,
  custom_excerpt TEXT,
  codeinjection_head TEXT, codeinjection_foot TEXT,
  custom_template TEXT,
  canonical_url TEXT,
  newsletter_id TEXT REFERENCES newsletters (id) ON DELETE SET NULL,
  show_title_and_feature_image INTEGER NOT NULL DEFAULT 1,
  UNIQUE (slug, type)
);
CREATE INDEX posts_by_status ON posts (status, type, published_at, id);
-- Counting the posts of a tag or author looks at nothing else of a post.
CREATE INDEX posts_by_id ON posts (id, status, type);

CREATE TABLE posts_meta (
  id TEXT NOT NULL PRIMARY KEY,
  post_id TEXT NOT NULL UNIQUE REFERENCES posts (id) ON DELETE CASCADE,
  og_image TEXT, og_title TEXT, og_description TEXT,
  twitter_image TEXT, twitter_title TEXT, twitter_description TEXT,
  meta_title TEXT, meta_description TEXT,
  email_subject TEXT, frontmatter TEXT,
  feature_image_alt TEXT, feature_image_caption TEXT,
  email_only INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE tags (
  id TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 24 AND id NOT GLOB '*[^0-9a-f]*'),
  name TEXT NOT NULL,
  slug TEXT NOT NULL UNIQUE,
  description TEXT,
  feature_image TEXT,
  parent_id TEXT,
  visibility TEXT NOT NULL DEFAULT 'public' CHECK (visibility IN ('public', 'internal')),
  og_image TEXT, og_title TEXT, og_description TEXT,
  twitter_image TEXT, twitter_title TEXT, twitter_description TEXT,
  meta_title TEXT, meta_description TEXT,
  codeinjection_head TEXT, codeinjection_foot TEXT,
  canonical_url TEXT,
  accent_color TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT
);

CREATE TABLE posts_tags (
  id TEXT NOT NULL PRIMARY KEY,
  post_id TEXT NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
  tag_id TEXT NOT NULL REFERENCES tags (id) ON DELETE CASCADE,
  sort_order INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX posts_tags_by_post ON posts_tags (post_id, sort_order, id, tag_id);
CREATE INDEX posts_tags_by_tag ON posts_tags (tag_id, post_id);

CREATE TABLE posts_authors (
  id TEXT NOT NULL PRIMARY KEY,
  post_id TEXT NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
  author_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  sort_order INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX posts_authors_by_post ON posts_authors (post_id, sort_order, id, author_id);
CREATE INDEX posts_authors_by_author ON posts_authors (author_id, post_id);

CREATE TABLE settings (
  id TEXT NOT NULL PRIMARY KEY,
  "group" TEXT NOT NULL DEFAULT 'site',
  key TEXT NOT NULL UNIQUE,
  value TEXT,
  type TEXT NOT NULL DEFAULT 'string',
  created_at TEXT NOT NULL,
  updated_at TEXT
);

CREATE TABLE tiers (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  slug TEXT NOT NULL UNIQUE,
  active INTEGER NOT NULL DEFAULT 1,
  welcome_page_url TEXT,
  visibility TEXT NOT NULL DEFAULT 'none',
  trial_days INTEGER NOT NULL DEFAULT 0,
  description TEXT,
  type TEXT NOT NULL DEFAULT 'paid',
  currency TEXT,
  monthly_price INTEGER, yearly_price INTEGER,
  monthly_price_id TEXT, yearly_price_id TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT
);

CREATE TABLE benefits (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  slug TEXT NOT NULL UNIQUE,
  created_at TEXT NOT NULL,
  updated_at TEXT
);

CREATE TABLE tiers_benefits (
  id TEXT NOT NULL PRIMARY KEY,
  tier_id TEXT NOT NULL REFERENCES tiers (id) ON DELETE CASCADE,
  benefit_id TEXT NOT NULL REFERENCES benefits (id) ON DELETE CASCADE,
  sort_order INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE posts_tiers (
  id TEXT NOT NULL PRIMARY KEY,
  post_id TEXT NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
  tier_id TEXT NOT NULL REFERENCES tiers (id) ON DELETE CASCADE,
  sort_order INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX posts_tiers_by_post ON posts_tiers (post_id, sort_order, id, tier_id);

CREATE TABLE members (
  id TEXT NOT NULL PRIMARY KEY,
  uuid TEXT NOT NULL UNIQUE,
  transient_id TEXT,
  email TEXT NOT NULL UNIQUE COLLATE NOCASE,
  status TEXT NOT NULL DEFAULT 'free' CHECK (status IN ('free', 'paid', 'comped', 'gift')),
  name TEXT, expertise TEXT, note TEXT, geolocation TEXT,
  enable_comment_notifications INTEGER NOT NULL DEFAULT 1,
  enable_updates_and_announcements INTEGER,
  email_count INTEGER NOT NULL DEFAULT 0,
  email_opened_count INTEGER NOT NULL DEFAULT 0,
  email_open_rate INTEGER,
  email_disabled INTEGER NOT NULL DEFAULT 0,
  last_seen_at TEXT, last_commented_at TEXT,
  commenting TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT
);
CREATE INDEX members_by_created ON members (created_at, id);

CREATE TABLE labels (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  slug TEXT NOT NULL UNIQUE,
  created_at TEXT NOT NULL,
  updated_at TEXT
);

CREATE TABLE members_labels (
  id TEXT NOT NULL PRIMARY KEY,
  member_id TEXT NOT NULL REFERENCES members (id) ON DELETE CASCADE,
  label_id TEXT NOT NULL REFERENCES labels (id) ON DELETE CASCADE,
  sort_order INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX members_labels_by_member ON members_labels (member_id, sort_order, id);
CREATE INDEX members_labels_by_label ON members_labels (label_id, member_id);

CREATE TABLE members_newsletters (
  id TEXT NOT NULL PRIMARY KEY,
  member_id TEXT NOT NULL REFERENCES members (id) ON DELETE CASCADE,
  newsletter_id TEXT NOT NULL REFERENCES newsletters (id) ON DELETE CASCADE
);
CREATE INDEX members_newsletters_by_member ON members_newsletters (member_id, newsletter_id);
CREATE INDEX members_newsletters_by_newsletter ON members_newsletters (newsletter_id, member_id);

CREATE TABLE members_tiers (
  id TEXT NOT NULL PRIMARY KEY,
  member_id TEXT NOT NULL REFERENCES members (id) ON DELETE CASCADE,
  tier_id TEXT NOT NULL REFERENCES tiers (id) ON DELETE CASCADE,
  sort_order INTEGER NOT NULL DEFAULT 0,
  expiry_at TEXT
);
CREATE INDEX members_tiers_by_member ON members_tiers (member_id, sort_order, id);
CREATE INDEX members_tiers_by_tier ON members_tiers (tier_id, member_id);

CREATE TABLE customers (
  id TEXT NOT NULL PRIMARY KEY,
  member_id TEXT NOT NULL REFERENCES members (id) ON DELETE CASCADE,
  customer_id TEXT NOT NULL UNIQUE,
  name TEXT, email TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT
);
CREATE INDEX customers_by_member ON customers (member_id);

CREATE TABLE processor_products (
  id TEXT NOT NULL PRIMARY KEY,
  tier_id TEXT REFERENCES tiers (id) ON DELETE SET NULL,
  processor_product_id TEXT NOT NULL UNIQUE,
  created_at TEXT NOT NULL,
  updated_at TEXT
);

CREATE TABLE prices (
  id TEXT NOT NULL PRIMARY KEY,
  processor_price_id TEXT NOT NULL UNIQUE,
  processor_product_id TEXT NOT NULL REFERENCES processor_products (processor_product_id) ON DELETE CASCADE,
  active INTEGER NOT NULL DEFAULT 1,
  nickname TEXT,
  currency TEXT NOT NULL,
  amount INTEGER NOT NULL,
  type TEXT NOT NULL DEFAULT 'recurring',
  interval TEXT,
  description TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT
);

CREATE TABLE offers (
  id TEXT NOT NULL PRIMARY KEY,
  active INTEGER NOT NULL DEFAULT 1,
  name TEXT NOT NULL UNIQUE,
  code TEXT NOT NULL UNIQUE,
  tier_id TEXT REFERENCES tiers (id) ON DELETE SET NULL,
  processor_coupon_id TEXT UNIQUE,
  interval TEXT NOT NULL,
  currency TEXT,
  discount_type TEXT NOT NULL,
  discount_amount INTEGER NOT NULL,
  duration TEXT NOT NULL,
  duration_in_months INTEGER,
  portal_title TEXT, portal_description TEXT,
  redemption_type TEXT NOT NULL DEFAULT 'signup',
  created_at TEXT NOT NULL,
  updated_at TEXT
);

CREATE TABLE subscriptions (
  id TEXT NOT NULL PRIMARY KEY,
  customer_id TEXT NOT NULL REFERENCES customers (customer_id) ON DELETE CASCADE,
  subscription_id TEXT NOT NULL UNIQUE,
  processor_price_id TEXT NOT NULL DEFAULT '',
  status TEXT NOT NULL,
  cancel_at_period_end INTEGER NOT NULL DEFAULT 0,
  cancellation_reason TEXT,
  current_period_end TEXT NOT NULL,
  start_date TEXT NOT NULL,
  default_payment_card_last4 TEXT,
  mrr INTEGER NOT NULL DEFAULT 0,
  offer_id TEXT REFERENCES offers (id) ON DELETE SET NULL,
  discount_start TEXT, discount_end TEXT,
  trial_start_at TEXT, trial_end_at TEXT,
  plan_id TEXT NOT NULL,
  plan_nickname TEXT NOT NULL,
  plan_interval TEXT NOT NULL,
  plan_amount INTEGER NOT NULL,
  plan_currency TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT
);
CREATE INDEX subscriptions_by_customer ON subscriptions (customer_id);

CREATE TABLE offer_redemptions (
  id TEXT NOT NULL PRIMARY KEY,
  offer_id TEXT NOT NULL REFERENCES offers (id) ON DELETE CASCADE,
  member_id TEXT NOT NULL REFERENCES members (id) ON DELETE CASCADE,
  subscription_id TEXT NOT NULL REFERENCES subscriptions (id) ON DELETE CASCADE,
  created_at TEXT NOT NULL
);

CREATE TABLE gifts (
  id TEXT NOT NULL PRIMARY KEY,
  redeemer_member_id TEXT REFERENCES members (id) ON DELETE SET NULL,
  tier_id TEXT NOT NULL REFERENCES tiers (id) ON DELETE CASCADE,
  cadence TEXT NOT NULL,
  duration INTEGER NOT NULL,
  currency TEXT NOT NULL,
  amount INTEGER NOT NULL,
  status TEXT NOT NULL,
  purchased_at TEXT, redeemed_at TEXT, consumes_at TEXT, expires_at TEXT
);

CREATE TABLE emails (
  id TEXT NOT NULL PRIMARY KEY,
  post_id TEXT NOT NULL UNIQUE,
  uuid TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'pending',
  subject TEXT,
  email_count INTEGER NOT NULL DEFAULT 0,
  track_opens INTEGER NOT NULL DEFAULT 0,
  newsletter_id TEXT REFERENCES newsletters (id) ON DELETE SET NULL,
  submitted_at TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT
);

CREATE TABLE email_recipients (
  id TEXT NOT NULL PRIMARY KEY,
  email_id TEXT NOT NULL REFERENCES emails (id) ON DELETE CASCADE,
  member_id TEXT NOT NULL,
  batch_id TEXT NOT NULL,
  processed_at TEXT, delivered_at TEXT, opened_at TEXT, failed_at TEXT,
  member_uuid TEXT NOT NULL,
  member_email TEXT NOT NULL,
  member_name TEXT
);
CREATE INDEX email_recipients_by_member ON email_recipients (member_id);

CREATE TABLE suppressions (
  id TEXT NOT NULL PRIMARY KEY,
  email TEXT NOT NULL UNIQUE COLLATE NOCASE,
  email_id TEXT REFERENCES emails (id) ON DELETE SET NULL,
  reason TEXT NOT NULL,
  created_at TEXT NOT NULL
);

CREATE TABLE members_created_events (
  id TEXT NOT NULL PRIMARY KEY,
  created_at TEXT NOT NULL,
  member_id TEXT NOT NULL REFERENCES members (id) ON DELETE CASCADE,
  attribution_id TEXT, attribution_type TEXT, attribution_url TEXT,
  referrer_source TEXT, referrer_medium TEXT, referrer_url TEXT,
  source TEXT NOT NULL
);
CREATE INDEX members_created_events_by_member ON members_created_events (member_id);

CREATE TABLE members_subscription_created_events (
  id TEXT NOT NULL PRIMARY KEY,
  created_at TEXT NOT NULL,
  member_id TEXT NOT NULL REFERENCES members (id) ON DELETE CASCADE,
  subscription_id TEXT NOT NULL REFERENCES subscriptions (id) ON DELETE CASCADE,
  attribution_id TEXT, attribution_type TEXT, attribution_url TEXT,
  referrer_source TEXT, referrer_medium TEXT, referrer_url TEXT
);

CREATE TABLE members_tier_events (
  id TEXT NOT NULL PRIMARY KEY,
  member_id TEXT NOT NULL REFERENCES members (id) ON DELETE CASCADE,
  tier_id TEXT NOT NULL REFERENCES tiers (id) ON DELETE CASCADE,
  action TEXT,
  created_at TEXT NOT NULL
);

CREATE TABLE members_status_events (
  id TEXT NOT NULL PRIMARY KEY,
  member_id TEXT NOT NULL REFERENCES members (id) ON DELETE CASCADE,
  from_status TEXT, to_status TEXT,
  created_at TEXT NOT NULL
);

CREATE TABLE members_subscribe_events (
  id TEXT NOT NULL PRIMARY KEY,
  member_id TEXT NOT NULL REFERENCES members (id) ON DELETE CASCADE,
  subscribed INTEGER NOT NULL DEFAULT 1,
  source TEXT,
  newsletter_id TEXT REFERENCES newsletters (id) ON DELETE SET NULL,
  created_at TEXT NOT NULL
);
