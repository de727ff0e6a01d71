// Absolute addresses of records on the site: posts by the permalink pattern, pages by slug, tags and
// authors under their folder. A record without a page of its own (an internal tag) gets /404/.
import { PrepressError } from '../../base/errors.ts';
import { toText } from '../../base/text/stored-text.ts';
import type { AuthorRow, TagRow } from '../tables/rows.ts';

export type UrlSettings = {
  readonly siteUrl: string;
  readonly permalinks: string;
};

export type RecordUrls = {
  /** `publishedMs` dates the permalink, in UTC. */
  readonly post: (source: Addressed, publishedMs: number) => string;
  readonly tag: (tag: TagRow) => string;
  readonly author: (author: AuthorRow) => string;
};

/** What the address of a post is made of. */
type Addressed = {
  readonly post: Readonly<Record<'id' | 'slug' | 'type', unknown>>;
  readonly tags: readonly Readonly<Record<'slug' | 'visibility', unknown>>[];
  readonly authors: readonly { readonly slug: unknown }[];
};

type PermalinkPart = (source: Addressed, published: Date) => string;

const PLAIN_SEGMENT = /^[A-Za-z0-9_-]*$/;
// What a URL string cannot hold inside a segment; letters of any script may stand as they are.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const UNSAFE_IN_SEGMENT = /[\u0000-\u0020"#%/<>?\\^`{|}\u007f]/g;

/** Throws CONFIG_INVALID for a placeholder that no permalink has. */
export const createRecordUrls = ({ siteUrl, permalinks }: UrlSettings): RecordUrls => {
  const parts = parsePermalinks(permalinks);
  const notFound = `${siteUrl}/404/`;
  return {
    post: (source, publishedMs) => {
      if (source.post.type === 'page') return `${siteUrl}/${encodeSegment(source.post.slug)}/`;
      const published = new Date(publishedMs);
      let url = siteUrl;
      for (const part of parts) url += part(source, published);
      return url;
    },
    tag: (tag) => (isPublicTag(tag) ? `${siteUrl}/tag/${encodeSegment(tag.slug)}/` : notFound),
    author: (author) => `${siteUrl}/author/${encodeSegment(author.slug)}/`,
  };
};

/** An internal tag has no page and is nobody's primary tag. */
export const isPublicTag = (tag: { readonly visibility: unknown }): boolean =>
  tag.visibility === 'public';

const encodeSegment = (slug: unknown): string => {
  const text = toText(slug);
  if (PLAIN_SEGMENT.test(text)) return text;
  return text.replace(UNSAFE_IN_SEGMENT, encodeURIComponent);
};

const parsePermalinks = (pattern: string): PermalinkPart[] => {
  const slashed = `/${pattern}/`.replace(/\/{2,}/g, '/');
  return slashed
    .split(/(\{[^{}]*\})/)
    .filter((text) => text !== '')
    .map((text) => {
      if (!text.startsWith('{')) return () => text;
      const part = PERMALINK_PARTS.get(text.slice(1, -1));
      if (part !== undefined) return part;
      throw new PrepressError('CONFIG_INVALID', `Permalinks have no placeholder ${text}.`, {
        property: 'permalinks',
      });
    });
};

const PERMALINK_PARTS: ReadonlyMap<string, PermalinkPart> = new Map<string, PermalinkPart>(
  Object.entries({
    slug: ({ post }) => encodeSegment(post.slug),
    id: ({ post }) => encodeSegment(post.id),
    year: (_, published) => String(published.getUTCFullYear()).padStart(4, '0'),
    month: (_, published) => String(published.getUTCMonth() + 1).padStart(2, '0'),
    day: (_, published) => String(published.getUTCDate()).padStart(2, '0'),
    primary_tag: ({ tags: [tag] }) =>
      tag !== undefined && isPublicTag(tag) ? encodeSegment(tag.slug) : 'all',
    primary_author: ({ authors: [author] }) =>
      author === undefined ? 'all' : encodeSegment(author.slug),
  } satisfies Record<string, PermalinkPart>),
);

/** Names that permalinks may have in braces. */
export const PLACEHOLDERS: readonly string[] = [...PERMALINK_PARTS.keys()];
