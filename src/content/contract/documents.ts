// The schema of every document of the content interface, found by resource, variant and shape.
import * as z from 'zod';
import { authorSchema, authorWithCountSchema } from './author.ts';
import {
  postSchema,
  postWithAuthorsAndTagsSchema,
  postWithAuthorsSchema,
  postWithTagsSchema,
} from './post.ts';
import { settingsSchema } from './settings.ts';
import { tagSchema, tagWithCountSchema } from './tag.ts';

/** single: one record by id or slug, without `meta`; settings have no other shape. */
export type DocumentShape = 'list' | 'single';

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

const meta = z.strictObject({ pagination: paginationSchema });

const settingsDocumentSchema = z.strictObject({ settings: settingsSchema });

/**
 * The schema of a document, or null when the interface has none such. `variant` is the file's name
 * without `.json`: `index`, `authors-tags`, `public-count-posts`, `page-2-authors`.
 */
export const findDocumentSchema = (
  resource: string,
  variant: string,
  shape: DocumentShape,
): z.ZodType | null => {
  if (resource === 'settings') return variant === 'index' ? settingsDocumentSchema : null;
  const include = shape === 'list' ? dropListTokens(resource, variant) : variant;
  const record = RECORD_SCHEMAS[resource]?.[include];
  if (record === undefined) return null;
  return shape === 'list'
    ? z.strictObject({ [resource]: z.array(record), meta })
    : z.strictObject({ [resource]: z.array(record).length(1) });
};

const dropListTokens = (resource: string, variant: string): string => {
  const unpaged = variant.replace(/^page-\d+(?:-|$)/, '');
  const unfiltered = resource === 'tags' ? unpaged.replace(/^public(?:-|$)/, '') : unpaged;
  return unfiltered === '' ? 'index' : unfiltered;
};
