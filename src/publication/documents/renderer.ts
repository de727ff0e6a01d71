// Turns rows into the text of the JSON fragments that documents are put together from, one for each
// variant of a record. Pure: the same rows and settings give the same text.
import { PrepressError } from '../../base/errors.ts';
import type { AuthorRow, AuthorSource, PostSource, TagRow, TagSource } from '../tables/rows.ts';
import { toAuthorRecord, toEmbeddedAuthor, toGhostAuthor } from './author-document.ts';
import { furtherKeys, openObject, openPost, type RecordText, type TermFacts } from './fragment.ts';
import { EMPTY } from './html/byte-text.ts';
import { createOutboundLinkTagger } from './html/outbound-links.ts';
import { findRowFaults } from './html/text-limits.ts';
import type { GhostShape, PostTools } from './interface-post.ts';
import { toPostRecord } from './post-document.ts';
import { createRowError } from './row-problem.ts';
import { settingSentence } from './setting-sentence.ts';
import { createSiteUrlResolver } from './site-url.ts';
import { toEmbeddedTag, toGhostTag, toTagRecord } from './tag-document.ts';
import { createTimestampFormatter } from './timestamps.ts';
import { createRecordUrls, isPublicTag } from './urls.ts';

export type { RecordText } from './fragment.ts';

export type RenderSettings = {
  /** Absolute http(s) address without a trailing slash; it may have a path. */
  readonly siteUrl: string;
  /** IANA zone name. */
  readonly timezone: string;
  readonly outboundLinkTagging: boolean;
  /** Pattern of post addresses, `/{slug}/` by default; dates in it are UTC. */
  readonly permalinks: string;
  /** In Ghost's shape; absent: in that of interface.md. */
  readonly ghost?: GhostShape;
  /** Bodies are whole, as no build writes them. */
  readonly isUngated?: boolean;
};

export type Renderer = {
  /** A post or page: index, authors, tags, authors-tags. Throws BUILD_INPUT_INVALID. */
  readonly post: (source: PostSource) => RecordText;
  /** index, count-posts. Throws BUILD_INPUT_INVALID. */
  readonly tag: (source: TagSource) => RecordText;
  /** index, count-posts. Throws BUILD_INPUT_INVALID. */
  readonly author: (source: AuthorSource) => RecordText;
};

/** Another program may have written it. */
const checkSiteUrl = (url: string): void => {
  if (/^https?:\/\//i.test(url) && URL.canParse(url)) return;
  const sentence = `${settingSentence(url)} is not an absolute http or https address.`;
  throw new PrepressError('SITE_URL_INVALID', sentence, { property: 'url' });
};

/** Throws SITE_URL_INVALID, TIMEZONE_UNKNOWN and CONFIG_INVALID. */
export const createRenderer = (settings: RenderSettings): Renderer => {
  checkSiteUrl(settings.siteUrl);
  const tools: PostTools = {
    site: createSiteUrlResolver(settings.siteUrl),
    urls: createRecordUrls(settings),
    formatTime: createTimestampFormatter(settings.timezone),
    tagLinks: settings.outboundLinkTagging
      ? createOutboundLinkTagger(settings.siteUrl)
      : (html) => html,
    ghost: settings.ghost,
    isUngated: settings.isUngated,
  };
  const shape = settings.ghost === undefined ? INTERFACE : GHOST;
  const embedTag = cacheByRow((tag: TagRow) => JSON.stringify(shape.embeddedTag(tag, tools)));
  const embedAuthor = cacheByRow((author: AuthorRow) =>
    JSON.stringify(shape.embeddedAuthor(author, tools)),
  );
  return {
    post: (source) => {
      const [tag] = source.tags;
      const [author] = source.authors;
      const authors = `"authors":[${source.authors.map(embedAuthor).join()}]`;
      const tags = `"tags":[${source.tags.map(embedTag).join()}]`;
      const primaryAuthor = `"primary_author":${author === undefined ? null : embedAuthor(author)}`;
      const hasPrimaryTag = tag !== undefined && isPublicTag(tag);
      const primaryTag = `"primary_tag":${hasPrimaryTag ? embedTag(tag) : null}`;
      const record = toPostRecord(source, tools);
      const rest = `${furtherKeys(record.rest)}}`;
      return {
        open: openPost(record),
        facts: record.facts,
        plain: record.plain,
        ends: [
          rest,
          `,${authors},${primaryAuthor}${rest}`,
          `,${tags},${primaryTag}${rest}`,
          `,${shape.lists(authors, tags)},${primaryAuthor},${primaryTag}${rest}`,
        ],
      };
    },
    tag: ({ tag, posts }) => {
      refuseFaults('tags', tag);
      const record = shape.tag(tag, tools);
      const embedded = embedTag(tag);
      return termText(shape.split(record), { ...record, posts, embedded });
    },
    author: ({ author, posts }) => {
      refuseFaults('users', author);
      const record = shape.author(author, tools);
      const embedded = embedAuthor(author);
      return termText(shape.split(record), { ...record, visibility: 'public', posts, embedded });
    },
  };
};

const refuseFaults = (table: string, row: TagRow | AuthorRow): void => {
  const problems = findRowFaults(table, row);
  if (problems.length > 0) throw createRowError(problems);
};

type Term = { readonly url: string };

/** The keys of a tag or author that stand before what is included, and those after it. */
type SplitTerm = { readonly before: object; readonly rest: object | null };

const INTERFACE = {
  tag: toTagRecord,
  author: toAuthorRecord,
  embeddedTag: toEmbeddedTag,
  embeddedAuthor: toEmbeddedAuthor,
  lists: (authors: string, tags: string): string => `${authors},${tags}`,
  split: (record: Term): SplitTerm => ({ before: record, rest: null }),
};

const GHOST = {
  tag: toGhostTag,
  author: toGhostAuthor,
  embeddedTag: toGhostTag,
  embeddedAuthor: toGhostAuthor,
  lists: (authors: string, tags: string): string => `${tags},${authors}`,
  split: ({ url, ...before }: Term): SplitTerm => ({ before, rest: { url } }),
};

const termText = (
  { before, rest }: SplitTerm,
  { slug, name, visibility, posts, embedded }: TermFacts,
): RecordText => {
  const end = `${furtherKeys(rest)}}`;
  return {
    open: openObject(before),
    ends: [end, `,"count":{"posts":${posts}}${end}`],
    facts: { slug, name, visibility, posts, embedded },
    plain: EMPTY,
  };
};

// Posts that share a row object share its JSON; the cache lives no longer than the rows.
const cacheByRow = <Row extends object>(render: (row: Row) => string): ((row: Row) => string) => {
  const cache = new WeakMap<Row, string>();
  return (row) => {
    const cached = cache.get(row);
    if (cached !== undefined) return cached;
    const text = render(row);
    cache.set(row, text);
    return text;
  };
};
