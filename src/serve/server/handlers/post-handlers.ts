// Posts and pages: browse, read, add, edit, copy, delete, also in bulk.
import { invalid } from '../../../base/errors.ts';
import { shownName } from '../../../content/queries/query-problem.ts';
import type { PostType } from '../../../publication/store/content/posts.ts';
import { deletePostsInBulk, editPostsInBulk } from '../../admin/posts/bulk-posts.ts';
import { listPostRevisions, readPostRevision } from '../../admin/posts/post-revisions.ts';
import type { SaveOptions } from '../../admin/posts/posts.ts';
import { createPreviewLink } from '../../admin/posts/preview-links.ts';
import type { Previews } from '../../admin/posts/previews.ts';
import { browsePosts, findPostBySlug } from '../../admin/posts/read-post.ts';
import { MAIL_TEXTS, type MailParameters } from '../../admin/posts/reject-newsletter-send.ts';
import type { PostFormat } from '../../admin/posts/serialise-posts.ts';
import type { PostCall } from '../post-calls/post-call.ts';
import { createPostCalls, type PostCalls } from '../post-calls/post-calls.ts';
import { publicBase } from '../routes/admin-base.ts';
import type { ServerDeps } from '../server-deps.ts';
import { type Call, type Handlers, Sent } from './handler.ts';

export const postHandlers = (
  deps: ServerDeps & { readonly previews: Previews },
): Pick<Handlers, 'posts' | 'pages' | 'bodies' | 'revisions'> => {
  const calls = createPostCalls(deps.context);
  const bodies = {
    'POST /': async ({ input }) =>
      new Sent((await calls.run({ does: 'convert', body: input })).body),
  } satisfies Handlers['bodies'];
  const revisions = {
    'GET /{id}/': ({ id }) => readPostRevision(deps.context, id),
  } satisfies Handlers['revisions'];
  const parts = { ...deps, calls };
  return { bodies, revisions, posts: handlersOf('post', parts), pages: handlersOf('page', parts) };
};

type Parts = ServerDeps & {
  readonly calls: PostCalls;
  readonly previews: Previews;
};

const handlersOf = (
  type: PostType,
  { calls, previews, ...deps }: Parts,
): Handlers['posts' | 'pages'] => {
  const { config, context } = deps;
  const run = async (call: PostCall): Promise<Sent> => {
    const { id, body } = await calls.run(call);
    const isNew = call.does === 'create' || call.does === 'copy';
    return new Sent(body, isNew ? { location: `${type}s/${id}/` } : {});
  };
  const showOne = (call: Call, id: string) => run(showing(call, type, { ids: [id] }));
  return {
    'GET /': async (call) => {
      const page = await browsePosts(context, { type, parameters: call.list });
      return run(showing(call, type, page));
    },
    'GET /{id}/': (call) => showOne(call, call.id),
    'GET /{id}/preview/': async ({ id }) => ({
      html: await previews.html({ type, id, isUngated: true }),
    }),
    'POST /{id}/preview/': ({ id, input: { hours, ungated } }) =>
      createPreviewLink(context, config, {
        ...{ type, id, hours, isUngated: ungated },
        base: publicBase(deps),
      }),
    'GET /{id}/revisions/': ({ id }) => listPostRevisions(context, { type, id }),
    'GET /slug/{slug}/': async (call) =>
      showOne(call, await findPostBySlug(context, { type, slug: call.name })),
    'POST /': async (call) => run({ does: 'create', type, ...formatsOf(call), ...sentBy(call) }),
    'POST /{id}/copy/': async (call) =>
      run({ does: 'copy', type, id: call.id, ...formatsOf(call) }),
    'PUT /{id}/': async (call) =>
      run({ does: 'edit', type, id: call.id, ...formatsOf(call), ...sentBy(call) }),
    'DELETE /{id}/': async ({ id }) => {
      await calls.run({ does: 'delete', type, id });
    },
    'PUT /bulk/': async ({ input, value }) => {
      const count = await editPostsInBulk(context, { type, filter: value('filter') }, input);
      const meta = { stats: statsOf(count), errors: [], unsuccessfulData: [] };
      return { action: input.action, meta };
    },
    'DELETE /': async ({ value }) => {
      const count = await deletePostsInBulk(context, { type, filter: value('filter') });
      return { meta: { stats: statsOf(count), errors: [] } };
    },
  };
};

const statsOf = (count: number) => ({ successful: count, unsuccessful: 0 });

const sentBy = (call: Call) => ({ body: call.input, save: saveOptions(call) });

const saveOptions = (call: Call): SaveOptions & { mail: MailParameters } => {
  const source = call.value('source');
  if (source !== undefined && source !== 'html') {
    throw invalid('source', 'source must be html.');
  }
  const sitting = call.flag('autosave') ? 'auto' : call.flag('save_revision') ? 'last' : null;
  return { sourceHtml: source === 'html', mail: mailOf(call), sitting, keyId: call.keyId };
};

const mailOf = (call: Call): MailParameters => ({
  ...Object.fromEntries(
    MAIL_TEXTS.flatMap((name) => {
      const value = call.value(name)?.trim();
      return value ? [[name, value]] : [];
    }),
  ),
  send_email_when_published: call.flag('send_email_when_published'),
});

const FORMATS: readonly PostFormat[] = ['html', 'plaintext', 'lexical', 'mobiledoc'];
const isFormat = (name: string): name is PostFormat =>
  (FORMATS as readonly string[]).includes(name);

const formatsOf = (call: Call): { formats?: readonly PostFormat[] } => {
  const names = call.values('formats');
  if (names === undefined || names.length === 0) return {};
  if (!names.every(isFormat)) {
    const got = shownName(names.join());
    throw invalid('formats', `formats must be of ${FORMATS.join(', ')}, got ${got}.`);
  }
  return { formats: names };
};

type Shown = Pick<Extract<PostCall, { readonly does: 'show' }>, 'ids' | 'pagination'>;

/** Shows the fields that are asked for, with the relations and formats that are asked for by name. */
const showing = (call: Call, type: PostType, shown: Shown): PostCall => ({
  does: 'show',
  type,
  ...shown,
  ...formatsOf(call),
  fields: call.values('fields'),
  more: [...(call.values('include') ?? []), ...(call.values('formats') ?? [])],
});
