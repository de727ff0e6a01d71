// Posts and pages of the admin interface: browse, read, add, edit, delete.
import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { copyPost } from '../../admin/copy-post.ts';
import { type BodyInput, isLongBody } from '../../admin/post-html.ts';
import { createPost, deletePost, editPost } from '../../admin/posts.ts';
import { browsePosts, readPost } from '../../admin/read-post.ts';
import { MAIL_PARAMETERS, type MailParameters } from '../../admin/refuse-mail.ts';
import type { PostFormat } from '../../admin/show-posts.ts';
import { PrepressError } from '../../base/errors.ts';
import { POST_REQUEST_BYTES_MAX } from '../../base/limits.ts';
import { parseInput } from '../../contract/admin/parse-input.ts';
import { postCreateInput, postEditInput } from '../../contract/admin/post-input.ts';
import { JSON_TYPE } from '../../paths/headers.ts';
import type { PostType } from '../../store/posts.ts';
import type { ServerDeps } from '../ports.ts';
import { adminBase } from './admin-base.ts';
import { type JsonRecord, listParameters, onlyFields } from './list-values.ts';
import { bodyElement, pathId, pathValue, queryList, queryValue } from './request-values.ts';

export const postRoutes = (app: FastifyInstance, deps: ServerDeps, type: PostType): void => {
  const { context, publisher } = deps;
  const root = `${type}s` as const;
  const base = `${deps.config.basePath}/admin/${root}`;
  const does = (action: string) => ({ config: { action } });

  /** Of a long body others are answered between the steps. */
  const shownAfterSave = async (
    { request, reply, input = {} }: Saved,
    id: string,
  ): Promise<unknown> => {
    const isLong = isLongBody(input);
    const post = await readPost(context, { type, id }, { ...formatsOf(request), isLong });
    const shown = { [root]: [post] };
    if (!isLong) return shown;
    await setImmediate();
    const text = JSON.stringify(shown);
    await setImmediate();
    reply.type(JSON_TYPE);
    return text;
  };

  app.get(base, does(`list ${root}`), async (request) => {
    const wanted = { type, parameters: listParameters(request) };
    const { posts, pagination } = await browsePosts(context, wanted, formatsOf(request));
    return { [root]: shown(request, posts), meta: { pagination } };
  });
  app.get(`${base}/:id`, does(`read ${type}`), async (request) => ({
    [root]: shown(request, [
      await readPost(context, { type, id: pathId(request) }, formatsOf(request)),
    ]),
  }));
  app.get(`${base}/slug/:slug`, does(`read ${type}`), async (request) => {
    const slug = pathValue(request, 'slug');
    return {
      [root]: shown(request, [await readPost(context, { type, slug }, formatsOf(request))]),
    };
  });
  const saves = { ...does(`save ${type}`), bodyLimit: POST_REQUEST_BYTES_MAX };
  app.post(base, saves, async (request, reply) => {
    const input = parseInput(postCreateInput, bodyElement(request, root));
    const id = await createPost(context, { type, input }, saveOptions(request));
    publisher.wake();
    reply.code(201).header('location', `${adminBase(deps)}/${root}/${id}/`);
    return shownAfterSave({ request, reply, input }, id);
  });
  app.post(`${base}/:id/copy`, does(`copy ${type}`), async (request, reply) => {
    const id = await copyPost(context, { type, id: pathId(request) });
    publisher.wake();
    reply.code(201).header('location', `${adminBase(deps)}/${root}/${id}/`);
    return shownAfterSave({ request, reply }, id);
  });
  app.put(`${base}/:id`, saves, async (request, reply) => {
    const id = pathId(request);
    const input = parseInput(postEditInput, bodyElement(request, root, id));
    await editPost(context, { type, id, input }, saveOptions(request));
    publisher.wake();
    return shownAfterSave({ request, reply, input }, id);
  });
  app.delete(`${base}/:id`, does(`delete ${type}`), async (request, reply) => {
    await deletePost(context, { type, id: pathId(request) });
    publisher.wake();
    return reply.code(204).send();
  });
};

type Saved = {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Its body, where the request brought one. */
  readonly input?: BodyInput;
};

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

/** The fields that are asked for, with the relations and formats that are asked for by name. */
const shown = (request: FastifyRequest, posts: readonly JsonRecord[]): JsonRecord[] => {
  const more = [...(queryList(request, 'include') ?? []), ...(queryList(request, 'formats') ?? [])];
  return onlyFields(request, posts, more);
};
