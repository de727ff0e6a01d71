// A post or page in Ghost's shape: all keys that Ghost 6.65 answers, in its order. What is included stands before `url`, so
// the keys from there on are handed out by themselves. A key without a value is left out as Ghost leaves it out: the reading
// time of a post without a body, the plain text of one that is shown whole.

import { toNullableText, toText } from '../../base/text/stored-text.ts';
import { ALL_TIERS, PAID_TIERS } from '../../content/tree/tree.ts';
import type { PostRow, PostSource } from '../tables/rows.ts';
import { readByteText } from './html/byte-text.ts';
import type { InterfacePost } from './interface-post.ts';
import type { PostBody } from './post-body.ts';

type GhostPost = {
  readonly source: PostSource;
  readonly body: PostBody;
  readonly own: InterfacePost;
  readonly hasComments: boolean;
};

export const toGhostPost = ({ source: { post }, body, own, hasComments }: GhostPost) => {
  const { before, after } = own;
  const isPage = post.type === 'page';
  return {
    before: { id: before.id, uuid: before.uuid, title: before.title, slug: before.slug },
    after: {
      comment_id: after.comment_id,
      feature_image: after.feature_image,
      featured: after.featured,
      visibility: after.visibility,
      created_at: after.created_at,
      updated_at: after.updated_at,
      published_at: after.published_at,
      custom_excerpt: after.custom_excerpt,
      codeinjection_head: after.codeinjection_head,
      codeinjection_foot: after.codeinjection_foot,
      custom_template: after.custom_template,
      canonical_url: after.canonical_url,
      show_title_and_feature_image: isPage
        ? Boolean(Number(post.show_title_and_feature_image))
        : undefined,
    },
    rest: {
      url: after.url,
      excerpt: excerptOf(post, body),
      reading_time: body.hasText ? body.readingTime : undefined,
      access: body.access,
      plaintext: cutText(body),
      comments: body.access && hasComments,
      og_image: after.og_image,
      og_title: after.og_title,
      og_description: after.og_description,
      twitter_image: after.twitter_image,
      twitter_title: after.twitter_title,
      twitter_description: after.twitter_description,
      meta_title: after.meta_title,
      meta_description: after.meta_description,
      email_subject: isPage ? undefined : after.email_subject,
      frontmatter: toNullableText(post.frontmatter),
      feature_image_alt: after.feature_image_alt,
      feature_image_caption: after.feature_image_caption,
    },
  };
};

/** Of a post without any text it is null, unless the text was withheld. */
const excerptOf = (post: PostRow, { excerpt, state }: PostBody): string | null => {
  const isCut = state === 'cut' && post.plaintext !== null && post.plaintext.length > 0;
  return excerpt === '' && state !== 'withheld' && !isCut ? null : excerpt;
};

/** A text is added where it is asked for: not an empty one, such as that of a picture, nor one that the record says. */
export const hasGhostText = (post: PostRow, body: PostBody): boolean => {
  if (body.state === 'cut') return cutText(body) === undefined;
  if (body.state === 'whole') return body.plain !== '""';
  // Of a body that a source did not show, a comment alone stands here: it is taken for one with a text.
  const html = toText(post.html);
  const isUnknown = html.startsWith('<!--') && html.lastIndexOf('<') === 0;
  return isUnknown || Boolean(post.plaintext?.length);
};

/** What is left of a body that was cut is shown as plain text too, asked for or not. */
const cutText = ({ state, html, plain }: PostBody): string | undefined =>
  state === 'cut' && html !== '' ? readByteText(JSON.parse(plain)) : undefined;

/** Names of the tiers that a post shows: those that it is linked to, or those whose members may read it. */
export const shownTiers = (
  { tiers = [] }: PostSource,
  visibility: PostBody['visibility'],
): readonly string[] => {
  if (visibility === 'tiers') return tiers;
  return [visibility === 'paid' ? PAID_TIERS : ALL_TIERS];
};
