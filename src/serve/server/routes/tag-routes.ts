// Tags of the admin interface: browse, read, add, edit, delete.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { browseTags, createTag, deleteTag, editTag, readTag } from '../../admin/posts/tags.ts';
import { parseInput } from '../../contract/input/parse-input.ts';
import { tagCreateInput, tagEditInput } from '../../contract/input/tag-input.ts';
import type { ServerDeps } from '../ports.ts';
import { adminBase } from './admin-base.ts';
import { listParameters, onlyFields } from './list-values.ts';
import { bodyElement, pathId, pathValue, queryList } from './request-values.ts';

export const tagRoutes = (app: FastifyInstance, deps: ServerDeps): void => {
  const { context, publisher } = deps;
  const base = `${deps.config.basePath}/admin/tags`;
  const does = (action: string) => ({ config: { action } });

  app.get(base, does('list tags'), async (request) => {
    const { tags, pagination } = await browseTags(
      context,
      listParameters(request),
      countOf(request),
    );
    return { tags: onlyFields(request, tags, ['count']), meta: { pagination } };
  });
  app.get(`${base}/:id`, does('read tag'), async (request) => {
    const tag = await readTag(context, { id: pathId(request) }, countOf(request));
    return { tags: onlyFields(request, [tag], ['count']) };
  });
  app.get(`${base}/slug/:slug`, does('read tag'), async (request) => {
    const tag = await readTag(context, { slug: pathValue(request, 'slug') }, countOf(request));
    return { tags: onlyFields(request, [tag], ['count']) };
  });
  app.post(base, does('save tag'), async (request, reply) => {
    const input = parseInput(tagCreateInput, bodyElement(request, 'tags'));
    const id = await createTag(context, input);
    publisher.wake();
    reply.code(201).header('location', `${adminBase(deps, request)}/tags/${id}/`);
    return { tags: [await readTag(context, { id }, countOf(request))] };
  });
  app.put(`${base}/:id`, does('save tag'), async (request) => {
    const id = pathId(request);
    await editTag(context, id, parseInput(tagEditInput, bodyElement(request, 'tags', id)));
    publisher.wake();
    return { tags: [await readTag(context, { id }, countOf(request))] };
  });
  app.delete(`${base}/:id`, does('delete tag'), async (request, reply) => {
    await deleteTag(context, pathId(request));
    publisher.wake();
    return reply.code(204).send();
  });
};

const countOf = (request: FastifyRequest): { withCount: boolean } => ({
  withCount: (queryList(request, 'include') ?? []).includes('count.posts'),
});
