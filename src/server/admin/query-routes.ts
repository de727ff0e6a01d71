// What the companion server was asked, on the admin interface: ours, beyond Ghost's (decisions, Queries).
import type { FastifyInstance } from 'fastify';
import { showAskedQuery } from '../../admin/asked-queries.ts';
import type { ServerDeps } from '../ports.ts';

export const queryRoutes = (app: FastifyInstance, { config, askedQueries }: ServerDeps): void => {
  app.get(`${config.basePath}/admin/queries`, { config: { action: 'list queries' } }, async () => ({
    queries: (askedQueries?.list() ?? []).map(showAskedQuery),
  }));
};
