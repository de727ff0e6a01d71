// A tag as a record of its own, and the smaller one that stands inside a post (nine keys). In Ghost's shape both are the
// same.

import { toNullableText, toText } from '../../base/text/stored-text.ts';
import { pick, pickAs } from '../../base/text/words.ts';
import type { TagRow } from '../tables/rows.ts';
import type { SiteUrlResolver } from './site-url.ts';
import type { RecordUrls } from './urls.ts';

export type TagTools = { readonly site: SiteUrlResolver; readonly urls: RecordUrls };

/** The keys of interface.md's Tag, in its order. */
export const toTagRecord = (tag: TagRow, { site, urls }: TagTools) => ({
  ...pickAs(tag, 'id slug name', toText),
  description: toNullableText(tag.description),
  feature_image: site.nullableText(tag.feature_image),
  visibility: toText(tag.visibility),
  ...pickAs(tag, 'meta_title meta_description', toNullableText),
  og_image: site.nullableText(tag.og_image),
  ...pickAs(tag, 'og_title og_description', toNullableText),
  twitter_image: site.nullableText(tag.twitter_image),
  ...pickAs(tag, 'twitter_title twitter_description', toNullableText),
  ...pickAs(tag, 'codeinjection_head codeinjection_foot canonical_url', site.nullableText),
  accent_color: toNullableText(tag.accent_color),
  url: urls.tag(tag),
});

export const toEmbeddedTag = (tag: TagRow, { site, urls }: TagTools) => ({
  ...pickAs(tag, 'id name slug', toText),
  description: toNullableText(tag.description),
  feature_image: site.nullableText(tag.feature_image),
  visibility: toText(tag.visibility),
  ...pickAs(tag, 'meta_title meta_description', toNullableText),
  url: urls.tag(tag),
});

/** The keys of Ghost's, in its order, wherever a tag stands. */
export const toGhostTag = (tag: TagRow, tools: TagTools) => {
  const record = toTagRecord(tag, tools);
  return {
    ...pick(record, 'id name slug description feature_image visibility og_image og_title'),
    ...pick(record, 'og_description twitter_image twitter_title twitter_description meta_title'),
    ...pick(record, 'meta_description codeinjection_head codeinjection_foot canonical_url'),
    ...pick(record, 'accent_color url'),
  };
};
