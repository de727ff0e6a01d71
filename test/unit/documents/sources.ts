// Rows for the tests of documents: plain records, whose fields a test overrides.
import type { Selectable } from 'kysely';
import type { PostRow, PostSource } from '../../../src/store/rows.ts';
import type { TagsTable, UsersTable } from '../../../src/store/tables/content.ts';

type FullTag = Selectable<TagsTable>;
type FullAuthor = Selectable<UsersTable>;

export const SITE_URL = 'https://press.test';

const TIME = '2026-01-01T10:00:00.000Z';

export const createPost = (changes: Partial<PostRow> = {}): PostRow => ({
  id: '6b00f67a8df29a0456bf5f70',
  uuid: '9177a6f6-819e-4941-9967-065835f5c6d4',
  title: 'A title',
  slug: 'a-slug',
  html: '<p>Some text</p>',
  comment_id: '6b00f67a8df29a0456bf5f70',
  plaintext: 'Some text',
  feature_image: null,
  featured: 0,
  type: 'post',
  status: 'published',
  visibility: 'public',
  created_at: TIME,
  updated_at: TIME,
  published_at: TIME,
  custom_excerpt: null,
  codeinjection_head: null,
  codeinjection_foot: null,
  custom_template: null,
  canonical_url: null,
  show_title_and_feature_image: 1,
  frontmatter: null,
  og_image: null,
  og_title: null,
  og_description: null,
  twitter_image: null,
  twitter_title: null,
  twitter_description: null,
  meta_title: null,
  meta_description: null,
  email_subject: null,
  feature_image_alt: null,
  feature_image_caption: null,
  ...changes,
});

/** A whole row, as the database has it. */
export const createTag = (changes: Partial<FullTag> = {}): FullTag => ({
  id: '6b00f67a8df29a0456bf5f72',
  name: 'Alpha',
  slug: 'alpha',
  description: null,
  feature_image: null,
  parent_id: null,
  visibility: 'public',
  og_image: null,
  og_title: null,
  og_description: null,
  twitter_image: null,
  twitter_title: null,
  twitter_description: null,
  meta_title: null,
  meta_description: null,
  codeinjection_head: null,
  codeinjection_foot: null,
  canonical_url: null,
  accent_color: null,
  created_at: TIME,
  updated_at: null,
  ...changes,
});

/** A whole row, as the database has it. */
export const createAuthor = (changes: Partial<FullAuthor> = {}): FullAuthor => ({
  id: '6b00f4d08df29a0456bf5b1f',
  name: 'An Author',
  slug: 'an-author',
  email: 'author@private.test',
  role: 'Author',
  profile_image: null,
  cover_image: null,
  bio: null,
  website: null,
  location: null,
  facebook: null,
  twitter: null,
  threads: null,
  bluesky: null,
  mastodon: null,
  tiktok: null,
  youtube: null,
  instagram: null,
  linkedin: null,
  accessibility: null,
  status: 'active',
  locale: null,
  visibility: 'public',
  meta_title: null,
  meta_description: null,
  last_seen: null,
  created_at: TIME,
  updated_at: null,
  ...changes,
});

export const createSource = (changes: Partial<PostRow> = {}): PostSource => ({
  post: createPost(changes),
  tags: [createTag()],
  authors: [createAuthor()],
});
