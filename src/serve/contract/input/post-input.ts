// What a client may send to create or edit a post or a page: the writable fields of facts section 9 with
// the lengths of section 10. Everything else (id, uuid, created_at, type, plaintext, ...) is dropped.
import * as z from 'zod';
import {
  editableTexts,
  flag,
  LONG_TEXT_MAX,
  nameReference,
  seenTime,
  text,
  time,
} from '../fields.ts';

/** A text is an address or an id. */
const authorReference = z.union([
  text(191).transform(
    (value): AuthorReference => ({
      [value.includes('@') ? 'email' : 'id']: value,
    }),
  ),
  z.object({
    id: z.string().nullish(),
    slug: text(191).nullish(),
    email: text(191).nullish(),
    name: text(191).nullish(),
  }),
]);

export const tierReferences = z.array(z.object({ id: z.string() })).max(1000);

/** By its id or slug. */
const newsletterReference = z.union([
  text(191),
  z
    .object({ id: z.string().optional(), slug: text(191).optional() })
    .transform(({ id, slug }) => id ?? slug),
]);

const fields = {
  title: text(255),
  slug: text(191).nullish(),
  html: text(LONG_TEXT_MAX)
    .nullish()
    .describe(
      'The body; read with source=html alone. An empty text leaves it as it is, null removes it.',
    ),
  lexical: z
    .string()
    .nullish()
    .describe("The body as the JSON text of a Lexical document; html is made by Ghost's renderer."),
  mobiledoc: z
    .string()
    .nullish()
    .describe(
      'The body as the JSON text of a Mobiledoc; it is stored as Lexical. Not with lexical.',
    ),
  status: z.enum(['draft', 'published', 'scheduled', 'sent']).optional(),
  visibility: text(50).optional(),
  featured: flag.optional(),
  published_at: time.nullish(),
  tags: z.array(nameReference).max(1000).nullish(),
  authors: z.array(authorReference).max(1000).nullish(),
  tiers: tierReferences.nullish(),
  // Of mail, a save may only repeat what is stored.
  email_only: flag.optional(),
  newsletter: newsletterReference.nullish(),
  newsletter_id: z.string().nullish(),
  show_title_and_feature_image: flag.optional(),
  ...editableTexts('posts'),
  ...editableTexts('posts_meta'),
};

export const postCreateInput = z.object(fields);

export const bodyInput = z.object({
  html: z.string().optional(),
  lexical: z.string().optional().describe('The JSON text of a Lexical document.'),
  mobiledoc: z.string().optional().describe('The JSON text of a Mobiledoc.'),
});

/** `updated_at` is required: null says that no collision is looked for. */
export const postEditInput = z.object({
  ...fields,
  title: fields.title.optional(),
  updated_at: seenTime.nullable(),
});

export type PostCreateInput = z.output<typeof postCreateInput>;
export type PostEditInput = z.output<typeof postEditInput>;
export type AuthorReference = {
  readonly [Key in 'id' | 'slug' | 'email' | 'name']?: string | null | undefined;
};
