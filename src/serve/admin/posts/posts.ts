// Posts and pages: create, edit (and so publish, schedule, unpublish) and delete (facts section 9). Each
// save is one action and one transaction; a save that changes nothing leaves the record as it is.
import { randomUUID } from 'node:crypto';
import { createId } from '../../../base/ids.ts';
import { parseStoredTime, toStoredTime } from '../../../base/time.ts';
import { readVisibility } from '../../../publication/documents/html/gating.ts';
import type { FullPostRow } from '../../../publication/store/content/posts.ts';
import {
  deletePostRow,
  findMetaRows,
  findPostById,
  insertPost,
  type PostType,
  saveMeta,
  updatePost,
} from '../../../publication/store/content/posts.ts';
import { type ClockState, readClockState } from '../../../publication/store/log/clock-state.ts';
import { replaceLinks } from '../../../publication/store/ordered-links.ts';
import type { Transaction } from '../../../publication/store/store.ts';
import { isEmailOnly } from '../../../publication/tables/published-posts.ts';
import type { PostCreateInput, PostEditInput } from '../../contract/input/post-input.ts';
import { readBody } from '../../editor/post-html.ts';
import { changedColumns, nextUpdate } from '../changed-columns.ts';
import { afterDue, refuseStale } from '../collision.ts';
import { saveContent } from '../save-content.ts';
import { refuseOddUrls } from '../url-fields.ts';
import type { UseCaseContext } from '../use-case-context.ts';
import { defaultAccess } from './default-access.ts';
import { metaColumns, type PostInput, postColumns } from './post-columns.ts';
import { resolveAuthors, resolveTags, resolveTiers } from './post-relations.ts';
import { keepRevision } from './post-revisions.ts';
import { freePostSlug, nextSlug } from './post-slug.ts';
import { planStatus } from './post-status.ts';
import { postNotFound } from './read-post.ts';
import { type MailParameters, rejectNewsletterSend } from './reject-newsletter-send.ts';

export type PostsContext = Pick<
  UseCaseContext,
  'store' | 'clock' | 'site' | 'reservedSlugs' | 'formats'
>;

export type SaveOptions = {
  /** The client said ?source=html. */
  readonly sourceHtml: boolean;
  /** `auto`: one of a sitting of saves, of a draft, that no event is made of. `last`: that one speaks for all of them. */
  readonly sitting?: 'auto' | 'last' | null;
  /** The key that saves it. */
  readonly keyId?: string | null;
  /** What the query says of mail. */
  readonly mail?: MailParameters;
};

/** Answers the new record's id. Throws VALIDATION. */
export const createPost = async (
  context: PostsContext,
  { type, input }: { readonly type: PostType; readonly input: PostCreateInput },
  { sourceHtml, mail = {} }: SaveOptions,
): Promise<string> => {
  const site = await context.site();
  const now = context.clock.now();
  const id = createId(now);
  const at = toStoredTime(now);
  const { store, formats } = context;
  const body = await readBody(input, { sourceHtml, site, formats });
  const columns = postColumns(input, site);
  const meta = metaColumns(input, site);
  const title = columns.title ?? '(Untitled)';
  refuseOddUrls({ ...columns, ...meta }, site);
  await saveContent({ store }, now, async (tx) => {
    await rejectNewsletterSend(tx, { parameters: mail, input }, null);
    const slug = await freePostSlug(context, tx, { text: input.slug || title, exceptId: null });
    const clock = await readClockState(tx, now);
    const access = await defaultAccess(tx);
    const { visibility = access.visibility } = columns;
    await insertPost(tx, {
      ...columns,
      visibility,
      ...body,
      ...statusColumns(null, { ...input, email_only: false }, clock),
      id,
      uuid: randomUUID(),
      comment_id: id,
      type,
      title,
      slug,
      created_at: at,
      updated_at: at,
    });
    if (Object.keys(meta).length > 0) {
      await saveMeta(tx, { id: createId(now), postId: id }, meta);
    }
    const { tiers = access.tiers.map((tier) => ({ id: tier })) } = input;
    const target = { postId: id, visibility, isNew: true, nowMs: now };
    await saveLinks(tx, target, { ...input, tiers });
  });
  return id;
};

/** Throws NOT_FOUND, VALIDATION, and UPDATE_COLLISION when `updated_at` is not the stored one. */
export const editPost = async (
  context: PostsContext,
  {
    type,
    id,
    input: given,
  }: { readonly type: PostType; readonly id: string; readonly input: PostEditInput },
  { sourceHtml, mail = {}, sitting = null, keyId = null }: SaveOptions,
): Promise<void> => {
  const site = await context.site();
  const { store, formats } = context;
  const before = await findPostById(store, type, id);
  const body = await readBody(given, { sourceHtml, site, formats, stored: before });
  const now = context.clock.now();
  const isSilent = sitting === 'auto' && before?.status === 'draft' && !given.status;
  const action = isSilent ? { action: `autosave:${createId(now)}` } : {};
  await saveContent({ store, ...action }, now, async (tx) => {
    const stored = await findPostById(tx, type, id);
    if (stored === undefined) throw postNotFound(type);
    const input = await afterDue(tx, stored, given);
    const [storedMeta] = await findMetaRows(tx, [id]);
    const wasEmailOnly = isEmailOnly(storedMeta);
    await rejectNewsletterSend(tx, { parameters: mail, input }, { ...stored, wasEmailOnly });
    const emailOnly = input.email_only ?? wasEmailOnly;
    const clock = await readClockState(tx, now);
    const next = {
      ...postColumns(input, site),
      ...keptVisibility(stored, input),
      ...body,
      ...statusColumns({ ...stored, wasEmailOnly }, { ...input, email_only: emailOnly }, clock),
    };
    const slug = await nextSlug(context, tx, { stored, next, given: input.slug });
    const changes = changedColumns(stored, { ...next, slug });
    const meta = changedColumns(storedMeta ?? NO_META, metaColumns(input, site));
    const visibility = changes.visibility ?? stored.visibility;
    // An autosave of what is public by now changes nothing of it, links included.
    if (sitting === 'auto' && stored.status !== 'draft') {
      refuseStale({ stored: stored.updated_at, noun: 'post' }, input.updated_at, ['status']);
    }
    const links = await saveLinks(tx, { postId: id, visibility, isNew: false, nowMs: now }, input);
    const isEnd = sitting === 'last' && stored.status === 'draft';
    const changed = [...Object.keys({ ...changes, ...meta }), ...links];
    if (changed.length === 0 && !isEnd) return;
    refuseOddUrls({ ...changes, ...meta }, site);
    refuseStale({ stored: stored.updated_at, noun: 'post' }, input.updated_at, changed);
    if (Object.keys(meta).length > 0) {
      await saveMeta(tx, { id: createId(now), postId: id }, meta);
    }
    // As in Ghost, what other tables have does not move the time of the post.
    if (Object.keys(changes).length === 0 && !isEnd) return;
    const saved = { ...changes, updated_at: nextUpdate(stored.updated_at, now) };
    await updatePost(tx, id, saved);
    await keepRevision(tx, { stored, next: saved, keyId, isAutosave: isSilent });
  });
};

/** A filter, as Ghost had before it had tiers, is shown as `tiers`, and stays until some are chosen. */
const keptVisibility = (
  { visibility }: Pick<FullPostRow, 'visibility'>,
  input: PostInput,
): Partial<Pick<FullPostRow, 'visibility'>> =>
  input.visibility === 'tiers' && !input.tiers?.length && readVisibility(visibility) === 'tiers'
    ? { visibility }
    : {};

const NO_META: Readonly<Record<string, unknown>> = { email_only: 0 };

/** Throws NOT_FOUND. */
export const deletePost = async (
  { store, clock }: Pick<PostsContext, 'store' | 'clock'>,
  { type, id }: { readonly type: PostType; readonly id: string },
): Promise<void> => {
  const found = await saveContent({ store }, clock.now(), (tx) => deletePostRow(tx, type, id));
  if (!found) throw postNotFound(type);
};

type StoredStatus = {
  readonly status: string;
  readonly published_at: string | number | null;
  readonly wasEmailOnly: boolean;
};

const statusColumns = (
  stored: StoredStatus | null,
  input: Pick<PostInput, 'status' | 'published_at'> & { readonly email_only: boolean },
  clock: ClockState,
): { status: string; published_at: string | null } => {
  const before =
    stored === null
      ? null
      : {
          status: toStatus(stored.status),
          publishedAt: parseStoredTime(stored.published_at),
          emailOnly: stored.wasEmailOnly,
        };
  const { status, publishedAt } = planStatus(
    before,
    { status: input.status, publishedAt: input.published_at, emailOnly: input.email_only },
    clock,
  );
  return { status, published_at: publishedAt === null ? null : toStoredTime(publishedAt) };
};

const toStatus = (text: string): 'draft' | 'published' | 'scheduled' | 'sent' =>
  text === 'published' || text === 'scheduled' || text === 'sent' ? text : 'draft';

type LinkTarget = {
  readonly postId: string;
  readonly visibility: string | undefined;
  readonly isNew: boolean;
  readonly nowMs: number;
};

/** A new record without authors gets the owner. Gives the names of what changed. */
const saveLinks = async (
  tx: Transaction,
  { postId, visibility, isNew, nowMs }: LinkTarget,
  input: PostInput,
): Promise<string[]> => {
  const changed: string[] = [];
  const save = async (name: 'tags' | 'authors' | 'tiers', ids: readonly string[]) => {
    if (await replaceLinks(tx, { table: `posts_${name}`, of: postId }, ids)) changed.push(name);
  };
  if (input.tags) await save('tags', await resolveTags(tx, input.tags, nowMs));
  if (input.authors || isNew)
    await save('authors', await resolveAuthors(tx, input.authors, { postId, isNew }));
  if (input.tiers) {
    const ids = await resolveTiers(tx, input.tiers);
    // Clients send back the tiers that a public post shows; only the visibility `tiers` keeps a choice.
    if (visibility === 'tiers') await save('tiers', ids);
  }
  return changed;
};
