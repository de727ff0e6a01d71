// A post or page as the admin interface shows it, drafts and gated text included: never for `output/`.
// `storedPost` holds only what is stored of it and its links, which is what a webhook's `previous`
// compares and shows; the posts_meta fields are not in it (facts 8.4).
import { pick, pickAs } from '../../../base/text/words.ts';
import { parseStoredTime } from '../../../base/time.ts';
import type { RecordRow } from '../../snapshot/snapshot.ts';
import { isEmailOnly, isPublicPost } from '../../tables/published-posts.ts';
import { readVisibility } from '../html/gating.ts';
import { cutExcerpt, toExcerpt, toPlaintext } from '../html/plaintext.ts';
import { readingTime } from '../html/reading-time.ts';
import type { SiteUrlResolver } from '../site-url.ts';
import { adminAuthor } from './author.ts';
import {
  type AdminContext,
  type JsonObject,
  type PostRecord,
  toPostSource,
} from './document-context.ts';
import { adminTag } from './tag.ts';
import { adminTier } from './tier.ts';
import { adminTexts, adminTime, flag } from './values.ts';

/**
 * Every key of a post but the editor's own (`mobiledoc`, `lexical`). Without its body, `html` and `plaintext` are null: the
 * body is read for the excerpt and the reading time only.
 */
export const adminPost = (
  record: PostRecord,
  context: AdminContext,
  hasBody = true,
): JsonObject => {
  const { post } = record;
  const stored = storedPost(record, context, hasBody);
  const tags = stored.tags as readonly JsonObject[];
  const plaintext = hasBody ? plaintextOf(post, context) : null;
  return {
    ...stored,
    plaintext,
    tiers: visibleTiers(record, context).map(adminTier),
    primary_author: (stored.authors as readonly JsonObject[])[0] ?? null,
    primary_tag: tags[0]?.visibility === 'public' ? tags[0] : null,
    ...(post.type === 'post' && { email_segment: post.email_recipient_filter }),
    url: urlOf(record, context),
    excerpt:
      stored.custom_excerpt ?? (hasBody ? cutExcerpt(plaintext ?? '') : excerptOf(post, context)),
    reading_time: minutesOf(post, context),
    ...metaFields(record, context),
  };
};

/** What is stored of a post, with its tags and authors; `html` is null without its body. */
export const storedPost = (
  record: PostRecord,
  context: AdminContext,
  hasBody = true,
): JsonObject => ({
  ...ownFields(hasBody ? record.post : { ...record.post, html: null }, context.site),
  tags: record.tags.map((tag) => adminTag(tag, context)),
  authors: record.authors.map((author) => adminAuthor(author, context)),
});

/** The whole stored post, as a webhook's `previous` shows a deleted one. */
export const deletedPost = (
  record: PostRecord,
  context: AdminContext,
  hasBody = true,
): JsonObject => ({
  ...storedPost(record, context, hasBody),
  reading_time: minutesOf(record.post, context),
});

const ownFields = (post: RecordRow<'posts'>, site: SiteUrlResolver): JsonObject => ({
  ...pick(post, 'id uuid title slug'),
  html: site.nullableText(post.html),
  comment_id: post.comment_id ?? post.id,
  featured: flag(post.featured),
  status: post.status,
  visibility: readVisibility(post.visibility),
  ...pickAs(post, 'created_at updated_at published_at', adminTime),
  ...adminTexts('posts', post, site),
  ...(post.type === 'page' && {
    show_title_and_feature_image: flag(post.show_title_and_feature_image),
  }),
});

const metaFields = ({ post, meta }: PostRecord, { site }: AdminContext): JsonObject => ({
  ...adminTexts('posts_meta', meta, site),
  ...(post.type === 'post' && { email_only: isEmailOnly(meta) }),
});

const plaintextOf = (post: RecordRow<'posts'>, { site }: AdminContext): string | null => {
  if (!post.html) return null;
  return post.plaintext === null ? toPlaintext(site.text(post.html)) : site.text(post.plaintext);
};

/** Of a long body, of which no more is read than that takes. */
const excerptOf = ({ html, plaintext }: RecordRow<'posts'>, { site }: AdminContext): string => {
  if (!html) return '';
  return plaintext === null ? toExcerpt(site.text(html)) : cutExcerpt(site.text(plaintext));
};

const minutesOf = (post: RecordRow<'posts'>, { site }: AdminContext): number =>
  readingTime(Buffer.from(site.text(post.html)), Boolean(post.feature_image));

/** Only a record that the web shows has an address for people; any other has that of its e-mail or preview. */
const urlOf = (record: PostRecord, context: AdminContext): string => {
  const { post, meta } = record;
  if (isPublicPost(record)) {
    return context.urls.post(toPostSource(record), parseStoredTime(post.published_at) ?? 0);
  }
  const folder = isEmailOnly(meta) || post.status === 'sent' ? 'email' : 'p';
  return `${context.siteUrl}/${folder}/${post.uuid}/`;
};

const visibleTiers = (record: PostRecord, context: AdminContext): readonly RecordRow<'tiers'>[] => {
  switch (record.post.visibility) {
    case 'public':
    case 'members':
      return context.tiers;
    case 'paid':
      return context.tiers.filter(({ type }) => type === 'paid');
    default:
      return record.tiers;
  }
};
