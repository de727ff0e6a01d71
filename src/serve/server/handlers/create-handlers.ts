// All handlers of the admin interface, by resource. The compiler names the one that is missing.
import type { FastifyInstance } from 'fastify';
import type { Previews } from '../../admin/posts/previews.ts';
import type { NewslettersContext } from '../../admin/use-case-context.ts';
import type { ServerDeps } from '../server-deps.ts';
import type { Handlers } from './handler.ts';
import { memberBulkHandlers, openMemberJobs } from './member-bulk-handlers.ts';
import { memberHandlers } from './member-handlers.ts';
import { newsletterHandlers } from './newsletter-handlers.ts';
import { offeringHandlers } from './offering-handlers.ts';
import { postHandlers } from './post-handlers.ts';
import { serviceHandlers } from './service-handlers.ts';
import { siteHandlers } from './site-handlers.ts';
import type { UploadAddresses } from './upload-addresses.ts';
import { uploadHandlers } from './upload-handlers.ts';

type Shared = {
  readonly context: NewslettersContext;
  readonly addresses: UploadAddresses;
  readonly previews: Previews;
};

/** `app`: which work on members begins and ends with. */
export const createHandlers = (
  app: FastifyInstance,
  deps: ServerDeps,
  { context, addresses, previews }: Shared,
): Handlers => {
  const jobs = openMemberJobs(app, deps);
  return {
    ...postHandlers({ ...deps, previews }),
    ...offeringHandlers(deps),
    ...siteHandlers(app, deps),
    ...serviceHandlers(deps),
    ...uploadHandlers(deps, addresses),
    newsletters: newsletterHandlers(context, jobs),
    members: { ...memberHandlers(context), ...memberBulkHandlers(deps, jobs) },
  };
};
