// Posts and pages of the admin interface: browse, read, add, edit, copy, delete.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PrepressError } from '../../../base/errors.ts';
import { POST_REQUEST_BYTES_MAX } from '../../../base/limits.ts';
import { JSON_TYPE } from '../../../content/paths/headers.ts';
import type { PostType } from '../../../publication/store/content/posts.ts';
import { browsePosts, findPostBySlug } from '../../admin/posts/read-post.ts';
import { MAIL_PARAMETERS, type MailParameters } from '../../admin/posts/refuse-mail.ts';
import type { PostFormat } from '../../admin/posts/show-posts.ts';
import type { ServerDeps } from '../ports.ts';
import type { PostCall } from '../post-calls/post-call.ts';
import { createPostCalls, type PostCalls, type SentAnswer } from '../post-calls/post-calls.ts';
import { adminBase } from './admin-base.ts';
import { listParameters } from './list-values.ts';
import { pathId, pathValue, queryList, queryValue } from './request-values.ts';

export const postRoutes = (app: FastifyInstance, deps: ServerDeps): void => {
  const calls = createPostCalls(deps.context);
  for (const type of ['post', 'page'] as const) {
    readRoutes(app, deps, { type, calls });
    saveRoutes(app, deps, { type, calls });
  }
};

type Answering = { readonly type: PostType; readonly calls: PostCalls };

const does = (action: string) => ({ config: { action } });

const readRoutes = (
  app: FastifyInstance,
  { config, context }: ServerDeps,
  { type, calls }: Answering,
): void => {
  const base = `${config.basePath}/admin/${type}s`;
  app.get(base, does(`list ${type}s`), async (request, reply) => {
    const wanted = { type, parameters: listParameters(request) };
    const page = await browsePosts(context, wanted);
    return send(reply, await calls.run(showing(request, type, page)));
  });
  const showOne = async (request: FastifyRequest, reply: FastifyReply, id: string) => {
    const call = showing(request, type, { ids: [id] });
    return send(reply, await calls.run(call));
  };
  app.get(`${base}/:id`, does(`read ${type}`), async (request, reply) =>
    showOne(request, reply, pathId(request)),
  );
  app.get(`${base}/slug/:slug`, does(`read ${type}`), async (request, reply) => {
    const slug = pathValue(request, 'slug');
    return showOne(request, reply, await findPostBySlug(context, { type, slug }));
  });
};

const saveRoutes = (app: FastifyInstance, deps: ServerDeps, { type, calls }: Answering): void => {
  const { publisher } = deps;
  const base = `${deps.config.basePath}/admin/${type}s`;
  const run = async (call: PostCall): Promise<SentAnswer> => {
    const answer = await calls.run(call);
    publisher.wake();
    return answer;
  };
  const sendCreated = (
    request: FastifyRequest,
    reply: FastifyReply,
    answer: SentAnswer,
  ): FastifyReply => {
    reply.code(201).header('location', `${adminBase(deps, request)}/${type}s/${answer.id}/`);
    return send(reply, answer);
  };
  const saves = {
    config: { action: `save ${type}`, takesLongBodies: true },
    bodyLimit: POST_REQUEST_BYTES_MAX,
  };
  app.post(base, saves, async (request, reply) => {
    const call = { does: 'create', type, ...formatsOf(request), ...sentBy(request) } as const;
    return sendCreated(request, reply, await run(call));
  });
  app.post(`${base}/:id/copy`, does(`copy ${type}`), async (request, reply) => {
    const call = { does: 'copy', type, id: pathId(request), ...formatsOf(request) } as const;
    return sendCreated(request, reply, await run(call));
  });
  app.put(`${base}/:id`, saves, async (request, reply) => {
    const id = pathId(request);
    const call = { does: 'edit', type, id, ...formatsOf(request), ...sentBy(request) } as const;
    return send(reply, await run(call));
  });
  app.delete(`${base}/:id`, does(`delete ${type}`), async (request, reply) => {
    await run({ does: 'delete', type, id: pathId(request) });
    return reply.code(204).send();
  });
};

const send = (reply: FastifyReply, { body }: SentAnswer): FastifyReply =>
  reply.type(JSON_TYPE).send(body);

const sentBy = (request: FastifyRequest) => ({
  body: request.body,
  save: saveOptions(request),
});

const saveOptions = (request: FastifyRequest): { sourceHtml: boolean; mail: MailParameters } => {
  const source = queryValue(request, 'source');
  if (source !== undefined && source !== 'html') {
    throw new PrepressError('VALIDATION', 'source must be html.', { property: 'source' });
  }
  return { sourceHtml: source === 'html', mail: mailOf(request) };
};

const mailOf = (request: FastifyRequest): MailParameters =>
  Object.fromEntries(
    MAIL_PARAMETERS.flatMap((name) => {
      const value = queryValue(request, name)?.trim();
      return value ? [[name, value]] : [];
    }),
  );

const FORMATS: readonly PostFormat[] = ['html', 'plaintext', 'lexical', 'mobiledoc'];
const isFormat = (name: string): name is PostFormat =>
  (FORMATS as readonly string[]).includes(name);

const formatsOf = (request: FastifyRequest): { formats?: readonly PostFormat[] } => {
  const names = queryList(request, 'formats');
  if (names === undefined || names.length === 0) return {};
  if (!names.every(isFormat)) {
    throw new PrepressError('VALIDATION', `formats must be of ${FORMATS.join(', ')}.`, {
      property: 'formats',
    });
  }
  return { formats: names };
};

type Shown = Pick<Extract<PostCall, { readonly does: 'show' }>, 'ids' | 'pagination'>;

/** Shows the fields that are asked for, with the relations and formats that are asked for by name. */
const showing = (request: FastifyRequest, type: PostType, shown: Shown): PostCall => ({
  does: 'show',
  type,
  ...shown,
  ...formatsOf(request),
  fields: queryList(request, 'fields'),
  more: [...(queryList(request, 'include') ?? []), ...(queryList(request, 'formats') ?? [])],
});
