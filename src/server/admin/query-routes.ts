// What the companion server was asked, and declaring it, on the admin interface: ours, beyond Ghost's (decisions, Queries).
import type { FastifyInstance } from 'fastify';
import { showAskedQuery } from '../../admin/asked-queries.ts';
import { PrepressError } from '../../base/errors.ts';
import type { ServerDeps } from '../ports.ts';

export const queryRoutes = (app: FastifyInstance, deps: ServerDeps): void => {
  const path = `${deps.config.basePath}/admin/queries`;
  app.get(path, { config: { action: 'list queries' } }, async () => {
    app.queriesSeen.flush();
    return { queries: (deps.askedQueries?.list() ?? []).map(showAskedQuery) };
  });
  app.post(`${path}/adopt`, { config: { action: 'adopt queries' } }, async () => {
    if (deps.adoptQueries === undefined) {
      const sentence = 'This server has no settings file to declare queries in.';
      throw new PrepressError('VALIDATION', sentence, { property: 'queries' });
    }
    app.queriesSeen.flush();
    const { queries, left } = await deps.adoptQueries();
    return { queries, meta: { left } };
  });
};
