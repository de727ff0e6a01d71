// Every column of the tables that are logged, with what follows from it: whether documents are made of it,
// and whether the change log keeps it. Reading, logging and events follow from this table; imports
// take the columns of a table by their names. The compiler holds it to the row types, a test to the schema.
import type { Tables } from './tables.ts';

export type ColumnUse = {
  /** How a document's row is read: as it is, as the bytes of a text, or not. */
  readonly reads: 'value' | 'bytes' | null;
  /** When the change log keeps the value of before: at each change of the row, or of the column. */
  readonly logs: 'always' | 'changes' | null;
};

/** Documents show it, or depend on it. */
const SHOWN = { reads: 'value', logs: 'always' } as const;

/** So, too, but long. */
const LONG = { reads: 'value', logs: 'changes' } as const;

const BODY = { reads: 'bytes', logs: 'changes' } as const;

/** The admin interface and payloads show it, and no document does. */
const KEPT = { reads: null, logs: 'always' } as const;

/** Big, and in no payload either. */
const EDITOR = { reads: null, logs: null } as const;

/** Of posts_meta and tags alike. */
const PREVIEW_COLUMNS = {
  og_image: SHOWN,
  og_title: SHOWN,
  og_description: SHOWN,
  twitter_image: SHOWN,
  twitter_title: SHOWN,
  twitter_description: SHOWN,
  meta_title: SHOWN,
  meta_description: SHOWN,
} as const;

export const RECORD_COLUMNS = {
  posts: {
    id: SHOWN,
    uuid: SHOWN,
    title: SHOWN,
    slug: SHOWN,
    mobiledoc: EDITOR,
    lexical: EDITOR,
    html: BODY,
    comment_id: SHOWN,
    plaintext: BODY,
    feature_image: SHOWN,
    featured: SHOWN,
    type: SHOWN,
    status: SHOWN,
    locale: KEPT,
    visibility: SHOWN,
    email_recipient_filter: KEPT,
    created_at: SHOWN,
    updated_at: SHOWN,
    published_at: SHOWN,
    custom_excerpt: SHOWN,
    codeinjection_head: LONG,
    codeinjection_foot: LONG,
    custom_template: SHOWN,
    canonical_url: SHOWN,
    newsletter_id: KEPT,
    show_title_and_feature_image: SHOWN,
  },
  posts_meta: {
    id: KEPT,
    post_id: KEPT,
    ...PREVIEW_COLUMNS,
    email_subject: SHOWN,
    frontmatter: SHOWN,
    feature_image_alt: SHOWN,
    feature_image_caption: SHOWN,
    email_only: KEPT,
  },
  posts_tags: {
    id: SHOWN,
    post_id: SHOWN,
    tag_id: SHOWN,
    sort_order: SHOWN,
  },
  posts_authors: {
    id: SHOWN,
    post_id: SHOWN,
    author_id: SHOWN,
    sort_order: SHOWN,
  },
  posts_tiers: {
    id: SHOWN,
    post_id: SHOWN,
    tier_id: SHOWN,
    sort_order: SHOWN,
  },
  tiers: {
    id: SHOWN,
    name: SHOWN,
    slug: SHOWN,
    active: SHOWN,
    welcome_page_url: SHOWN,
    visibility: SHOWN,
    trial_days: SHOWN,
    description: SHOWN,
    type: SHOWN,
    currency: SHOWN,
    monthly_price: SHOWN,
    yearly_price: SHOWN,
    monthly_price_id: SHOWN,
    yearly_price_id: SHOWN,
    created_at: SHOWN,
    updated_at: SHOWN,
  },
  benefits: {
    id: SHOWN,
    name: SHOWN,
    slug: KEPT,
    created_at: KEPT,
    updated_at: KEPT,
  },
  tiers_benefits: {
    id: SHOWN,
    tier_id: SHOWN,
    benefit_id: SHOWN,
    sort_order: SHOWN,
  },
  tags: {
    id: SHOWN,
    name: SHOWN,
    slug: SHOWN,
    description: SHOWN,
    feature_image: SHOWN,
    parent_id: KEPT,
    visibility: SHOWN,
    ...PREVIEW_COLUMNS,
    codeinjection_head: SHOWN,
    codeinjection_foot: SHOWN,
    canonical_url: SHOWN,
    accent_color: SHOWN,
    created_at: KEPT,
    updated_at: KEPT,
  },
  users: {
    id: SHOWN,
    name: SHOWN,
    slug: SHOWN,
    email: KEPT,
    role: KEPT,
    profile_image: SHOWN,
    cover_image: SHOWN,
    bio: SHOWN,
    website: SHOWN,
    location: SHOWN,
    facebook: SHOWN,
    twitter: SHOWN,
    threads: SHOWN,
    bluesky: SHOWN,
    mastodon: SHOWN,
    tiktok: SHOWN,
    youtube: SHOWN,
    instagram: SHOWN,
    linkedin: SHOWN,
    accessibility: KEPT,
    status: KEPT,
    locale: KEPT,
    visibility: KEPT,
    meta_title: SHOWN,
    meta_description: SHOWN,
    last_seen: KEPT,
    created_at: KEPT,
    updated_at: KEPT,
  },
  settings: {
    id: KEPT,
    group: KEPT,
    key: SHOWN,
    value: SHOWN,
    type: KEPT,
    created_at: KEPT,
    updated_at: KEPT,
  },
  members: {
    id: KEPT,
    uuid: KEPT,
    transient_id: KEPT,
    email: KEPT,
    status: KEPT,
    name: KEPT,
    expertise: KEPT,
    note: KEPT,
    geolocation: KEPT,
    enable_comment_notifications: KEPT,
    enable_updates_and_announcements: KEPT,
    email_count: KEPT,
    email_opened_count: KEPT,
    email_open_rate: KEPT,
    email_disabled: KEPT,
    last_seen_at: KEPT,
    last_commented_at: KEPT,
    commenting: KEPT,
    created_at: KEPT,
    updated_at: KEPT,
  },
  members_labels: {
    id: KEPT,
    member_id: KEPT,
    label_id: KEPT,
    sort_order: KEPT,
  },
  members_newsletters: {
    id: KEPT,
    member_id: KEPT,
    newsletter_id: KEPT,
  },
  members_tiers: {
    id: KEPT,
    member_id: KEPT,
    tier_id: KEPT,
    sort_order: KEPT,
    expiry_at: KEPT,
  },
} as const satisfies {
  readonly [T in keyof Tables]?: { readonly [C in keyof Tables[T]]-?: ColumnUse };
};
