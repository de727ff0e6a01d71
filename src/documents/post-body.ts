// The fields of a post that depend on who reads: html, excerpt, visibility and access, as a stranger
// sees them. The stored plaintext is that of the full body: it is used only where all of it is shown.
import type { PostRow } from '../store/rows.ts';
import { type ByteText, readByteText, toByteText } from './byte-text.ts';
import { type GatedBody, gateForAnonymous, readVisibility, type Visibility } from './gating.ts';
import type { OutboundLinkTagger } from './outbound-links.ts';
import { cutExcerpt, toExcerpt } from './plaintext.ts';
import { readingTime } from './reading-time.ts';
import type { Body, SiteUrlResolver } from './site-url.ts';

export type PostBody = {
  readonly html: ByteText | null;
  readonly visibility: Visibility;
  readonly access: boolean;
  readonly customExcerpt: string | null;
  readonly excerpt: string;
  readonly readingTime: number;
};

export type BodyTools = {
  readonly site: SiteUrlResolver;
  readonly tagLinks: OutboundLinkTagger;
};

export const renderBody = (post: PostRow, full: Body, { site, tagLinks }: BodyTools): PostBody => {
  const visibility = readVisibility(post.visibility);
  const access = visibility === 'public';
  const gated = gate(full, visibility);
  const customExcerpt = site.nullableText(post.custom_excerpt);
  return {
    html: access && full.text === '' ? null : tagLinks(gated.html),
    visibility,
    access,
    customExcerpt,
    excerpt: gated.state === 'withheld' ? '' : (customExcerpt ?? excerptOf(gated, post, site)),
    readingTime: readingTime(full.bytes, post.feature_image !== null && post.feature_image !== ''),
  };
};

type ShownBody = Pick<GatedBody, 'state'> & { readonly html: ByteText };

/** Comments gate, and what they say is read as text; most bodies hold none. */
const gate = ({ text }: Body, visibility: Visibility): ShownBody => {
  if (visibility === 'public' && !text.includes('<!--')) return { html: text, state: 'whole' };
  const { html, state } = gateForAnonymous(readByteText(text), visibility);
  return { html: toByteText(html), state };
};

const excerptOf = ({ html, state }: ShownBody, post: PostRow, site: SiteUrlResolver): string => {
  if (state === 'whole' && post.plaintext !== null) return cutExcerpt(site.text(post.plaintext));
  return toExcerpt(readByteText(html));
};
