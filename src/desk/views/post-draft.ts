// A post while it is edited: what the form holds, and what is sent of it. Only what was changed is sent, so that
// nothing else is written anew.
import type { Page, Post } from '../records.ts';

export type PostRoot = 'posts' | 'pages';

export type AnyPost = Omit<Post, 'email_only' | 'email_segment'> &
  Partial<Pick<Page, 'show_title_and_feature_image'>>;

export type Draft = {
  readonly title: string;
  readonly slug: string;
  readonly excerpt: string;
  /** Separated by commas. */
  readonly tags: string;
  readonly visibility: string;
  readonly featured: boolean;
  readonly image: string;
  readonly imageAlt: string;
};

/** The text of the post as it was changed; null: it was not. */
export type Body = { readonly html: string } | { readonly lexical: string } | null;

export const EMPTY: Draft = {
  title: '',
  slug: '',
  excerpt: '',
  tags: '',
  visibility: 'public',
  featured: false,
  image: '',
  imageAlt: '',
};

export const draftOf = (post: AnyPost): Draft => ({
  title: post.title,
  slug: post.slug,
  excerpt: post.custom_excerpt ?? '',
  tags: post.tags.map(({ name }) => name).join(', '),
  visibility: post.visibility,
  featured: post.featured,
  image: post.feature_image ?? '',
  imageAlt: post.feature_image_alt ?? '',
});

type Changes = Record<string, unknown>;

const FIELDS: Readonly<Record<keyof Draft, (draft: Draft) => Changes>> = {
  title: ({ title }) => ({ title: title.trim() || '(Untitled)' }),
  slug: ({ slug }) => ({ slug: slug.trim() }),
  excerpt: ({ excerpt }) => ({ custom_excerpt: excerpt.trim() || null }),
  tags: ({ tags }) => ({ tags: tagsOf(tags) }),
  visibility: ({ visibility }) => ({ visibility }),
  featured: ({ featured }) => ({ featured }),
  image: ({ image }) => ({ feature_image: image.trim() || null }),
  imageAlt: ({ imageAlt }) => ({ feature_image_alt: imageAlt.trim() || null }),
};

/** What a save sends, `updated_at` aside. `before`: as it was read; EMPTY for a new post. */
export const changesOf = (before: Draft, draft: Draft, body: Body): Changes => {
  const names = Object.keys(FIELDS) as (keyof Draft)[];
  const changed = names.filter((name) => draft[name] !== before[name]);
  return Object.assign({}, ...changed.map((name) => FIELDS[name](draft)), body);
};

const tagsOf = (text: string): { name: string }[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .map((name) => ({ name }));
