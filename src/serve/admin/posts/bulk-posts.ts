// Edits and deletes posts or pages in bulk: those that a filter chooses. They are taken in parts, each a transaction, so that
// other saves pass between; a post that the filter no longer chooses is left alone. One `bulk:` action holds them together,
// which speaks only through site.changed. Tags that are new are made before, by an action that has its events. What broke
// off is finished by the same request.
import { invalid } from '../../../base/errors.ts';
import { createId } from '../../../base/ids.ts';
import { toStoredTime } from '../../../base/time.ts';
import { chunksOfPart, writeParts } from '../../../publication/store/bulk-parts.ts';
import {
  clearEmailOnly,
  setOnPosts,
  tagPosts,
} from '../../../publication/store/content/post-bulk.ts';
import { postIdList } from '../../../publication/store/content/post-keys.ts';
import {
  deletePostRow,
  type PostChanges,
  type PostType,
} from '../../../publication/store/content/posts.ts';
import { listAmong, openList } from '../../../publication/store/list-source.ts';
import { replaceLinks } from '../../../publication/store/ordered-links.ts';
import type { Transaction } from '../../../publication/store/store.ts';
import type { PostsBulkInput } from '../../contract/input/post-bulk-input.ts';
import { readSelection } from '../list-query.ts';
import { saveContent } from '../save-content.ts';
import type { WriteContext } from '../use-case-context.ts';
import { resolveTags, resolveTiers } from './post-relations.ts';

type Chosen = { readonly type: PostType; readonly filter: string | undefined };

/** Answers how many were chosen. Throws VALIDATION, BAD_REQUEST for a filter that cannot be read, SOURCE_FOLLOWED. */
export const editPostsInBulk = (
  context: WriteContext,
  { type, filter }: Chosen,
  input: PostsBulkInput,
): Promise<number> => inParts(context, { type, filter }, planChange(input, context.clock));

/** Answers how many were deleted. Throws as editPostsInBulk. */
export const deletePostsInBulk = (
  context: WriteContext,
  { type, filter }: Chosen,
): Promise<number> =>
  inParts(
    context,
    { type, filter },
    {
      change: async (tx, ids) => {
        for (const id of ids) await deletePostRow(tx, type, id);
      },
    },
  );

type Change = (tx: Transaction, ids: readonly string[]) => Promise<void>;

type Planned = {
  /** Only posts that have it are changed. */
  readonly status?: string;
  /** Done first, once there are posts to change, by an action of its own. */
  readonly prepare?: (tx: Transaction) => Promise<unknown>;
  readonly change: Change;
};

const inParts = async (
  { store, clock }: WriteContext,
  { type, filter }: Chosen,
  { status, prepare, change }: Planned,
): Promise<number> => {
  const nowMs = clock.now();
  const selection = readSelection({ filter }, nowMs);
  if (selection.filter === null)
    throw invalid('filter', `Name the ${type}s by a filter, such as ?filter=status:draft.`);
  const parts = [selection.filter, ...(status === undefined ? [] : [hasStatus(status)])];
  const query = { ...selection, filter: { kind: 'all', parts } } as const;
  const list = await openList(store, postIdList(type), { ...query, order: [] });
  const rows = await list.rows({ limit: list.total, offset: 0 });
  const action = `bulk:${createId(nowMs)}`;
  let count = 0;
  let at = 0;
  if (rows.length === 0) return 0;
  if (prepare !== undefined) await saveContent({ store }, nowMs, prepare);
  await writeParts(async (partMs) => {
    const part = await saveContent({ store, action }, nowMs, async (tx) => {
      const startedMs = performance.now();
      const done = { taken: 0, meant: 0 };
      for (const chunk of chunksOfPart(rows.slice(at), { startedMs, partMs })) {
        const given = { query, ids: chunk.map(({ id }) => id) };
        const ids = await listAmong(tx, postIdList(type), given);
        await change(tx, ids);
        done.taken += chunk.length;
        done.meant += ids.length;
      }
      return done;
    });
    at += part.taken;
    count += part.meant;
    return at < rows.length;
  });
  return count;
};

const hasStatus = (value: string) =>
  ({ kind: 'compare', field: 'status', operator: '=', value }) as const;

const planChange = ({ action, meta }: PostsBulkInput, clock: WriteContext['clock']): Planned => {
  const set =
    (changes: PostChanges): Change =>
    (tx, ids) =>
      setOnPosts(tx, ids, { ...changes, updated_at: toStoredTime(clock.now()) });
  switch (action) {
    case 'unpublish':
      return { status: 'published', change: set({ status: 'draft' }) };
    case 'unschedule':
      return {
        status: 'scheduled',
        change: async (tx, ids) => {
          await clearEmailOnly(tx, ids);
          await set({ status: 'draft', published_at: null })(tx, ids);
        },
      };
    case 'feature':
    case 'unfeature':
      return { change: set({ featured: Number(action === 'feature') }) };
    case 'access':
      return { change: planAccess(meta, set) };
    case 'addTag':
      return planTags(meta, clock.now());
  }
};

const planAccess = (
  meta: PostsBulkInput['meta'],
  set: (changes: PostChanges) => Change,
): Change => {
  const { visibility, tiers } = meta ?? {};
  if (!visibility) throw invalid('meta', 'access needs meta.visibility.');
  if (visibility !== 'tiers') return set({ visibility });
  if (!tiers?.length) throw invalid('meta', 'access for tiers needs meta.tiers.');
  return async (tx, ids) => {
    const tierIds = await resolveTiers(tx, tiers);
    for (const postId of ids) await replaceLinks(tx, { table: 'posts_tiers', of: postId }, tierIds);
    await set({ visibility })(tx, ids);
  };
};

const planTags = (meta: PostsBulkInput['meta'], nowMs: number): Planned => {
  const tags = meta?.tags ?? [];
  if (tags.length === 0) throw invalid('meta', 'addTag needs meta.tags.');
  const prepare = (tx: Transaction) => resolveTags(tx, tags, nowMs);
  return {
    prepare,
    change: async (tx, ids) => {
      for (const tagId of await prepare(tx)) await tagPosts(tx, ids, tagId);
    },
  };
};
