// A tag as the admin interface shows it; `storedTag` leaves out what is derived, for a webhook's
// `previous`.
import type { RecordRow } from '../../snapshot/snapshot.ts';
import type { AdminContext, JsonObject } from './context.ts';
import { adminTime } from './values.ts';

export const adminTag = (tag: RecordRow<'tags'>, context: AdminContext): JsonObject => ({
  ...storedTag(tag, context),
  url: context.urls.tag(tag),
});

export const storedTag = (tag: RecordRow<'tags'>, { site }: AdminContext): JsonObject => ({
  id: tag.id,
  name: tag.name,
  slug: tag.slug,
  description: tag.description,
  feature_image: site.nullableText(tag.feature_image),
  visibility: tag.visibility,
  og_image: site.nullableText(tag.og_image),
  og_title: tag.og_title,
  og_description: tag.og_description,
  twitter_image: site.nullableText(tag.twitter_image),
  twitter_title: tag.twitter_title,
  twitter_description: tag.twitter_description,
  meta_title: tag.meta_title,
  meta_description: tag.meta_description,
  codeinjection_head: site.nullableText(tag.codeinjection_head),
  codeinjection_foot: site.nullableText(tag.codeinjection_foot),
  canonical_url: site.nullableText(tag.canonical_url),
  accent_color: tag.accent_color,
  created_at: adminTime(tag.created_at),
  updated_at: adminTime(tag.updated_at),
});
