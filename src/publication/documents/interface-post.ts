// A post or page in the form of interface.md, without related data and without html. Objects of records are written out key by
// key: V8 keeps those that are made by spreading in a slower, larger form.
import { toNullableText, toText } from '../../base/text/stored-text.ts';
import type { PostSource } from '../tables/rows.ts';
import type { BodyTools, PostBody } from './post-body.ts';
import type { TimestampFormatter } from './timestamps.ts';
import type { RecordUrls } from './urls.ts';

export type PostTools = BodyTools & {
  readonly urls: RecordUrls;
  readonly formatTime: TimestampFormatter;
  /** In Ghost's shape; absent: in that of interface.md. */
  readonly ghost?: GhostShape | undefined;
};

export type GhostShape = {
  readonly hasComments: boolean;
};

type Rendered = {
  readonly source: PostSource;
  readonly body: PostBody;
  readonly times: PostTimes;
};

export type InterfacePost = ReturnType<typeof toInterfacePost>;

export const toInterfacePost = (
  { source, body, times }: Rendered,
  { site, urls, formatTime }: PostTools,
) => {
  const { post } = source;
  const id = toText(post.id);
  const before = {
    id,
    uuid: toText(post.uuid),
    slug: toText(post.slug),
    title: toText(post.title),
  };
  const after = {
    comment_id: toNullableText(post.comment_id) ?? id,
    feature_image: site.nullableText(post.feature_image),
    feature_image_alt: toNullableText(post.feature_image_alt),
    feature_image_caption: site.nullableText(post.feature_image_caption),
    featured: Boolean(Number(post.featured)),
    visibility: body.visibility,
    created_at: formatTime(times.created),
    updated_at: formatTime(times.updated),
    published_at: formatTime(times.published),
    custom_excerpt: body.customExcerpt,
    excerpt: body.excerpt,
    codeinjection_head: site.nullableText(post.codeinjection_head),
    codeinjection_foot: site.nullableText(post.codeinjection_foot),
    custom_template: toNullableText(post.custom_template),
    canonical_url: site.nullableText(post.canonical_url),
    url: urls.post(source, times.published),
    reading_time: body.readingTime,
    access: body.access,
    og_image: site.nullableText(post.og_image),
    og_title: toNullableText(post.og_title),
    og_description: toNullableText(post.og_description),
    twitter_image: site.nullableText(post.twitter_image),
    twitter_title: toNullableText(post.twitter_title),
    twitter_description: toNullableText(post.twitter_description),
    meta_title: toNullableText(post.meta_title),
    meta_description: toNullableText(post.meta_description),
    email_subject: toNullableText(post.email_subject),
  };
  return { before, after };
};

export type PostTimes = {
  readonly created: number;
  readonly updated: number;
  readonly published: number;
};
