// API keys, builds and the publisher's state on the admin interface: ours, beyond Ghost's (decisions).
import type { FastifyInstance } from 'fastify';
import { toIsoTime } from '../../../base/time.ts';
import {
  findLastChange,
  type LastChange,
  listBuilds,
} from '../../../publication/store/log/publishing.ts';
import {
  LISTED_MAX,
  listBrokenRows,
  showBroken,
} from '../../../publish/build/set-aside/broken-rows.ts';
import { createKeyBy, listKeysBy, revokeKeyBy } from '../../admin/keys/keys-by-key.ts';
import { describeHeldPosts } from '../../admin/posts/held-posts.ts';
import { keyInput } from '../../contract/input/key-input.ts';
import { parseInput } from '../../contract/input/parse-input.ts';
import type { ServerDeps } from '../ports.ts';
import { limitOf } from './delivery-routes.ts';
import { bodyElement, pathId, queryValue } from './request-values.ts';

export const keyRoutes = (app: FastifyInstance, deps: ServerDeps): void => {
  const { config, context, publisher } = deps;
  const base = `${config.basePath}/admin`;

  app.get(`${base}/keys`, { config: { action: 'list keys' } }, async (request) => ({
    keys: await listKeysBy(context, request.adminKeyId),
  }));
  app.post(`${base}/keys`, { config: { action: 'save key' } }, async (request, reply) => {
    const input = parseInput(keyInput, bodyElement(request, 'keys'));
    reply.code(201);
    return { keys: [await createKeyBy(context, input, request.adminKeyId)] };
  });
  app.delete(`${base}/keys/:id`, { config: { action: 'delete key' } }, async (request, reply) => {
    await revokeKeyBy(context, pathId(request), request.adminKeyId);
    return reply.code(204).send();
  });
  app.get(`${base}/builds`, { config: { action: 'list builds' } }, async (request) => {
    const builds = await listBuilds(context.store.reader, limitOf(queryValue(request, 'limit')));
    return { builds: builds.map(showBuild) };
  });
  app.post(`${base}/builds`, { config: { action: 'save build' } }, async (_request, reply) => {
    reply.code(202);
    return { builds: [await publisher.requestBuild('admin')] };
  });
  app.get(`${base}/state`, { config: { action: 'read state' } }, async () => ({
    state: {
      ...publisher.state(),
      lastChange: showChange(await findLastChange(context.store.reader)),
      heldPosts: await describeHeldPosts(context.store.reader, context.clock.now()),
      setAside: showBrokenRows(deps),
    },
  }));
};

const showBrokenRows = ({ config, context }: ServerDeps): object[] => {
  const snapshot = context.store.snapshot();
  try {
    return listBrokenRows(snapshot, config.shape).slice(0, LISTED_MAX).map(showBroken);
  } finally {
    snapshot.close();
  }
};

const showChange = (change: LastChange | null) =>
  change && { ...change, finishedAt: toIsoTime(change.finishedAt) };

const showBuild = (build: Awaited<ReturnType<typeof listBuilds>>[number]) => ({
  id: build.id,
  generation: build.generation,
  kind: build.kind,
  state: build.state,
  requested_by: build.requested_by,
  requested_at: toIsoTime(build.requested_at),
  started_at: toIsoTime(build.started_at),
  finished_at: toIsoTime(build.finished_at),
  error: build.error,
});
