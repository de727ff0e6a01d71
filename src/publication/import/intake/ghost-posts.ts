// What a post of an export needs before its columns fit ours: fields of earlier versions of Ghost, the
// clock's part in its status, whether it is e-mail only, and the id that comments know it by.
import { deriveId } from '../../../base/ids.ts';
import { isJsonObject } from '../../../base/text/json-value.ts';
import type { RawRow } from '../../sources/source.ts';
import type { Row } from '../../store/import/import-rows.ts';
import type { ClockState } from '../../store/log/clock-state.ts';
import { isEmailOnly } from '../../tables/published-posts.ts';
import { META_FIELDS } from '../../tables/record-tables.ts';
import { hasWords } from './editor-words.ts';
import { parseId } from './normalise-row.ts';

type PreparedPost = {
  readonly post: RawRow;
  /** A row for posts_meta, when the post itself holds such fields. */
  readonly meta: RawRow | null;
  readonly hasNoHtml: boolean;
};

export const preparePost = (raw: RawRow): PreparedPost => {
  const post: Record<string, unknown> = { ...raw };
  if (raw.type === undefined && 'page' in raw) {
    post.type = raw.page === true || raw.page === 1 || raw.page === '1' ? 'page' : 'post';
  }
  const id = parseId(raw.id);
  if (isEmpty(raw.comment_id)) post.comment_id = id;
  return {
    post,
    meta: id === null ? null : metaOf(raw, id),
    hasNoHtml:
      isEmpty(raw.html) && (mayShow(raw.lexical, 'root') || mayShow(raw.mobiledoc, 'sections')),
  };
};

/** Until version 3 these fields stood on the post. An empty one empties that of before. */
const metaOf = (raw: RawRow, postId: string): RawRow | null => {
  const fields = META_FIELDS.filter((field) => raw[field] !== undefined);
  if (fields.length === 0) return null;
  const values = fields.map((field) => [field, raw[field] === '' ? null : raw[field]]);
  return { id: deriveId('posts_meta', postId), post_id: postId, ...Object.fromEntries(values) };
};

/** Whether an editor document shows something; one that cannot be read may. */
const mayShow = (text: unknown, part: 'root' | 'sections'): boolean => {
  if (typeof text !== 'string' || text === '') return false;
  try {
    const document: unknown = JSON.parse(text);
    const isReadable = isJsonObject(document) && typeof (document[part] ?? '') === 'object';
    // As Ghost writes it, without white space between its values.
    return !isReadable || hasWords(JSON.stringify(document));
  } catch {
    return true;
  }
};

/** Whether a row of posts or posts_meta makes its post e-mail only; a row that leaves it open does not. */
export const saysEmailOnly = (raw: RawRow): boolean => !isEmpty(raw.email_only) && isEmailOnly(raw);

export type SettleOptions = {
  readonly clock: ClockState;
  /** The present by the clock of the source, which may be the better one. */
  readonly sourceMs?: number | null | undefined;
  readonly isEmailOnly: boolean;
  /** The source itself publishes what is due, and is believed. */
  readonly isFollowing: boolean;
  /** The time with which the publication has the post published, in milliseconds; absent: it has not. */
  readonly shownAt?: number | null | undefined;
};

/**
 * A post that an import has published in the future is scheduled, and one whose time has come is published: so it
 * stands in the database a moment later, and importing again must not undo it. The clock takes back nothing: what both
 * have published stays so, and one that is behind judges nothing. An e-mail-only post is never published: it is `sent`,
 * or waits.
 */
export const settlePost = (post: Row, options: SettleOptions): Row => {
  const { isEmailOnly } = options;
  const { published_at: time, ...rest } = post;
  const isPublished = post.status === 'published';
  if (isEmailOnly) return isPublished ? { ...post, status: 'sent' } : post;
  // The database gives a published post its time; an empty one must not take it away again.
  if (typeof time !== 'string') return isPublished ? rest : post;
  // A time that cannot be read is neither: the row is set aside.
  const at = Date.parse(time);
  if (isPublished) return isEarly(at, options) ? { ...post, status: 'scheduled' } : post;
  if (post.status !== 'scheduled' || options.isFollowing) return post;
  return isDue(at, options) ? { ...post, status: 'published' } : post;
};

const isEarly = (at: number, { clock, sourceMs, isFollowing, shownAt }: SettleOptions): boolean => {
  const presentMs = Math.max(clock.nowMs, sourceMs ?? 0);
  return !isFollowing && !clock.isBehind && shownAt == null && at > presentMs;
};

const isDue = (at: number, { clock, shownAt }: SettleOptions): boolean =>
  (at <= clock.nowMs && !clock.isBehind) || at === shownAt;

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';
