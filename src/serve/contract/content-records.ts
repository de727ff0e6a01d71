// Posts, pages, tags and users as the admin interface answers them.
import * as z from 'zod';
import { each } from '../../base/text/words.ts';
import { EDITABLE, type EditableColumn } from '../../publication/tables/record-tables.ts';
import { tierSchema } from './member.ts';
import { count, recordId, textOrNull, timeOrNull, utcTime } from './record-fields.ts';

const counted = z.strictObject({ posts: count }).optional();

const texts = <T extends keyof typeof EDITABLE>(table: T) =>
  Object.fromEntries(EDITABLE[table].map((name) => [name, textOrNull])) as {
    [N in EditableColumn<T>]: typeof textOrNull;
  };

const tagFields = {
  id: recordId,
  name: z.string(),
  slug: z.string(),
  visibility: z.enum(['public', 'internal']),
  ...texts('tags'),
  created_at: utcTime,
  updated_at: timeOrNull,
  url: z.string(),
};

export const tagSchema = z.strictObject({ ...tagFields, count: counted });

const userFields = {
  id: recordId,
  ...each(z.string(), 'name slug email'),
  ...each(textOrNull, 'profile_image cover_image bio website location facebook twitter threads'),
  ...each(textOrNull, 'bluesky mastodon tiktok youtube instagram linkedin'),
  status: z.string(),
  ...each(textOrNull, 'meta_title meta_description'),
  last_seen: timeOrNull,
  created_at: utcTime,
  updated_at: timeOrNull,
  url: z.string(),
};

export const userSchema = z.strictObject({
  ...userFields,
  roles: z.array(z.strictObject({ name: z.string() })).optional(),
  count: counted,
});

const embeddedTag = z.strictObject(tagFields);
const embeddedAuthor = z.strictObject(userFields);

const postFields = {
  id: recordId,
  uuid: z.string(),
  title: z.string().meta({ examples: ['A title'] }),
  slug: z.string(),
  comment_id: z.string(),
  featured: z.boolean(),
  status: z.enum(['draft', 'published', 'scheduled', 'sent']),
  visibility: z.string(),
  created_at: utcTime,
  updated_at: timeOrNull,
  published_at: timeOrNull,
  ...texts('posts'),
  tags: z.array(embeddedTag),
  authors: z.array(embeddedAuthor),
  tiers: z.array(tierSchema.omit({ benefits: true })),
  primary_author: embeddedAuthor.nullable(),
  primary_tag: embeddedTag.nullable(),
  url: z.string(),
  excerpt: z.string(),
  reading_time: count,
  ...texts('posts_meta'),
  ...each(textOrNull.optional(), 'html plaintext lexical mobiledoc'),
};

export const adminPostSchema = z.strictObject({
  ...postFields,
  email_segment: z.string(),
  email_only: z.boolean(),
});

export const adminPageSchema = z.strictObject({
  ...postFields,
  show_title_and_feature_image: z.boolean(),
});
