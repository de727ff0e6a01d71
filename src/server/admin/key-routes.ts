// API keys, builds and the publisher's state on the admin interface: ours, beyond Ghost's (decisions).
import type { FastifyInstance } from 'fastify';
import { createKey, listKeys, revokeKey } from '../../admin/keys.ts';
import { keyInput } from '../../contract/admin/key-input.ts';
import { parseInput } from '../../contract/admin/parse-input.ts';
import { listBuilds } from '../../store/publishing.ts';
import type { ServerDeps } from '../ports.ts';
import { limitOf } from './delivery-routes.ts';
import { bodyElement, pathId, queryValue } from './request-values.ts';

export const keyRoutes = (app: FastifyInstance, deps: ServerDeps): void => {
  const { config, context, publisher } = deps;
  const base = `${config.basePath}/admin`;

  app.get(`${base}/keys`, { config: { action: 'list keys' } }, async () => ({
    keys: await listKeys(context),
  }));
  app.post(`${base}/keys`, { config: { action: 'save key' } }, async (request, reply) => {
    const input = parseInput(keyInput, bodyElement(request, 'keys'));
    reply.code(201);
    return { keys: [await createKey(context, input)] };
  });
  app.delete(`${base}/keys/:id`, { config: { action: 'delete key' } }, async (request, reply) => {
    await revokeKey(context, pathId(request));
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
    state: publisher.state(),
  }));
};

const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

const showBuild = (build: Awaited<ReturnType<typeof listBuilds>>[number]) => ({
  id: build.id,
  generation: build.generation,
  kind: build.kind,
  state: build.state,
  requested_by: build.requested_by,
  requested_at: iso(build.requested_at),
  started_at: iso(build.started_at),
  finished_at: iso(build.finished_at),
  error: build.error,
});
