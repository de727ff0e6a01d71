// What the site and this program say of themselves, and the settings of the publication, which are written too.
import type { FastifyInstance } from 'fastify';
import { parseAllowList } from '../../../base/net/addresses.ts';
import { createHttpClient } from '../../../base/net/http-client.ts';
import { hasSite } from '../../../pages/site/has-site.ts';
import { describeClock } from '../../../publish/cycle/clock-line.ts';
import { readEmbed } from '../../admin/embeds/read-embed.ts';
import { readDesk } from '../../admin/keys/desk.ts';
import { defaultAccess } from '../../admin/posts/default-access.ts';
import { editSettings, readConfig, readSettings, readSite } from '../../admin/settings.ts';
import { adminOpenApi } from '../../contract/operations/admin-document.ts';
import { INSTALL_COMMAND } from '../../editor/packages.ts';
import { createOpenApiAnswer } from '../pages/openapi-answer.ts';
import type { ServerDeps } from '../server-deps.ts';
import type { Handlers } from './handler.ts';

type SiteHandlers = Pick<Handlers, 'site' | 'config' | 'settings' | 'desk' | 'oembed' | 'openapi'>;

export const siteHandlers = (app: FastifyInstance, deps: ServerDeps): SiteHandlers => {
  const { config, context } = deps;
  const http = createHttpClient({ connections: 2, idleTimeoutMs: 10_000 });
  app.addHook('onClose', () => http.close());
  const embeds = { http, guard: { allow: parseAllowList(config.webhookAllow) } };
  const sendDocument = createOpenApiAnswer(deps, adminOpenApi);
  return {
    site: { 'GET /': () => readSite(context) },
    config: { 'GET /': async () => readConfig(config.smtp !== undefined) },
    settings: {
      'GET /': () => readSettings(context),
      'PUT /': async ({ input }) => {
        await editSettings(context, input);
        return readSettings(context);
      },
    },
    desk: {
      'GET /': async ({ keyId }) => ({
        ...(await readDesk(context, keyId)),
        mail: config.smtp === undefined ? 'file' : 'SMTP',
        permalinks: config.permalinks,
        has_pages: await hasSite(config, context.store),
        new_post: await defaultAccess(context.store),
        has_preview_links: config.previewLinks !== 'off',
        clock: await describeClock(context.store, context.clock.now()),
        editor_install:
          context.formats === undefined ? INSTALL_COMMAND : context.formats.installCommand(),
      }),
    },
    oembed: {
      'GET /': ({ value }) => readEmbed({ url: value('url'), type: value('type') }, embeds),
    },
    openapi: { 'GET .json': async (_call, { reply }) => sendDocument(reply) },
  };
};
