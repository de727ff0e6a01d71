// What a post of an export needs before its columns fit ours: fields of earlier versions of Ghost, the
// clock's part in its status, and the id that comments know it by.
import { createHash } from 'node:crypto';
import { parseImportTime } from './import-time.ts';
import { parseId, type RawRow } from './normalise-row.ts';

/** Until version 3 these stood on the post; now they have a table of their own. */
const META_FIELDS =
  `og_image og_title og_description twitter_image twitter_title twitter_description
  meta_title meta_description email_subject frontmatter feature_image_alt feature_image_caption
  email_only`.split(/\s+/);

type PreparedPost = {
  readonly post: RawRow;
  /** A row for posts_meta, when the post itself holds such fields. */
  readonly meta: RawRow | null;
  readonly lacksHtml: boolean;
};

export const preparePost = (raw: RawRow, nowMs: number): PreparedPost => {
  const post: Record<string, unknown> = { ...raw };
  if (raw.type === undefined && 'page' in raw) {
    post.type = raw.page === true || raw.page === 1 || raw.page === '1' ? 'page' : 'post';
  }
  const id = parseId(raw.id);
  if (isEmpty(raw.comment_id)) post.comment_id = id;
  settle(post, nowMs);
  const meta = META_FIELDS.filter((field) => !isEmpty(raw[field]));
  return {
    post,
    meta:
      meta.length === 0 || id === null
        ? null
        : {
            id: deriveId('posts_meta', id),
            post_id: id,
            ...Object.fromEntries(meta.map((field) => [field, raw[field]])),
          },
    lacksHtml: isEmpty(raw.html) && (hasWords(raw.lexical) || hasWords(raw.mobiledoc)),
  };
};

/**
 * A post that is published in the future is scheduled, and one whose time has come is published: so it
 * stands in the database a moment later, and importing again must not undo it.
 */
const settle = (post: Record<string, unknown>, nowMs: number): void => {
  const time = parseImportTime(post.published_at ?? null);
  if (typeof time !== 'string') {
    // The database gives a published post its time; an empty one must not take it away again.
    if (post.status === 'published' && time === null) delete post.published_at;
    return;
  }
  const isDue = Date.parse(time) <= nowMs;
  if (post.status === 'published' && !isDue) post.status = 'scheduled';
  else if (post.status === 'scheduled' && isDue) post.status = 'published';
};

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';

/** Whether an editor document holds more than empty paragraphs: a text, or a card. */
const hasWords = (document: unknown): boolean =>
  typeof document === 'string' &&
  (/"text":"[^"]/.test(document) || // Lexical
    /\[0,\[[^\]]*\],\d+,"[^"]/.test(document) || // Mobiledoc: a marker
    /"cards":\[\[/.test(document) ||
    LEXICAL_CARD.test(document));

/** Node types of Lexical that are only structure. */
const LEXICAL_CARD =
  /"type":"(?!(?:root|paragraph|extended-text|text|linebreak|link|list|listitem|heading|extended-heading|quote|extended-quote|aside|tk|autolink)")/;

/** An id for a row that the file does not have, the same in every import. */
export const deriveId = (...parts: readonly string[]): string =>
  createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 24);
