// Posts, pages, tags and users as the admin interface answers them.
import * as z from 'zod';
import { tierSchema } from './member.ts';
import {
  count,
  previewFields,
  recordId,
  textOrNull,
  timeOrNull,
  utcTime,
} from './record-fields.ts';

const counted = z.strictObject({ posts: count }).optional();

const tagFields = {
  id: recordId,
  name: z.string(),
  slug: z.string(),
  description: textOrNull,
  feature_image: textOrNull,
  visibility: z.enum(['public', 'internal']),
  ...previewFields,
  meta_title: textOrNull,
  meta_description: textOrNull,
  codeinjection_head: textOrNull,
  codeinjection_foot: textOrNull,
  canonical_url: textOrNull,
  accent_color: textOrNull,
  created_at: utcTime,
  updated_at: timeOrNull,
  url: z.string(),
};

export const tagSchema = z.strictObject({ ...tagFields, count: counted });

const userFields = {
  id: recordId,
  name: z.string(),
  slug: z.string(),
  email: z.string(),
  profile_image: textOrNull,
  cover_image: textOrNull,
  bio: textOrNull,
  website: textOrNull,
  location: textOrNull,
  facebook: textOrNull,
  twitter: textOrNull,
  threads: textOrNull,
  bluesky: textOrNull,
  mastodon: textOrNull,
  tiktok: textOrNull,
  youtube: textOrNull,
  instagram: textOrNull,
  linkedin: textOrNull,
  status: z.string(),
  meta_title: textOrNull,
  meta_description: textOrNull,
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
  feature_image: textOrNull,
  featured: z.boolean(),
  status: z.enum(['draft', 'published', 'scheduled', 'sent']),
  visibility: z.string(),
  created_at: utcTime,
  updated_at: timeOrNull,
  published_at: timeOrNull,
  custom_excerpt: textOrNull,
  codeinjection_head: textOrNull,
  codeinjection_foot: textOrNull,
  custom_template: textOrNull,
  canonical_url: textOrNull,
  tags: z.array(embeddedTag),
  authors: z.array(embeddedAuthor),
  tiers: z.array(tierSchema.omit({ benefits: true })),
  primary_author: embeddedAuthor.nullable(),
  primary_tag: embeddedTag.nullable(),
  url: z.string(),
  excerpt: z.string(),
  reading_time: count,
  ...previewFields,
  meta_title: textOrNull,
  meta_description: textOrNull,
  email_subject: textOrNull,
  frontmatter: textOrNull,
  feature_image_alt: textOrNull,
  feature_image_caption: textOrNull,
  html: textOrNull.optional(),
  plaintext: textOrNull.optional(),
  lexical: textOrNull.optional(),
  mobiledoc: textOrNull.optional(),
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
