// What a client asks of posts and pages, as a message that a thread takes, and how it is answered.
import type { PostType } from '../../../publication/store/content/posts.ts';
import { pickFields } from '../../admin/list-query.ts';
import type { Pagination } from '../../admin/pagination.ts';
import { convertBody } from '../../admin/posts/convert-body.ts';
import { copyPost } from '../../admin/posts/copy-post.ts';
import { createPost, deletePost, editPost, type SaveOptions } from '../../admin/posts/posts.ts';
import { postNotFound, readPost, readPosts } from '../../admin/posts/read-post.ts';
import type { MailParameters } from '../../admin/posts/reject-newsletter-send.ts';
import type { PostFormat } from '../../admin/posts/serialise-posts.ts';
import type { UseCaseContext } from '../../admin/use-case-context.ts';
import { elementOf, parseInput } from '../../contract/input/parse-input.ts';
import { bodyInput, postCreateInput, postEditInput } from '../../contract/input/post-input.ts';
import { readJson } from '../routes/json-text.ts';

/** `body`: what was sent, or its bytes. */
type Sent = {
  readonly body: unknown;
  readonly save: SaveOptions & { readonly mail: MailParameters };
};

export type PostCall = { readonly does: 'convert'; readonly body: unknown } | RecordCall;

type RecordCall = {
  readonly type: PostType;
  /** Absent: the usual ones. */
  readonly formats?: readonly PostFormat[];
} & (
  | ({ readonly does: 'create' } & Sent)
  | ({ readonly does: 'edit'; readonly id: string } & Sent)
  | { readonly does: 'copy' | 'delete'; readonly id: string }
  | {
      readonly does: 'show';
      readonly ids: readonly string[];
      /** Of a list; absent: all must be there. */
      readonly pagination?: Pagination;
      /** The fields that were asked for; absent: all. */
      readonly fields?: readonly string[] | undefined;
      /** What is shown beside them. */
      readonly more: readonly string[];
    }
);

export type PostAnswer = {
  /** Of what was saved; empty otherwise. */
  readonly id: string;
  /** Null: there is none. */
  readonly body: object | null;
};

export type PostCallContext = Pick<
  UseCaseContext,
  'store' | 'clock' | 'site' | 'reservedSlugs' | 'formats'
>;

/** Throws what its use case throws, and what readJson throws. */
export const runPostCall = async (
  context: PostCallContext,
  call: PostCall,
): Promise<PostAnswer> => {
  if (call.does === 'convert') {
    const input = parseInput(bodyInput, elementOf(sentBy(call), 'bodies', ''));
    return { id: '', body: { bodies: [await convertBody(context, input)] } };
  }
  const { type } = call;
  const root = `${type}s`;
  const afterSave = async (id: string): Promise<PostAnswer> => ({
    id,
    body: { [root]: [await readPost(context, { type, id }, call)] },
  });
  switch (call.does) {
    case 'create': {
      const input = parseInput(postCreateInput, elementOf(sentBy(call), root, ''));
      return afterSave(await createPost(context, { type, input }, call.save));
    }
    case 'edit': {
      const { id } = call;
      const input = parseInput(postEditInput, elementOf(sentBy(call), root, id));
      await editPost(context, { type, id, input }, call.save);
      return afterSave(id);
    }
    case 'copy':
      return afterSave(await copyPost(context, call));
    case 'delete':
      await deletePost(context, call);
      return { id: call.id, body: null };
    case 'show': {
      const { ids, pagination, fields, more } = call;
      const posts = await readPosts(context, { type, ids }, call);
      if (pagination === undefined && posts.length < ids.length) throw postNotFound(type);
      const meta = pagination && { meta: { pagination } };
      return { id: '', body: { [root]: pickFields(posts, fields, more), ...meta } };
    }
  }
};

const sentBy = ({ body }: Pick<Sent, 'body'>): unknown =>
  body instanceof Uint8Array
    ? readJson(Buffer.from(body.buffer, body.byteOffset, body.length))
    : body;
