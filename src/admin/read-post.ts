// Reads posts and pages of any status in the admin shape.
import { PrepressError } from '../base/errors.ts';
import {
  type AdminContext,
  createAdminContext,
  type JsonObject,
} from '../documents/admin/context.ts';
import { linksOfPosts } from '../store/post-links.ts';
import {
  type FullPostRow,
  findMetaRows,
  findPostById,
  findPostBySlug,
  type PostType,
  postList,
} from '../store/posts.ts';
import { listTiers } from '../store/tiers.ts';
import type { UseCaseContext } from './context.ts';
import { type ListParameters, readList } from './list-query.ts';
import type { Pagination } from './pagination.ts';
import type { PostFormat, ShowTask } from './show-posts.ts';
import { showPostsAside } from './text-thread.ts';

/** What Ghost's clients are shown when they ask for nothing else, and the body itself. */
const DEFAULT_FORMATS: readonly PostFormat[] = ['html', 'lexical', 'mobiledoc'];

type ReadContext = Pick<UseCaseContext, 'store' | 'clock' | 'site'>;
type ReadOptions = {
  readonly formats?: readonly PostFormat[];
  /** Its texts are long: they are read on a thread of their own. */
  readonly isLong?: boolean;
};

/** Throws NOT_FOUND. */
export const readPost = async (
  context: ReadContext,
  wanted:
    | { readonly type: PostType; readonly id: string }
    | { readonly type: PostType; readonly slug: string },
  options: ReadOptions = {},
): Promise<JsonObject> => {
  const { reader: near, longReader } = context.store;
  const reader = options.isLong ? longReader : near;
  const row =
    'id' in wanted
      ? await findPostById(reader, wanted.type, wanted.id)
      : await findPostBySlug(reader, wanted.type, wanted.slug);
  if (row === undefined) throw postNotFound(wanted.type);
  const [post] = await show(context, [row], options);
  if (post === undefined) throw postNotFound(wanted.type);
  return post;
};

export const postNotFound = (type: PostType): PrepressError =>
  new PrepressError('NOT_FOUND', type === 'post' ? 'Post not found.' : 'Page not found.');

/** Throws VALIDATION, BAD_REQUEST; see readList. */
export const browsePosts = async (
  context: ReadContext,
  wanted: { readonly type: PostType; readonly parameters: ListParameters },
  options: ReadOptions = {},
): Promise<{ posts: JsonObject[]; pagination: Pagination }> => {
  const { rows, pagination } = await readList(context, postList(wanted.type), wanted.parameters);
  return { posts: await show(context, rows, options), pagination };
};

/** The rows in the admin shape, in their order. */
const show = async (
  context: ReadContext,
  rows: readonly FullPostRow[],
  { formats = DEFAULT_FORMATS }: ReadOptions,
): Promise<JsonObject[]> => {
  const { reader } = context.store;
  const ids = rows.map(({ id }) => id);
  const metas = new Map((await findMetaRows(reader, ids)).map((meta) => [meta.post_id, meta]));
  const links = await linksOfPosts(reader, ids);
  const records = rows.map((row) => {
    const linked = links.get(row.id) ?? { tags: [], authors: [], tiers: [] };
    return { row, linked: { meta: metas.get(row.id) ?? null, ...linked } };
  });
  return showPostsAside({ records, shape: await shapeFacts(context), formats });
};

/** How records are shown, as the publication has it now. */
export const adminShape = async (context: ReadContext): Promise<AdminContext> =>
  createAdminContext(await shapeFacts(context));

const shapeFacts = async (context: ReadContext): Promise<ShowTask['shape']> => {
  const { siteUrl, permalinks, hasAvatars } = await context.site();
  return {
    siteUrl,
    ...(permalinks !== undefined && { permalinks }),
    ...(hasAvatars !== undefined && { hasAvatars }),
    tiers: await listTiers(context.store.reader),
    now: context.clock.now(),
  };
};
