// Every operation of the admin interface: its address, what it takes and what it answers. Its routes are registered from
// this table, and the OpenAPI document is made of it.
import * as z from 'zod';
import { adminPagination } from '../record-fields.ts';
import type { Answer, ListedBody, ListedOperation, Operation, Operations } from './operation.ts';
import { PUBLISHING_OPERATIONS } from './operations-publishing.ts';
import { OPEN_OPERATIONS, SERVICE_OPERATIONS } from './operations-service.ts';
import { MAILED_OPERATIONS, SUBSCRIBER_OPERATIONS } from './operations-subscribers.ts';
import { UPLOAD_OPERATIONS } from './operations-uploads.ts';

/** By resource: each has a handler of its name (server/handlers). */
export const OPERATIONS = {
  ...PUBLISHING_OPERATIONS,
  ...SUBSCRIBER_OPERATIONS,
  ...UPLOAD_OPERATIONS,
  ...SERVICE_OPERATIONS,
};

export type OperationTable = Readonly<Record<string, Operations>>;

export type Registered = ListedOperation & {
  readonly resource: string;
  /** Its key in the table, below the resource. */
  readonly key: string;
  readonly action: string;
  /** Whether it is refused while a source is followed. */
  readonly isGuarded: boolean;
};

export const listOperations = (table: OperationTable): Registered[] =>
  Object.entries(table).flatMap(([resource, rows]) =>
    Object.entries(rows).map(([key, row]: [string, Operation]): Registered => {
      const [method = '', below = ''] = key.split(' ');
      const { body, answer, ...others } = row;
      return {
        tag: resource,
        action: key === 'GET /' ? `list ${resource}` : `${VERBS[method]} ${resource.slice(0, -1)}`,
        ...others,
        ...(body && { body: { root: resource, ...body } }),
        answer: 'record' in answer ? { root: resource, ...answer } : answer,
        resource,
        key,
        method: method.toLowerCase() as ListedOperation['method'],
        path: `/admin/${resource}${below}`,
        isGuarded: method !== 'GET' && row.changes === undefined,
      };
    }),
  );

const VERBS: Readonly<Record<string, string>> = {
  GET: 'read',
  POST: 'save',
  PUT: 'save',
  DELETE: 'delete',
};

/** All that is documented, with what is not under `/admin/`. */
export const ADMIN_OPERATIONS: readonly ListedOperation[] = [
  ...listOperations(OPERATIONS),
  ...MAILED_OPERATIONS,
  ...OPEN_OPERATIONS,
];

export const exampleBody = ({ root, holds, example }: ListedBody): unknown =>
  root === null ? example : { [root]: holds === 'object' ? example : [example] };

/** What stands beside the records of an answer. */
export const metaSchema = (answer: Answer): z.ZodType | undefined => {
  if (answer.kind === 'list') return z.strictObject({ pagination: adminPagination });
  return answer.kind === 'single' ? answer.meta : undefined;
};
