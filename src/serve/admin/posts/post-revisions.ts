// Revisions of posts and pages. A save keeps one when the title or the body is not that of the newest one; autosaves do
// so every ten minutes. What a save overwrites, and no revision has, is kept before it. Taking one back is an edit like any other.
import { notFound } from '../../../base/errors.ts';
import { createId } from '../../../base/ids.ts';
import { parseStoredTime, toStoredTime } from '../../../base/time.ts';
import type { JsonObject } from '../../../publication/documents/admin/document-context.ts';
import {
  addRevision,
  findNewestRevision,
  findRevision,
  listRevisions,
} from '../../../publication/store/content/post-revisions.ts';
import {
  type FullPostRow,
  findPostById,
  type PostType,
} from '../../../publication/store/content/posts.ts';
import type { Transaction } from '../../../publication/store/store.ts';
import type { ReadContext } from '../use-case-context.ts';
import { adminShape, postNotFound } from './read-post.ts';

const AUTOSAVES_MS = 10 * 60_000;

type Text = Pick<FullPostRow, 'title' | 'html' | 'lexical'>;

type Saved = {
  readonly stored: FullPostRow;
  /** Of the post after the save. */
  readonly next: Partial<Text> & { readonly updated_at: string };
  readonly keyId: string | null;
  readonly isAutosave: boolean;
};

export const keepRevision = async (
  tx: Transaction,
  { stored, next, keyId, isAutosave }: Saved,
): Promise<void> => {
  const at = parseStoredTime(next.updated_at) ?? 0;
  const newest = await findNewestRevision(tx, stored.id);
  const text = textOf({ ...stored, ...next });
  const was = textOf(stored);
  const keep = (kept: Text, key_id: string | null, created_at: string): Promise<void> =>
    addRevision(tx, { ...kept, id: createId(at), post_id: stored.id, key_id, created_at });
  const isKept = newest !== undefined && (isAutosave || isSameText(newest, was));
  if (!isKept && !isSameText(was, text)) {
    const before = Math.min(parseStoredTime(stored.updated_at) ?? at, at - 1);
    await keep(was, null, toStoredTime(before));
  } else if (isSameText(newest ?? was, text)) return;
  else if (isAutosave && newest !== undefined && isRecent(newest, at)) return;
  await keep(text, keyId, next.updated_at);
};

const isRecent = ({ created_at }: { readonly created_at: string }, at: number): boolean =>
  at - (parseStoredTime(created_at) ?? 0) < AUTOSAVES_MS;

const textOf = ({ title, html, lexical }: Text): Text => ({
  title,
  lexical,
  html: lexical === null ? html : null,
});

const isSameText = (one: Text, other: Text): boolean =>
  one.title === other.title && one.lexical === other.lexical && one.html === other.html;

/** The newest first, without bodies. Throws NOT_FOUND. */
export const listPostRevisions = async (
  { store }: ReadContext,
  { type, id }: { readonly type: PostType; readonly id: string },
): Promise<JsonObject[]> => {
  if ((await findPostById(store, type, id)) === undefined) throw postNotFound(type);
  return listRevisions(store, id);
};

/** Throws NOT_FOUND. */
export const readPostRevision = async (context: ReadContext, id: string): Promise<JsonObject> => {
  const found = await findRevision(context.store, id);
  if (found === undefined) throw notFound('Revision');
  const { key_id: _key, html, lexical, ...row } = found;
  const { site } = await adminShape(context);
  return { ...row, html: site.nullableText(html), lexical: site.nullableText(lexical) };
};
