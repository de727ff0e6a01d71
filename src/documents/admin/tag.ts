// A tag as the admin interface shows it; `storedTag` leaves out what is derived, for a webhook's
// `previous`.
import type { RecordRow } from '../../store/snapshot.ts';
import type { AdminContext, JsonObject } from './context.ts';
import { adminTime, siteText } from './values.ts';

export const adminTag = (tag: RecordRow<'tags'>, context: AdminContext): JsonObject => ({
  ...storedTag(tag, context),
  url: tag.visibility === 'public' ? context.tagUrl(tag.slug) : `${context.siteUrl}/404/`,
});

export const storedTag = (tag: RecordRow<'tags'>, { siteUrl }: AdminContext): JsonObject => ({
  id: tag.id,
  name: tag.name,
  slug: tag.slug,
  description: tag.description,
  feature_image: siteText(tag.feature_image, siteUrl),
  visibility: tag.visibility,
  og_image: siteText(tag.og_image, siteUrl),
  og_title: tag.og_title,
  og_description: tag.og_description,
  twitter_image: siteText(tag.twitter_image, siteUrl),
  twitter_title: tag.twitter_title,
  twitter_description: tag.twitter_description,
  meta_title: tag.meta_title,
  meta_description: tag.meta_description,
  codeinjection_head: siteText(tag.codeinjection_head, siteUrl),
  codeinjection_foot: siteText(tag.codeinjection_foot, siteUrl),
  canonical_url: siteText(tag.canonical_url, siteUrl),
  accent_color: tag.accent_color,
  created_at: adminTime(tag.created_at),
  updated_at: adminTime(tag.updated_at),
});
