// Registers the routes of the admin interface, one for each row of the table of operations. The row says what may be
// asked, by whom, what is read, refused and answered; the handler alone says what is done.
import fastifyMultipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { PrepressError } from '../../../base/errors.ts';
import { JSON_TYPE } from '../../../content/paths/headers.ts';
import type { JsonObject } from '../../../publication/documents/admin/document-context.ts';
import { isOwnerKey } from '../../../publication/store/access/keys.ts';
import { refuseWhileFollowing } from '../../../publication/store/import/following.ts';
import { type Listed, pickFields } from '../../admin/list-query.ts';
import { readBody } from '../../contract/input/parse-input.ts';
import {
  listOperations,
  type OperationTable,
  type Registered,
} from '../../contract/operations/operations.ts';
import { adminBase } from '../routes/admin-base.ts';
import { flagValue, pathId, pathValue, queryList, singleValue } from '../routes/request-values.ts';
import type { ServerDeps } from '../server-deps.ts';
import { type Call, type Exchange, type HandlersOf, type MetaAnswer, Sent } from './handler.ts';

type Handle = (call: Call, exchange: Exchange) => Promise<unknown>;

export const registerOperations = <Table extends OperationTable>(
  app: FastifyInstance,
  deps: ServerDeps,
  { table, handlers }: { readonly table: Table; readonly handlers: HandlersOf<Table> },
): void => {
  // Their types were held against the rows, one by one.
  const handles = handlers as unknown as Readonly<Record<string, Readonly<Record<string, Handle>>>>;
  const add = (scope: FastifyInstance, row: Registered): void => {
    const handle = handles[row.resource]?.[row.key];
    if (handle === undefined) throw new Error(`No handler for ${row.key} of ${row.resource}.`);
    const bodyLimit = row.body?.bytesMax;
    scope.route({
      method: row.method.toUpperCase(),
      url: `${deps.config.basePath}${row.path.replace(/\{(\w+)\}/g, ':$1')}`,
      config: { operation: row },
      ...(bodyLimit !== undefined && { bodyLimit }),
      handler: async (request, reply) => {
        await refuse(row, deps, request.adminKeyId);
        const answer = await handle(readCall(row, request), { request, reply });
        if (row.method !== 'get' && row.changes !== 'ours') deps.publisher.wake();
        return send({ row, base: adminBase(deps, request) }, answer, { request, reply });
      },
    });
  };
  const rows = listOperations(table);
  for (const row of rows) if (row.form === undefined) add(app, row);
  app.register(async (scope) => {
    await scope.register(fastifyMultipart);
    for (const row of rows) if (row.form !== undefined) add(scope, row);
  });
};

/** Throws SOURCE_FOLLOWED, NO_PERMISSION. Saves look again in their transaction. */
const refuse = async (row: Registered, { context }: ServerDeps, keyId: string): Promise<void> => {
  const { store } = context;
  if (row.isGuarded) await refuseWhileFollowing(store);
  if (row.keys !== 'owner' || (await isOwnerKey(store, keyId))) return;
  throw new PrepressError('NO_PERMISSION', 'Only an owner key may do this.');
};

const readCall = ({ body, path }: Registered, request: FastifyRequest): Call => {
  const id = path.includes('{id}') ? pathId(request) : '';
  const isRead = body !== undefined && body.bytesMax === undefined;
  const value = (name: string): string | undefined => singleValue(request, name);
  return {
    keyId: request.adminKeyId,
    id,
    name: pathValue(request, /\{(slug|email)\}/.exec(path)?.[1] ?? ''),
    input: isRead ? readBody(body, request.body, id) : request.body,
    list: {
      limit: value('limit'),
      page: value('page'),
      order: value('order'),
      filter: value('filter'),
      search: value('search'),
    },
    value,
    flag: (name) => flagValue(request, name),
    values: (name) => queryList(request, name),
  };
};

const send = (
  { row, base }: { readonly row: Registered; readonly base: string },
  given: unknown,
  { request, reply }: Exchange,
): unknown => {
  // A handler that sent the reply itself answers that, and awaited, it is nothing.
  if (given === undefined && row.answer.kind !== 'none') return reply;
  const fields = row.query?.includes('fields') ? queryList(request, 'fields') : undefined;
  const { body, more } = given instanceof Sent ? given : wrap(row, given, fields);
  const { status = row.answer.status, location } = more;
  reply.code(status);
  if (location !== undefined) reply.header('location', `${base}/${location}`);
  if (body === null) return reply.send();
  reply.type(JSON_TYPE);
  return body;
};

/** Puts the envelope of the row around what its handler answered. */
const wrap = (
  { answer, resource }: Registered,
  given: unknown,
  fields: readonly string[] | undefined,
): Sent => {
  const shown = (records: readonly JsonObject[]) => pickFields(records, fields, ['count']);
  switch (answer.kind) {
    case 'list': {
      const { records, pagination } = given as Listed;
      return new Sent({ [answer.root]: shown(records), meta: { pagination } });
    }
    case 'single': {
      const isAlone = answer.meta === undefined;
      const { record, meta } = isAlone ? { record: given as JsonObject } : (given as MetaAnswer);
      const more = answer.isNew ? { location: `${resource}/${record.id}/` } : {};
      return new Sent({ [answer.root]: shown([record]), ...(meta && { meta }) }, more);
    }
    case 'all':
    case 'object':
      return new Sent({ [answer.root]: given });
    default:
      return new Sent(answer.kind === 'free' ? (given as object) : null);
  }
};
