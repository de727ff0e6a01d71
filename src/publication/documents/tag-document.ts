// A tag as a record of its own, and the smaller one that stands inside a post (nine keys). In Ghost's shape both are the
// same.

import { toNullableText, toText } from '../../base/text/stored-text.ts';
import type { TagRow } from '../tables/rows.ts';
import type { SiteUrlResolver } from './site-url.ts';
import type { RecordUrls } from './urls.ts';

export type TagTools = { readonly site: SiteUrlResolver; readonly urls: RecordUrls };

/** The keys of interface.md's Tag, in its order. */
export const toTagRecord = (tag: TagRow, { site, urls }: TagTools) => ({
  id: toText(tag.id),
  slug: toText(tag.slug),
  name: toText(tag.name),
  description: toNullableText(tag.description),
  feature_image: site.nullableText(tag.feature_image),
  visibility: toText(tag.visibility),
  meta_title: toNullableText(tag.meta_title),
  meta_description: toNullableText(tag.meta_description),
  og_image: site.nullableText(tag.og_image),
  og_title: toNullableText(tag.og_title),
  og_description: toNullableText(tag.og_description),
  twitter_image: site.nullableText(tag.twitter_image),
  twitter_title: toNullableText(tag.twitter_title),
  twitter_description: toNullableText(tag.twitter_description),
  codeinjection_head: site.nullableText(tag.codeinjection_head),
  codeinjection_foot: site.nullableText(tag.codeinjection_foot),
  canonical_url: site.nullableText(tag.canonical_url),
  accent_color: toNullableText(tag.accent_color),
  url: urls.tag(tag),
});

export const toEmbeddedTag = (tag: TagRow, { site, urls }: TagTools) => ({
  id: toText(tag.id),
  name: toText(tag.name),
  slug: toText(tag.slug),
  description: toNullableText(tag.description),
  feature_image: site.nullableText(tag.feature_image),
  visibility: toText(tag.visibility),
  meta_title: toNullableText(tag.meta_title),
  meta_description: toNullableText(tag.meta_description),
  url: urls.tag(tag),
});

/** The keys of Ghost's, in its order, wherever a tag stands. */
export const toGhostTag = (tag: TagRow, tools: TagTools) => {
  const { id, slug, name, meta_title, meta_description, codeinjection_head, ...keys } = toTagRecord(
    tag,
    tools,
  );
  const { codeinjection_foot, canonical_url, accent_color, url, ...images } = keys;
  return {
    id,
    name,
    slug,
    ...images,
    meta_title,
    meta_description,
    codeinjection_head,
    codeinjection_foot,
    canonical_url,
    accent_color,
    url,
  };
};
