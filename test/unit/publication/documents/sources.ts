// Rows for the tests of documents: plain records, whose fields a test overrides.
import type { Selectable } from 'kysely';
import type { TagsTable, UsersTable } from '../../../../src/publication/tables/content.ts';
import type { PostRow, PostSource } from '../../../../src/publication/tables/rows.ts';

type FullTag = Selectable<TagsTable>;
type FullAuthor = Selectable<UsersTable>;

export const SITE_URL = 'https://press.test';

const nulls = <Name extends string>(...names: readonly Name[]): Record<Name, null> =>
  Object.fromEntries(names.map((name) => [name, null])) as Record<Name, null>;

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
  ...nulls('custom_excerpt', 'codeinjection_head', 'codeinjection_foot', 'custom_template'),
  ...nulls('canonical_url'),
  show_title_and_feature_image: 1,
  ...nulls('frontmatter', 'og_image', 'og_title', 'og_description', 'twitter_image'),
  ...nulls('twitter_title', 'twitter_description', 'meta_title', 'meta_description'),
  ...nulls('email_subject', 'feature_image_alt', 'feature_image_caption'),
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
  ...nulls('og_image', 'og_title', 'og_description', 'twitter_image', 'twitter_title'),
  ...nulls('twitter_description', 'meta_title', 'meta_description', 'codeinjection_head'),
  ...nulls('codeinjection_foot', 'canonical_url', 'accent_color'),
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
  ...nulls('profile_image', 'cover_image', 'bio', 'website', 'location', 'facebook', 'twitter'),
  ...nulls('threads', 'bluesky', 'mastodon', 'tiktok', 'youtube', 'instagram', 'linkedin'),
  ...nulls('accessibility'),
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
