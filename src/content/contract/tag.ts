// Tag records: on their own, with and without the count of posts, and embedded in a post.
import * as z from 'zod';
import { absoluteUrl, count, filledOrNull, previewFields } from './fields.ts';

const tagFields = {
  id: z.string().min(1),
  slug: z.string().min(1),
  name: z.string(),
  description: filledOrNull,
  feature_image: filledOrNull,
  visibility: z.string().min(1),
  meta_title: filledOrNull,
  meta_description: filledOrNull,
  ...previewFields,
  codeinjection_head: filledOrNull,
  codeinjection_foot: filledOrNull,
  canonical_url: filledOrNull,
  accent_color: filledOrNull,
  url: absoluteUrl,
};

export const tagSchema = z.strictObject(tagFields);

export const tagWithCountSchema = z.strictObject({ ...tagFields, count });

export const embeddedTagSchema = z.strictObject({
  id: tagFields.id,
  name: tagFields.name,
  slug: tagFields.slug,
  description: tagFields.description,
  feature_image: tagFields.feature_image,
  visibility: tagFields.visibility,
  meta_title: tagFields.meta_title,
  meta_description: tagFields.meta_description,
  url: tagFields.url,
});
