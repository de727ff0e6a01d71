// Which permalinks give the addresses that a site has for its posts: found from one record after the other, of which none is kept.
import { createRecordUrls, PLACEHOLDERS } from '../../documents/urls.ts';
import type { ContentPost } from './responses.ts';

export type PostAddresses = {
  readonly take: (post: ContentPost) => void;
  /** Null where these permalinks give the address of every post that was taken. */
  readonly warning: (permalinks: string) => string | null;
};

const PARTS = PLACEHOLDERS.map((name) => {
  const placeholder = `{${name}}`;
  const urls = createRecordUrls({ siteUrl: '', permalinks: placeholder });
  return { placeholder, addressOf: urls.post };
});

/** `siteUrl` has no trailing slash. */
export const createPostAddresses = (siteUrl: string): PostAddresses => {
  const examples: string[] = [];
  /** For each segment what gives it in every post; null where nothing does. */
  let shared: readonly (readonly string[])[] | null = [];
  return {
    take: (post) => {
      const segments = segmentsOf(post, siteUrl);
      if (segments === null || shared === null) return;
      const before = examples.length === 0 ? null : shared;
      const both = segments.map((segment, at) =>
        partsOf(post, segment).filter((part) => before?.[at]?.includes(part) ?? before === null),
      );
      const isGiven = both.every(({ length }) => length > 0);
      shared = isGiven && both.length === (before ?? both).length ? both : null;
      if (before === null || shared === null) examples.push(String(post.url));
    },
    warning: (permalinks) => {
      if (examples.length === 0) return null;
      const own = permalinks.split('/').slice(1, -1);
      const isOwn = own.every((part, at) => shared?.[at]?.includes(part));
      if (isOwn && own.length === shared?.length) return null;
      const pattern = patternOf(shared ?? []);
      return /\{(?:slug|id)\}/.test(pattern)
        ? `Posts have other addresses in the source: set "permalinks" to "${pattern}" to keep them.`
        : `No pattern of "permalinks" gives all posts the addresses of the source, such as ${examples.join(' and ')}: redirect those that differ (docs/leaving-ghost.md, section 5).`;
    },
  };
};

/** Null where the address is not shown, or is none: what no route of Ghost takes is at /404/. */
const segmentsOf = ({ url }: ContentPost, siteUrl: string): string[] | null => {
  if (typeof url !== 'string' || !url.startsWith(`${siteUrl}/`)) return null;
  const path = url.slice(siteUrl.length);
  return path === '/404/' ? null : path.split('/').slice(1, -1);
};

/** Parts of permalinks that give the segment; first those that say the most. */
const partsOf = (post: ContentPost, segment: string): string[] => {
  const { id, slug } = post;
  const tags = (post.tags ?? []).map((tag) => ({ slug: tag.slug, visibility: tag.visibility }));
  const authors = (post.authors ?? []).map((author) => ({ slug: author.slug }));
  const source = { post: { id, slug, type: 'post' }, tags, authors };
  const publishedMs = Date.parse(String(post.published_at));
  const parts = PARTS.filter(({ addressOf }) => addressOf(source, publishedMs) === `/${segment}/`);
  const plain = /^[A-Za-z0-9._~-]+$/.test(segment) ? [segment] : [];
  return [...parts.map(({ placeholder }) => placeholder), ...plain];
};

/** A placeholder stands once, as where month and day are the same. */
const patternOf = (shared: readonly (readonly string[])[]): string => {
  const chosen: string[] = [];
  for (const parts of shared)
    chosen.push(parts.find((part) => !chosen.includes(part)) ?? parts[0] ?? '');
  return `/${chosen.join('/')}/`;
};
