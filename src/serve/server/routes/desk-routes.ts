// What the desk shows and no other operation answers: webhooks of the key, sender addresses that wait for their link,
// and how much waits to be sent. Ours, beyond Ghost's.
import type { FastifyInstance } from 'fastify';
import { describeClock } from '../../../publish/cycle/clock-line.ts';
import { readDesk } from '../../admin/keys/desk.ts';
import { INSTALL_COMMAND } from '../../editor/packages.ts';
import type { ServerDeps } from '../ports.ts';

export const deskRoutes = (app: FastifyInstance, { config, context }: ServerDeps): void => {
  app.get(
    `${config.basePath}/admin/desk`,
    { config: { action: 'read desk' } },
    async (request) => ({
      desk: {
        ...(await readDesk(context, request.adminKeyId)),
        mail: config.smtp === undefined ? 'file' : 'SMTP',
        permalinks: config.permalinks,
        clock: await describeClock(context.store, context.clock.now()),
        editor_install:
          context.formats === undefined ? INSTALL_COMMAND : context.formats.installCommand(),
      },
    }),
  );
};
