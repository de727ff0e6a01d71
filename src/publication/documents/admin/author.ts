// An author (a row of users) as the admin interface shows it. Users have no passwords in this database;
// the list of keys is closed all the same, so that a new column is not shown by accident.
import type { RecordRow } from '../../snapshot/snapshot.ts';
import type { AdminContext, JsonObject } from './document-context.ts';
import { adminTime } from './values.ts';

export const adminAuthor = (
  author: RecordRow<'users'>,
  { site, urls }: AdminContext,
): JsonObject => ({
  id: author.id,
  name: author.name,
  slug: author.slug,
  email: author.email,
  profile_image: site.nullableText(author.profile_image),
  cover_image: site.nullableText(author.cover_image),
  bio: author.bio,
  website: author.website,
  location: author.location,
  facebook: author.facebook,
  twitter: author.twitter,
  threads: author.threads,
  bluesky: author.bluesky,
  mastodon: author.mastodon,
  tiktok: author.tiktok,
  youtube: author.youtube,
  instagram: author.instagram,
  linkedin: author.linkedin,
  status: author.status,
  meta_title: author.meta_title,
  meta_description: author.meta_description,
  last_seen: adminTime(author.last_seen),
  created_at: adminTime(author.created_at),
  updated_at: adminTime(author.updated_at),
  url: urls.author(author),
});
