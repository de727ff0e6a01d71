// Author records: on their own, with and without the count of posts, and embedded in a post.
import * as z from 'zod';
import { absoluteUrl, count, filledOrNull } from './fields.ts';

const profileFields = {
  id: z.string().min(1),
  slug: z.string().min(1),
  name: z.string(),
  profile_image: filledOrNull,
  cover_image: filledOrNull,
  bio: filledOrNull,
  website: filledOrNull,
  location: filledOrNull,
  facebook: filledOrNull,
  twitter: filledOrNull,
};

const networkFields = {
  threads: filledOrNull,
  bluesky: filledOrNull,
  mastodon: filledOrNull,
  tiktok: filledOrNull,
  youtube: filledOrNull,
  instagram: filledOrNull,
  linkedin: filledOrNull,
};

const closingFields = {
  meta_title: filledOrNull,
  meta_description: filledOrNull,
  url: absoluteUrl,
};

const authorFields = { ...profileFields, ...networkFields, ...closingFields };

export const authorSchema = z.strictObject(authorFields);

export const authorWithCountSchema = z.strictObject({ ...authorFields, count });

export const embeddedAuthorSchema = z.strictObject({ ...profileFields, ...closingFields });
