// The fields of a post that depend on who reads: html, excerpt, visibility and access, as a stranger
// sees them. The stored plaintext is that of the full body: it is used only where all of it is shown.
import type { PostRow } from '../tables/rows.ts';
import { type ByteText, EMPTY, readByteText, toByteText } from './html/byte-text.ts';
import {
  type GatedBody,
  gateForAnonymous,
  readVisibility,
  type Visibility,
} from './html/gating.ts';
import type { OutboundLinkTagger } from './html/outbound-links.ts';
import { cutExcerpt, toExcerpt, toPlaintext } from './html/plaintext.ts';
import { readingTime } from './html/reading-time.ts';
import type { Body, SiteUrlResolver } from './site-url.ts';

export type PostBody = {
  readonly html: ByteText | null;
  readonly visibility: Visibility;
  readonly access: boolean;
  readonly customExcerpt: string | null;
  readonly excerpt: string;
  readonly readingTime: number;
  /** JSON of a text, or null of a post without a body. */
  readonly plain: ByteText;
  /** What strangers read of the body. */
  readonly state: GatedBody['state'];
  /** There is a body, shown or not. */
  readonly hasText: boolean;
};

export type BodyTools = {
  readonly site: SiteUrlResolver;
  readonly tagLinks: OutboundLinkTagger;
  /** Nothing is withheld: it is a preview, not what is published. */
  readonly isUngated?: boolean | undefined;
};

export const renderBody = (post: PostRow, full: Body, tools: BodyTools): PostBody => {
  const { site, tagLinks, isUngated = false } = tools;
  const visibility = readVisibility(post.visibility);
  const access = isUngated || visibility === 'public';
  const gated: ShownBody = isUngated ? { html: full.text, state: 'whole' } : gate(full, visibility);
  const customExcerpt = site.nullableText(post.custom_excerpt);
  const isEmpty = access && full.text === '';
  return {
    html: isEmpty ? null : tagLinks(gated.html),
    visibility,
    access,
    customExcerpt,
    excerpt: gated.state === 'withheld' ? '' : (customExcerpt ?? excerptOf(gated, post, site)),
    readingTime: readingTime(full.bytes, post.feature_image !== null && post.feature_image !== ''),
    plain: JSON.stringify(isEmpty ? null : plaintextOf(gated, post, site)) as ByteText,
    state: gated.state,
    hasText: full.text !== '',
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
  if (state === 'whole' && post.plaintext !== null) {
    return cutExcerpt(site.text(openingOf(post.plaintext)));
  }
  return toExcerpt(readByteText(html));
};

/** An excerpt has 500 UTF-16 units, which are 1,500 bytes at most, or less before addresses are put in. */
const OPENING_BYTES = 2_048;

const openingOf = (stored: string | Uint8Array): string | Uint8Array =>
  typeof stored === 'string' ? stored : stored.subarray(0, OPENING_BYTES);

const plaintextOf = (
  { html, state }: ShownBody,
  post: PostRow,
  site: SiteUrlResolver,
): ByteText => {
  if (state === 'withheld') return EMPTY;
  if (state === 'whole' && post.plaintext !== null) return site.body(post.plaintext).text;
  return toByteText(toPlaintext(readByteText(html)));
};
