// Rows for the tests of documents: plain records, whose fields a test overrides.
import type { Selectable } from 'kysely';
import { EDITABLE } from '../../../../src/publication/tables/record-tables.ts';
import type { PostRow, PostSource } from '../../../../src/publication/tables/rows.ts';
import type { Tables } from '../../../../src/publication/tables/tables.ts';

type FullTag = Selectable<Tables['tags']>;
type FullAuthor = Selectable<Tables['users']>;

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
  featured: 0,
  type: 'post',
  status: 'published',
  visibility: 'public',
  created_at: TIME,
  updated_at: TIME,
  published_at: TIME,
  show_title_and_feature_image: 1,
  ...nulls(...EDITABLE.posts, ...EDITABLE.posts_meta),
  ...changes,
});

/** A whole row, as the database has it. */
export const createTag = (changes: Partial<FullTag> = {}): FullTag => ({
  id: '6b00f67a8df29a0456bf5f72',
  name: 'Alpha',
  slug: 'alpha',
  visibility: 'public',
  ...nulls('parent_id', 'accent_color', ...EDITABLE.tags),
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
