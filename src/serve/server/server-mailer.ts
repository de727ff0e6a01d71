// The server's mailer: it sends from the site's own address, and says in the log where a mail was kept when
// there is no mail server. The link in it is a secret, which no log holds.
import { dirname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { createMailer, type Mailer } from '../../base/mail/mailer.ts';
import { dataPathsOf } from '../../settings/data-paths.ts';
import type { ServerDeps } from './server-deps.ts';

/** Closed with the server. */
export const createServerMailer = (
  app: FastifyInstance,
  { config, context }: Pick<ServerDeps, 'config' | 'context'>,
): Mailer => {
  const mailer = createMailer({
    smtp: config.smtp,
    folder: join(dirname(dataPathsOf(config).database), 'mail'),
    from: async () => config.mailFrom ?? `noreply@${hostOf((await context.site()).siteUrl)}`,
    onKept: (file) => app.log.warn({ file }, 'no mail server is set: the mail was kept as a file'),
  });
  app.addHook('onClose', async () => mailer.close());
  return mailer;
};

const hostOf = (siteUrl: string): string => new URL(siteUrl).hostname.replace(/^www\./, '');
