// An author as a record of its own, and the smaller one that stands inside a post: of the networks it
// names only facebook and twitter. In Ghost's shape both are the same. The address, role and state of the user never leave the database.

import { toNullableText, toText } from '../../base/text/stored-text.ts';
import type { AuthorRow } from '../tables/rows.ts';
import type { SiteUrlResolver } from './site-url.ts';
import type { RecordUrls } from './urls.ts';

export type AuthorTools = { readonly site: SiteUrlResolver; readonly urls: RecordUrls };

/** The keys of interface.md's Author, in its order. */
export const toAuthorRecord = (author: AuthorRow, tools: AuthorTools) => ({
  ...toProfile(author, tools),
  threads: toNullableText(author.threads),
  bluesky: toNullableText(author.bluesky),
  mastodon: toNullableText(author.mastodon),
  tiktok: toNullableText(author.tiktok),
  youtube: toNullableText(author.youtube),
  instagram: toNullableText(author.instagram),
  linkedin: toNullableText(author.linkedin),
  ...toClosingKeys(author, tools),
});

export const toEmbeddedAuthor = (author: AuthorRow, tools: AuthorTools) => ({
  ...toProfile(author, tools),
  ...toClosingKeys(author, tools),
});

/** The keys of Ghost's, in its order, wherever an author stands. */
export const toGhostAuthor = (author: AuthorRow, tools: AuthorTools) => {
  const { id, slug, name, ...keys } = toAuthorRecord(author, tools);
  return { id, name, slug, ...keys };
};

const toProfile = (author: AuthorRow, { site }: AuthorTools) => ({
  id: toText(author.id),
  slug: toText(author.slug),
  name: toText(author.name),
  profile_image: site.nullableText(author.profile_image),
  cover_image: site.nullableText(author.cover_image),
  bio: toNullableText(author.bio),
  website: toNullableText(author.website),
  location: toNullableText(author.location),
  facebook: toNullableText(author.facebook),
  twitter: toNullableText(author.twitter),
});

const toClosingKeys = (author: AuthorRow, { urls }: AuthorTools) => ({
  meta_title: toNullableText(author.meta_title),
  meta_description: toNullableText(author.meta_description),
  url: urls.author(author),
});
