// An author as a record of its own, and the smaller one that stands inside a post: of the networks it
// names only facebook and twitter. In Ghost's shape both are the same. The address, role and state of the user never leave the database.

import { toNullableText, toText } from '../../base/text/stored-text.ts';
import { pickAs } from '../../base/text/words.ts';
import type { AuthorRow } from '../tables/rows.ts';
import type { SiteUrlResolver } from './site-url.ts';
import type { RecordUrls } from './urls.ts';

export type AuthorTools = { readonly site: SiteUrlResolver; readonly urls: RecordUrls };

/** The keys of interface.md's Author, in its order. */
export const toAuthorRecord = (author: AuthorRow, tools: AuthorTools) => ({
  ...toProfile(author, tools),
  ...pickAs(author, 'threads bluesky mastodon tiktok youtube instagram linkedin', toNullableText),
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
  ...pickAs(author, 'id slug name', toText),
  ...pickAs(author, 'profile_image cover_image', site.nullableText),
  ...pickAs(author, 'bio website location facebook twitter', toNullableText),
});

const toClosingKeys = (author: AuthorRow, { urls }: AuthorTools) => ({
  ...pickAs(author, 'meta_title meta_description', toNullableText),
  url: urls.author(author),
});
