// Reads posts and pages of any status in the admin shape.
import { notFound, type PrepressError } from '../../../base/errors.ts';
import {
  type AdminContext,
  createAdminContext,
  type JsonObject,
} from '../../../publication/documents/admin/document-context.ts';
import { linksOfPosts } from '../../../publication/store/content/linked-posts.ts';
import { findPostId, postIdList } from '../../../publication/store/content/post-keys.ts';
import {
  findMetaRows,
  findPostsById,
  type PostType,
} from '../../../publication/store/content/posts.ts';
import { listTiers } from '../../../publication/store/members/tiers.ts';
import { type ListParameters, readList } from '../list-query.ts';
import type { Pagination } from '../pagination.ts';
import type { ReadContext } from '../use-case-context.ts';
import { type PostFormat, type SerialiseTask, serialisePosts } from './serialise-posts.ts';

/** What Ghost's clients are shown when they ask for nothing else, and the body itself. */
const DEFAULT_FORMATS: readonly PostFormat[] = ['html', 'lexical', 'mobiledoc'];

type ReadOptions = { readonly formats?: readonly PostFormat[] };

/** Ids, of which readPosts shows what stands. Throws VALIDATION, BAD_REQUEST; see readList. */
export const browsePosts = async (
  context: ReadContext,
  wanted: { readonly type: PostType; readonly parameters: ListParameters },
): Promise<{ ids: string[]; pagination: Pagination }> => {
  const { rows, pagination } = await readList(context, postIdList(wanted.type), wanted.parameters);
  return { ids: rows.map(({ id }) => id), pagination };
};

/** Throws NOT_FOUND. */
export const findPostBySlug = async (
  { store }: ReadContext,
  { type, slug }: { readonly type: PostType; readonly slug: string },
): Promise<string> => {
  const id = await findPostId(store, type, slug);
  if (id === undefined) throw postNotFound(type);
  return id;
};

/** Those of these ids that stand, in their order. */
export const readPosts = async (
  context: ReadContext,
  { type, ids }: { readonly type: PostType; readonly ids: readonly string[] },
  { formats = DEFAULT_FORMATS }: ReadOptions = {},
): Promise<JsonObject[]> => {
  const { store } = context;
  const rows = await findPostsById(store, type, ids);
  const metas = new Map((await findMetaRows(store, ids)).map((meta) => [meta.post_id, meta]));
  const links = await linksOfPosts(store, ids);
  const records = ids.flatMap((id) => {
    const row = rows.get(id);
    if (row === undefined) return [];
    const linked = links.get(id) ?? { tags: [], authors: [], tiers: [] };
    return [{ row, linked: { meta: metas.get(id) ?? null, ...linked } }];
  });
  return serialisePosts({ records, shape: await shapeFacts(context), formats });
};

/** Throws NOT_FOUND. */
export const readPost = async (
  context: ReadContext,
  { type, id }: { readonly type: PostType; readonly id: string },
  options: ReadOptions = {},
): Promise<JsonObject> => {
  const [post] = await readPosts(context, { type, ids: [id] }, options);
  if (post === undefined) throw postNotFound(type);
  return post;
};

export const postNotFound = (type: PostType): PrepressError =>
  notFound(type === 'post' ? 'Post' : 'Page');

/** How records are shown, as the publication has it now. */
export const adminShape = async (context: ReadContext): Promise<AdminContext> =>
  createAdminContext(await shapeFacts(context));

const shapeFacts = async (context: ReadContext): Promise<SerialiseTask['shape']> => {
  const { siteUrl, permalinks, hasAvatars } = await context.site();
  return {
    siteUrl,
    ...(permalinks !== undefined && { permalinks }),
    ...(hasAvatars !== undefined && { hasAvatars }),
    tiers: await listTiers(context.store),
    now: context.clock.now(),
  };
};
