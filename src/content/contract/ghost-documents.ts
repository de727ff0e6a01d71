// What answers in Ghost's shape hold, beside or in place of the interface's own keys.
import * as z from 'zod';
import { authorSchema, authorWithCountSchema } from './author.ts';
import { filledOrNull } from './fields.ts';
import { postSchema } from './post.ts';
import { settingsSchema } from './settings.ts';
import { tagSchema, tagWithCountSchema } from './tag.ts';

const shared = postSchema.omit({ email_subject: true }).extend({
  excerpt: z.string().nullable(),
  reading_time: z.int().nonnegative().optional(),
  /** Of a body that was cut. */
  plaintext: z.string().optional(),
  comments: z.boolean(),
  frontmatter: filledOrNull,
});

const authors = { authors: z.array(authorSchema), primary_author: authorSchema.nullable() };
const tags = { tags: z.array(tagSchema), primary_tag: tagSchema.nullable() };
export const ghostLinks = { ...authors, ...tags };

export const ghostPost = shared.extend({ email_subject: filledOrNull });
export const ghostPage = shared.extend({ show_title_and_feature_image: z.boolean() });

const withIncluded = (record: typeof shared): Record<string, z.ZodObject> => ({
  index: record,
  authors: record.extend(authors),
  tags: record.extend(tags),
  'authors-tags': record.extend(ghostLinks),
});

export const GHOST_RECORD_SCHEMAS: Readonly<Record<string, Readonly<Record<string, z.ZodObject>>>> =
  {
    posts: withIncluded(ghostPost),
    pages: withIncluded(ghostPage),
    tags: { index: tagSchema, 'count-posts': tagWithCountSchema },
    authors: { index: authorSchema, 'count-posts': authorWithCountSchema },
  };

/** Some 40 further keys. */
export const ghostSettingsSchema = z.looseObject({
  ...settingsSchema.shape,
  members_support_address: z.string().min(1),
  version: z.string().min(1),
});

export const tierSchema = z.strictObject({
  id: z.string().min(1),
  name: z.string(),
  description: z.string().nullable(),
  slug: z.string().min(1),
  active: z.boolean(),
  type: z.string(),
  welcome_page_url: z.string().nullable(),
  created_at: z.string().nullable(),
  updated_at: z.string().nullable(),
  visibility: z.string(),
  benefits: z.array(z.string()),
  currency: z.string().nullable().optional(),
  monthly_price: z.int().nullable().optional(),
  yearly_price: z.int().nullable().optional(),
  trial_days: z.int(),
});
