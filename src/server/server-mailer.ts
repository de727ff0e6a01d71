// The server's mailer: it sends from the site's own address, and says in the log where a mail was kept when
// there is no mail server, with its text, because the link in it is what the administrator needs.
import { dirname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { createMailer, type Mailer } from '../mail/mailer.ts';
import { dataPathsOf } from '../publisher/paths.ts';
import type { ServerDeps } from './ports.ts';

/** Closed with the server. */
export const createServerMailer = (
  app: FastifyInstance,
  { config, context }: Pick<ServerDeps, 'config' | 'context'>,
): Mailer => {
  const mailer = createMailer({
    smtp: config.smtp,
    folder: join(dirname(dataPathsOf(config).database), 'mail'),
    from: async () => config.mailFrom ?? `noreply@${hostOf((await context.site()).siteUrl)}`,
    onKept: ({ text }, file) => {
      const [link] = /https?:\/\/\S+/.exec(text) ?? [];
      app.log.warn({ file, link }, 'no mail server is set: the mail was kept as a file');
    },
  });
  app.addHook('onClose', async () => mailer.close());
  return mailer;
};

const hostOf = (siteUrl: string): string => new URL(siteUrl).hostname.replace(/^www\./, '');
