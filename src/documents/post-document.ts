// A post or page as a record: the keys of interface.md's Post, in its order, without related data. The html is
// handed out by itself, between what comes before and after it, because it is made of bytes.
// Throws BUILD_INPUT_INVALID with every field of the row that cannot be read.

import { toNullableText, toText } from '../base/stored-text.ts';
import { isShownTime, parseStoredTime } from '../base/time.ts';
import type { PostRow, PostSource } from '../store/rows.ts';
import type { ByteText } from './byte-text.ts';
import type { PostFacts } from './fragment.ts';
import { shownTiers, toGhostPost } from './ghost-post.ts';
import { flagsOf } from './packed-flags.ts';
import { type BodyTools, type PostBody, renderBody } from './post-body.ts';
import { createRowError, type RowProblem } from './row-problem.ts';
import type { Body, SiteUrlResolver } from './site-url.ts';
import { findDepthFault, findRowFaults } from './text-limits.ts';
import type { TimestampFormatter } from './timestamps.ts';
import type { RecordUrls } from './urls.ts';

export type PostTools = BodyTools & {
  readonly urls: RecordUrls;
  readonly formatTime: TimestampFormatter;
  /** In Ghost's shape; absent: in that of interface.md. */
  readonly ghost?: GhostShape | undefined;
};

export type GhostShape = {
  /** Readers with access may comment. */
  readonly hasComments: boolean;
};

export const toPostRecord = (source: PostSource, tools: PostTools) => {
  const { post } = source;
  const { site, ghost } = tools;
  const problems = findRowFaults('posts', post);
  const times = readTimes(post, problems);
  const html = readHtml(post, site, problems);
  if (problems.length > 0) throw createRowError(problems);
  const body = renderBody(post, html, tools);
  const own = toInterfacePost({ source, body, times }, tools);
  const { before, after } = own;
  const shaped =
    ghost === undefined ? { ...own, rest: null } : toGhostPost({ source, body, own, ...ghost });
  return {
    before: shaped.before,
    html: body.html,
    after: shaped.after,
    rest: shaped.rest,
    // What the record says itself is not added to it.
    plain: shaped.rest?.plaintext === undefined ? body.plain : NO_TEXT,
    facts: {
      created: times.created,
      updated: times.updated,
      flags: flagsOf({ ...after, html: body.html }),
      tags: source.tags.map((tag) => toText(tag.id)),
      authors: source.authors.map((author) => toText(author.id)),
      tiers: ghost && shownTiers(source, body.visibility),
      title: before.title,
      slug: before.slug,
      uuid: before.uuid,
      isGated: body.state !== 'whole',
    } satisfies PostFacts,
  };
};

const NO_TEXT = 'null' as ByteText;

type Rendered = {
  readonly source: PostSource;
  readonly body: PostBody;
  readonly times: PostTimes;
};

export type InterfacePost = ReturnType<typeof toInterfacePost>;

const toInterfacePost = (
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

type PostTimes = {
  readonly created: number;
  readonly updated: number;
  readonly published: number;
};

// The interface shows three times, so a row that was never updated shows the time of its making.
const readTimes = (post: PostRow, problems: RowProblem[]): PostTimes => {
  const read = (field: 'created_at' | 'updated_at' | 'published_at'): number => {
    const ms = parseStoredTime(post[field]);
    if (ms !== null && isShownTime(ms)) return ms;
    const reason = isEmpty(post[field]) ? 'is empty' : 'is not a time that can be read';
    problems.push({ table: 'posts', id: toText(post.id), field, reason });
    return 0;
  };
  const created = read('created_at');
  const updated = isEmpty(post.updated_at) ? created : read('updated_at');
  const published = read('published_at');
  return { created, updated, published };
};

const readHtml = (post: PostRow, site: SiteUrlResolver, problems: RowProblem[]): Body => {
  const html = site.body(post.html);
  const reason = findDepthFault(html.text);
  if (reason !== null)
    problems.push({ table: 'posts', id: toText(post.id), field: 'html', reason });
  return html;
};

const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === '';
