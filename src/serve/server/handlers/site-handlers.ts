// What the site and this program say of themselves, and the settings of the publication, which are written too.
import { hasSite } from '../../../pages/site/has-site.ts';
import { describeClock } from '../../../publish/cycle/clock-line.ts';
import { readDesk } from '../../admin/keys/desk.ts';
import { editSettings, readConfig, readSettings, readSite } from '../../admin/settings.ts';
import { adminOpenApi } from '../../contract/operations/admin-document.ts';
import { INSTALL_COMMAND } from '../../editor/packages.ts';
import { createOpenApiAnswer } from '../pages/openapi-answer.ts';
import type { ServerDeps } from '../server-deps.ts';
import type { Handlers } from './handler.ts';

type SiteHandlers = Pick<Handlers, 'site' | 'config' | 'settings' | 'desk' | 'openapi'>;

export const siteHandlers = (deps: ServerDeps): SiteHandlers => {
  const { config, context } = deps;
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
        clock: await describeClock(context.store, context.clock.now()),
        editor_install:
          context.formats === undefined ? INSTALL_COMMAND : context.formats.installCommand(),
      }),
    },
    openapi: { 'GET .json': async (_call, { reply }) => sendDocument(reply) },
  };
};
