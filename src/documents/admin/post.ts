// A post or page as the admin interface shows it, drafts and gated text included: never for `output/`.
// `storedPost` holds only what is stored of it and its links, which is what a webhook's `previous`
// compares and shows; the posts_meta fields are not in it (facts 8.4).
import { EXCERPT_UNITS_MAX } from '../../base/limits.ts';
import type { RecordRow } from '../../store/snapshot.ts';
import { adminAuthor } from './author.ts';
import type { AdminContext, JsonObject, PostRecord } from './context.ts';
import { adminTag } from './tag.ts';
import { adminTier } from './tier.ts';
import { adminTime, flag, siteText } from './values.ts';

/** Every key of a post but the editor's own (`mobiledoc`, `lexical`). */
export const adminPost = (record: PostRecord, context: AdminContext): JsonObject => {
  const { post } = record;
  const stored = storedPost(record, context);
  const tags = stored.tags as readonly JsonObject[];
  const plaintext = plaintextOf(post, context);
  return {
    ...stored,
    plaintext,
    tiers: visibleTiers(record, context).map(adminTier),
    primary_author: (stored.authors as readonly JsonObject[])[0] ?? null,
    primary_tag: tags[0]?.visibility === 'public' ? tags[0] : null,
    ...(post.type === 'post' && { email_segment: post.email_recipient_filter }),
    url: urlOf(record, context),
    excerpt: post.custom_excerpt || (plaintext ?? '').slice(0, EXCERPT_UNITS_MAX),
    reading_time: readingTimeOf(post, context),
    ...metaFields(record, context),
  };
};

/** What is stored of a post, with its tags and authors. */
export const storedPost = (record: PostRecord, context: AdminContext): JsonObject => ({
  ...ownFields(record.post, context.siteUrl),
  tags: record.tags.map((tag) => adminTag(tag, context)),
  authors: record.authors.map((author) => adminAuthor(author, context)),
});

/** The whole stored post, as a webhook's `previous` shows a deleted one. */
export const deletedPost = (record: PostRecord, context: AdminContext): JsonObject => ({
  ...storedPost(record, context),
  reading_time: readingTimeOf(record.post, context),
});

const ownFields = (post: RecordRow<'posts'>, siteUrl: string): JsonObject => ({
  id: post.id,
  uuid: post.uuid,
  title: post.title,
  slug: post.slug,
  html: siteText(post.html, siteUrl),
  comment_id: post.comment_id ?? post.id,
  feature_image: siteText(post.feature_image, siteUrl),
  featured: flag(post.featured),
  status: post.status,
  visibility: post.visibility,
  created_at: adminTime(post.created_at),
  updated_at: adminTime(post.updated_at),
  published_at: adminTime(post.published_at),
  custom_excerpt: siteText(post.custom_excerpt, siteUrl),
  codeinjection_head: siteText(post.codeinjection_head, siteUrl),
  codeinjection_foot: siteText(post.codeinjection_foot, siteUrl),
  custom_template: post.custom_template,
  canonical_url: siteText(post.canonical_url, siteUrl),
  ...(post.type === 'page' && {
    show_title_and_feature_image: flag(post.show_title_and_feature_image),
  }),
});

const metaFields = ({ post, meta }: PostRecord, { siteUrl }: AdminContext): JsonObject => ({
  og_image: siteText(meta?.og_image, siteUrl),
  og_title: meta?.og_title || null,
  og_description: meta?.og_description || null,
  twitter_image: siteText(meta?.twitter_image, siteUrl),
  twitter_title: meta?.twitter_title || null,
  twitter_description: meta?.twitter_description || null,
  meta_title: meta?.meta_title || null,
  meta_description: meta?.meta_description || null,
  email_subject: meta?.email_subject || null,
  frontmatter: meta?.frontmatter || null,
  feature_image_alt: meta?.feature_image_alt || null,
  feature_image_caption: meta?.feature_image_caption || null,
  ...(post.type === 'post' && { email_only: flag(meta?.email_only) }),
});

const plaintextOf = (post: RecordRow<'posts'>, context: AdminContext): string | null => {
  if (!post.html) return null;
  const text = post.plaintext ?? context.plaintextOf(post.html);
  return siteText(text, context.siteUrl);
};

const readingTimeOf = (post: RecordRow<'posts'>, context: AdminContext): number =>
  post.html ? context.readingTimeOf(post.html, post.feature_image) : 0;

/** Only a published record has an address for people; any other one has its preview. */
const urlOf = (record: PostRecord, context: AdminContext): string =>
  record.post.status === 'published'
    ? context.postUrl(record)
    : `${context.siteUrl}/p/${record.post.uuid}/`;

/** The tiers whose members may read the post. */
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
