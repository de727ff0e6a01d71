// Reads posts and pages of any status in the admin shape.
import { PrepressError } from '../base/errors.ts';
import {
  type AdminContext,
  createAdminContext,
  type JsonObject,
  type PostRecord,
} from '../documents/admin/context.ts';
import { adminPost } from '../documents/admin/post.ts';
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

export type PostFormat = 'html' | 'plaintext' | 'lexical' | 'mobiledoc';

/** What Ghost's clients are shown when they ask for nothing else, and the body itself. */
const DEFAULT_FORMATS: readonly PostFormat[] = ['html', 'lexical', 'mobiledoc'];

type ReadContext = Pick<UseCaseContext, 'store' | 'clock' | 'site'>;
type ReadOptions = { readonly formats?: readonly PostFormat[] };

/** Throws NOT_FOUND. */
export const readPost = async (
  context: ReadContext,
  wanted:
    | { readonly type: PostType; readonly id: string }
    | { readonly type: PostType; readonly slug: string },
  options: ReadOptions = {},
): Promise<JsonObject> => {
  const { reader } = context.store;
  const row =
    'id' in wanted
      ? await findPostById(reader, wanted.type, wanted.id)
      : await findPostBySlug(reader, wanted.type, wanted.slug);
  if (row === undefined) throw postNotFound(wanted.type);
  const [post] = await showPosts(context, [row], options);
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
  return { posts: await showPosts(context, rows, options), pagination };
};

/** The rows in the admin shape, in their order. */
const showPosts = async (
  context: ReadContext,
  rows: readonly FullPostRow[],
  { formats = DEFAULT_FORMATS }: ReadOptions,
): Promise<JsonObject[]> => {
  const { reader } = context.store;
  const ids = rows.map(({ id }) => id);
  const metas = new Map((await findMetaRows(reader, ids)).map((meta) => [meta.post_id, meta]));
  const links = await linksOfPosts(reader, ids);
  const shape = await adminShape(context);
  return rows.map((row) => {
    const { lexical, mobiledoc, ...post } = row;
    const linked = links.get(row.id) ?? { tags: [], authors: [], tiers: [] };
    const record: PostRecord = { post, meta: metas.get(row.id) ?? null, ...linked };
    const { html, plaintext, ...rest } = adminPost(record, shape);
    const bodies = { html, plaintext, lexical, mobiledoc };
    return { ...rest, ...Object.fromEntries(formats.map((format) => [format, bodies[format]])) };
  });
};

/** How records are shown, as the publication has it now. */
export const adminShape = async (context: ReadContext): Promise<AdminContext> =>
  createAdminContext({
    ...(await context.site()),
    tiers: await listTiers(context.store.reader),
    now: context.clock.now(),
  });
