// The rows that documents are made of: what a snapshot hands to the renderer.
import type { Selectable } from 'kysely';
import type { ReadColumn } from './record-tables.ts';
import type { Tables } from './tables.ts';

/** A text as it was stored, or its UTF-8. */
type StoredBody = string | Uint8Array | null;

/**
 * A post or page with its posts_meta row joined; the meta fields are null without one. A snapshot hands out bodies as
 * bytes, and of the plain text what an excerpt is made of.
 */
export type PostRow = { readonly html: StoredBody; readonly plaintext: StoredBody } & Omit<
  Pick<Selectable<Tables['posts']>, ReadColumn<'posts'>>,
  'html' | 'plaintext'
> &
  Pick<Selectable<Tables['posts_meta']>, ReadColumn<'posts_meta'>>;

export type TagRow = Pick<Selectable<Tables['tags']>, ReadColumn<'tags'>>;
export type AuthorRow = Pick<Selectable<Tables['users']>, ReadColumn<'users'>>;

/** A post or page with what it is linked to, each list in its order (sort_order, then row id). */
export type PostSource = {
  readonly post: PostRow;
  readonly tags: readonly TagRow[];
  readonly authors: readonly AuthorRow[];
  /** Ids of the tiers whose members may read it; absent of a post that asks for no tier. */
  readonly tiers?: readonly string[];
};

/** A tag with the number of published posts (pages are not counted). */
export type TagSource = { readonly tag: TagRow; readonly posts: number };

/** An author with the number of published posts (pages are not counted). */
export type AuthorSource = { readonly author: AuthorRow; readonly posts: number };
