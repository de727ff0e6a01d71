// Posts and pages in bulk, as Ghost's clients ask for it: edits and deletes of those that a filter chooses.
import type { FastifyInstance } from 'fastify';
import { PrepressError } from '../../../base/errors.ts';
import { deletePostsInBulk, editPostsInBulk } from '../../admin/posts/bulk-posts.ts';
import { parseInput } from '../../contract/input/parse-input.ts';
import { postsBulkInput } from '../../contract/input/post-bulk-input.ts';
import type { ServerDeps } from '../ports.ts';
import { queryValue } from './request-values.ts';

export const postBulkRoutes = (
  app: FastifyInstance,
  { config, context, publisher }: ServerDeps,
): void => {
  const does = (action: string) => ({ config: { action } });
  for (const type of ['post', 'page'] as const) {
    const base = `${config.basePath}/admin/${type}s`;
    app.put(`${base}/bulk`, does(`edit ${type}s`), async (request) => {
      const { body } = request;
      const given = typeof body === 'object' && body !== null && 'bulk' in body ? body.bulk : null;
      if (given === null) throw new PrepressError('BAD_REQUEST', "No root key ('bulk') provided.");
      const input = parseInput(postsBulkInput, given);
      const chosen = { type, filter: queryValue(request, 'filter') };
      const count = await editPostsInBulk(context, chosen, input);
      publisher.wake();
      const meta = { stats: statsOf(count), errors: [], unsuccessfulData: [] };
      return { bulk: { action: input.action, meta } };
    });
    app.delete(base, does(`delete ${type}s`), async (request) => {
      const chosen = { type, filter: queryValue(request, 'filter') };
      const count = await deletePostsInBulk(context, chosen);
      publisher.wake();
      return { bulk: { meta: { stats: statsOf(count), errors: [] } } };
    });
  }
};

const statsOf = (count: number) => ({ successful: count, unsuccessful: 0 });
