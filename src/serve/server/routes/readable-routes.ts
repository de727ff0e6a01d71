// Labels, tiers, offers, users, site and config of the admin interface, as they are read; and the settings,
// which it writes too.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { PrepressError } from '../../../base/errors.ts';
import {
  browseReadable,
  type Readable,
  readOwner,
  readReadable,
} from '../../admin/offers/offerings.ts';
import { editSettings, readConfig, readSettings, readSite } from '../../admin/settings.ts';
import { adminOpenApi } from '../../contract/operations/admin-document.ts';
import { createOpenApiAnswer } from '../pages/openapi-answer.ts';
import type { ServerDeps } from '../ports.ts';
import { listParameters, onlyFields } from './list-values.ts';
import { pathId, pathValue, queryList } from './request-values.ts';

/** By what else than its id a record may be read. */
const LOOKUPS: Readonly<Record<Readable, readonly ('slug' | 'email')[]>> = {
  labels: ['slug'],
  tiers: [],
  offers: [],
  users: ['slug', 'email'],
};

export const readableRoutes = (app: FastifyInstance, deps: ServerDeps): void => {
  for (const resource of Object.keys(LOOKUPS) as Readable[]) readable(app, deps, resource);
  settingsRoutes(app, deps);
  const { config, context } = deps;
  const base = `${config.basePath}/admin`;
  const open = { config: { action: 'read site', isOpen: true } };
  app.get(`${base}/site`, open, async () => ({ site: await readSite(context) }));
  app.get(`${base}/users/me`, does('read user'), async (request) => {
    const user = await readOwner(context, includeOf(request));
    return { users: onlyFields(request, [user], ['count']) };
  });
  app.get(`${base}/config`, does('read config'), async () => ({
    config: readConfig(config.smtp !== undefined),
  }));
  const sendDocument = createOpenApiAnswer(deps, adminOpenApi);
  app.get(`${base}/openapi.json`, does('read document'), async (_request, reply) =>
    sendDocument(reply),
  );
};

const does = (action: string) => ({ config: { action } });

const includeOf = (request: FastifyRequest): string[] => queryList(request, 'include') ?? [];

const readable = (
  app: FastifyInstance,
  { config, context }: ServerDeps,
  resource: Readable,
): void => {
  const base = `${config.basePath}/admin/${resource}`;
  const noun = resource.slice(0, -1);
  app.get(base, does(`list ${resource}`), async (request) => {
    const wanted = { resource, include: includeOf(request) };
    const { records, pagination } = await browseReadable(context, wanted, listParameters(request));
    return { [resource]: onlyFields(request, records, ['count']), meta: { pagination } };
  });
  app.get(`${base}/:id`, does(`read ${noun}`), async (request) => {
    const key = { resource, column: 'id', value: pathId(request) } as const;
    const record = await readReadable(context, { ...key, include: includeOf(request) });
    return { [resource]: onlyFields(request, [record], ['count']) };
  });
  for (const column of LOOKUPS[resource]) {
    app.get(`${base}/${column}/:${column}`, does(`read ${noun}`), async (request) => {
      const key = { resource, column, value: pathValue(request, column) };
      const record = await readReadable(context, { ...key, include: includeOf(request) });
      return { [resource]: onlyFields(request, [record], ['count']) };
    });
  }
};

const SETTINGS_MAX = 100;

const settingsRoutes = (app: FastifyInstance, { config, context, publisher }: ServerDeps): void => {
  const path = `${config.basePath}/admin/settings`;
  const shown = async () => ({ settings: await readSettings(context) });
  app.get(path, does('list settings'), shown);
  app.put(path, does('save settings'), async (request) => {
    const { body } = request;
    const elements =
      typeof body === 'object' && body !== null && 'settings' in body ? body.settings : undefined;
    if (!Array.isArray(elements) || elements.length === 0) {
      throw new PrepressError('BAD_REQUEST', "No root key ('settings') provided.");
    }
    if (elements.length > SETTINGS_MAX) {
      throw new PrepressError('VALIDATION', `settings must not hold more than ${SETTINGS_MAX}.`, {
        property: 'settings',
      });
    }
    await editSettings(context, elements);
    publisher.wake();
    return shown();
  });
};
