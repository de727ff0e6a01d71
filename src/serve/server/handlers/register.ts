// Registers the routes of the admin interface, one for each row of the table of operations. The row says what may be
// asked, by whom, what is read, refused and answered; the handler alone says what is done.
import fastifyMultipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { PrepressError } from '../../../base/errors.ts';
import { JSON_TYPE } from '../../../content/paths/headers.ts';
import { isOwnerKey } from '../../../publication/store/access/keys.ts';
import { refuseWhileFollowing } from '../../../publication/store/import/following.ts';
import { readBody } from '../../contract/input/parse-input.ts';
import {
  listOperations,
  type OperationTable,
  type Registered,
} from '../../contract/operations/operations.ts';
import type { ServerDeps } from '../ports.ts';
import { adminBase } from '../routes/admin-base.ts';
import { pathId, pathValue, queryList, queryValue } from '../routes/request-values.ts';
import {
  type Call,
  type Exchange,
  type HandlersOf,
  type ListAnswer,
  type MetaAnswer,
  Sent,
} from './handler.ts';
import { type JsonRecord, pickFields } from './pick-fields.ts';

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
      config: {
        action: row.action,
        isOpen: row.keys === 'none',
        takesLongBodies: bodyLimit !== undefined,
      },
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
  const { reader } = context.store;
  if (row.isGuarded) await refuseWhileFollowing(reader);
  if (row.keys !== 'owner' || (await isOwnerKey(reader, keyId))) return;
  throw new PrepressError('NO_PERMISSION', 'Only an owner key may do this.');
};

const readCall = ({ body, path }: Registered, request: FastifyRequest): Call => {
  const id = path.includes('{id}') ? pathId(request) : '';
  const isRead = body !== undefined && body.bytesMax === undefined;
  const value = (name: string): string | undefined => queryValue(request, name);
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
    values: (name) => queryList(request, name),
  };
};

type Asked = { readonly row: Registered; readonly base: string };

const send = ({ row, base }: Asked, given: unknown, { request, reply }: Exchange): unknown => {
  const { answer } = row;
  const at = (location: string): unknown => reply.header('location', `${base}/${location}`);
  if (given === reply) return reply;
  reply.code(answer.status);
  if (given instanceof Sent) {
    const { status = answer.status, location } = given.more;
    if (location !== undefined) at(location);
    return reply.code(status).type(JSON_TYPE).send(given.body);
  }
  const shown = (records: readonly JsonRecord[]): JsonRecord[] =>
    row.query?.includes('fields')
      ? pickFields(records, queryList(request, 'fields'), ['count'])
      : [...records];
  switch (answer.kind) {
    case 'list': {
      const { records, pagination } = given as ListAnswer;
      return { [answer.root]: shown(records), meta: { pagination } };
    }
    case 'all':
      return { [answer.root]: given };
    case 'object':
      return { [answer.root]: given };
    case 'single': {
      const { record, meta } =
        answer.meta === undefined
          ? { record: given as JsonRecord, meta: {} }
          : (given as MetaAnswer);
      if (answer.isNew) at(`${row.resource}/${record.id}/`);
      const records = { [answer.root]: shown([record]) };
      return Object.keys(meta).length === 0 ? records : { ...records, meta };
    }
    default:
      return answer.kind === 'none' ? reply.send() : given;
  }
};
