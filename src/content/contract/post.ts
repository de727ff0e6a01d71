// Post records, one schema for each include variant. A page has the same structure.
import * as z from 'zod';
import { embeddedAuthorSchema } from './author.ts';
import { absoluteUrl, filledOrNull, previewFields, timestamp } from './fields.ts';
import { embeddedTagSchema } from './tag.ts';

const postFields = {
  id: z.string().min(1),
  uuid: z.guid(),
  slug: z.string().min(1),
  title: z.string(),
  html: z.string().nullable(),
  comment_id: z.string().min(1),
  feature_image: filledOrNull,
  feature_image_alt: filledOrNull,
  feature_image_caption: filledOrNull,
  featured: z.boolean(),
  visibility: z.enum(['public', 'members', 'paid', 'tiers']),
  created_at: timestamp,
  updated_at: timestamp,
  published_at: timestamp,
  custom_excerpt: filledOrNull,
  excerpt: z.string(),
  codeinjection_head: filledOrNull,
  codeinjection_foot: filledOrNull,
  custom_template: filledOrNull,
  canonical_url: filledOrNull,
  url: absoluteUrl,
  reading_time: z.int().nonnegative(),
  access: z.boolean(),
  ...previewFields,
  meta_title: filledOrNull,
  meta_description: filledOrNull,
  email_subject: filledOrNull,
};

const authors = z.array(embeddedAuthorSchema);
const tags = z.array(embeddedTagSchema);
const primary_author = embeddedAuthorSchema.nullable();
const primary_tag = embeddedTagSchema.nullable();

export const postSchema = z.strictObject(postFields);

export const postWithAuthorsSchema = z.strictObject({ ...postFields, authors, primary_author });

export const postWithTagsSchema = z.strictObject({ ...postFields, tags, primary_tag });

export const postWithAuthorsAndTagsSchema = z.strictObject({
  ...postFields,
  authors,
  tags,
  primary_author,
  primary_tag,
});
