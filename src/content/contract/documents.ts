// The schemas of the records that documents of the content interface hold, and of their pagination.
import * as z from 'zod';
import { authorSchema, authorWithCountSchema } from './author.ts';
import {
  postSchema,
  postWithAuthorsAndTagsSchema,
  postWithAuthorsSchema,
  postWithTagsSchema,
} from './post.ts';
import { tagSchema, tagWithCountSchema } from './tag.ts';

type Variants = Readonly<Record<string, z.ZodObject>>;

const POST_VARIANTS: Variants = {
  index: postSchema,
  authors: postWithAuthorsSchema,
  tags: postWithTagsSchema,
  'authors-tags': postWithAuthorsAndTagsSchema,
};

/** The record schemas by include variant; filters and pages change which records, not their shape. */
export const RECORD_SCHEMAS: Readonly<Record<string, Variants>> = {
  posts: POST_VARIANTS,
  pages: POST_VARIANTS,
  tags: { index: tagSchema, 'count-posts': tagWithCountSchema },
  authors: { index: authorSchema, 'count-posts': authorWithCountSchema },
};

const pageNumber = z.int().positive();

export const paginationSchema = z.strictObject({
  page: pageNumber,
  limit: pageNumber,
  pages: pageNumber,
  total: z.int().nonnegative(),
  next: pageNumber.nullable(),
  prev: pageNumber.nullable(),
});
