// What search in the browser reads: the keys that Ghost's own search asks for, in the order of whole records. Lists of
// them carry no `meta`.

import * as z from 'zod';
import { SEARCHED_MAX } from '../../base/limits.ts';
import { authorSchema } from './author.ts';
import { postSchema } from './post.ts';
import { tagSchema } from './tag.ts';

const post = postSchema.shape;
const author = authorSchema.shape;
const tag = tagSchema.shape;

/** By resource, at most {@link SEARCHED_MAX} of each: of posts the newest. Tags are public. */
export const SEARCH_SCHEMAS = {
  posts: z.strictObject({
    id: post.id,
    slug: post.slug,
    title: post.title,
    visibility: post.visibility,
    updated_at: post.updated_at,
    excerpt: post.excerpt,
    url: post.url,
  }),
  authors: z.strictObject({
    id: author.id,
    slug: author.slug,
    name: author.name,
    profile_image: author.profile_image,
    url: author.url,
  }),
  tags: z.strictObject({ id: tag.id, slug: tag.slug, name: tag.name, url: tag.url }),
} as const;
