// Row types of posts, pages, tags, authors and settings, as the migrations declare them.
import type { Generated } from 'kysely';
import type { StoredTime } from './stored-time.ts';

export type UsersTable = {
  id: string;
  name: string;
  slug: string;
  email: string;
  role: Generated<string>;
  profile_image: string | null;
  cover_image: string | null;
  bio: string | null;
  website: string | null;
  location: string | null;
  facebook: string | null;
  twitter: string | null;
  threads: string | null;
  bluesky: string | null;
  mastodon: string | null;
  tiktok: string | null;
  youtube: string | null;
  instagram: string | null;
  linkedin: string | null;
  accessibility: string | null;
  status: Generated<string>;
  locale: string | null;
  visibility: Generated<string>;
  meta_title: string | null;
  meta_description: string | null;
  last_seen: StoredTime | null;
  created_at: StoredTime;
  updated_at: StoredTime | null;
};

export type PostsTable = {
  id: string;
  uuid: string;
  title: string;
  slug: string;
  mobiledoc: string | null;
  lexical: string | null;
  html: string | null;
  comment_id: string | null;
  plaintext: string | null;
  feature_image: string | null;
  featured: Generated<number>;
  type: Generated<string>;
  status: Generated<string>;
  locale: string | null;
  visibility: Generated<string>;
  email_recipient_filter: Generated<string>;
  created_at: StoredTime;
  updated_at: StoredTime | null;
  published_at: StoredTime | null;
  custom_excerpt: string | null;
  codeinjection_head: string | null;
  codeinjection_foot: string | null;
  custom_template: string | null;
  canonical_url: string | null;
  newsletter_id: string | null;
  show_title_and_feature_image: Generated<number>;
};

/** What previews of a link and search engines show. */
type PreviewColumns = {
  og_image: string | null;
  og_title: string | null;
  og_description: string | null;
  twitter_image: string | null;
  twitter_title: string | null;
  twitter_description: string | null;
  meta_title: string | null;
  meta_description: string | null;
};

export type PostsMetaTable = PreviewColumns & {
  id: string;
  post_id: string;
  email_subject: string | null;
  frontmatter: string | null;
  feature_image_alt: string | null;
  feature_image_caption: string | null;
  email_only: Generated<number>;
};

export type TagsTable = PreviewColumns & {
  id: string;
  name: string;
  slug: string;
  description: string | null;
  feature_image: string | null;
  parent_id: string | null;
  visibility: Generated<string>;
  codeinjection_head: string | null;
  codeinjection_foot: string | null;
  canonical_url: string | null;
  accent_color: string | null;
  created_at: StoredTime;
  updated_at: StoredTime | null;
};

export type PostsTagsTable = {
  id: string;
  post_id: string;
  tag_id: string;
  sort_order: Generated<number>;
};

export type PostsAuthorsTable = {
  id: string;
  post_id: string;
  author_id: string;
  sort_order: Generated<number>;
};

export type SettingsTable = {
  id: string;
  group: Generated<string>;
  key: string;
  value: string | null;
  type: Generated<string>;
  created_at: StoredTime;
  updated_at: StoredTime | null;
};

export type PostsTiersTable = {
  id: string;
  post_id: string;
  tier_id: string;
  sort_order: Generated<number>;
};

export type ContentTables = {
  users: UsersTable;
  posts: PostsTable;
  posts_meta: PostsMetaTable;
  tags: TagsTable;
  posts_tags: PostsTagsTable;
  posts_authors: PostsAuthorsTable;
  settings: SettingsTable;
  posts_tiers: PostsTiersTable;
};
