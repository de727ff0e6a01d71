// Reads what admin routes take from a request: parameters of the query, ids of the path, the one element
// of the body.

import type { FastifyRequest } from 'fastify';
import { PrepressError } from '../../../base/errors.ts';
import { isId } from '../../../base/ids.ts';
import { queryValues } from '../../../content/paths/query-values.ts';
import { parseEnvelope } from '../../contract/input/parse-input.ts';
import { splitUrl } from '../addresses.ts';
import { refusalOf } from './refused-calls.ts';

/** The first value of a query parameter. */
export const queryValue = (request: FastifyRequest, name: string): string | undefined =>
  queryValues(splitUrl(request.raw.url ?? '').query, name)[0];

/** The comma-separated values of a parameter, trimmed and lower-cased; undefined when it is absent. */
export const queryList = (request: FastifyRequest, name: string): string[] | undefined => {
  const values = queryValues(splitUrl(request.raw.url ?? '').query, name);
  if (values.length === 0) return undefined;
  return values
    .flatMap((value) => value.split(','))
    .map((value) => value.trim().toLowerCase())
    .filter((value) => value !== '');
};

export const pathValue = (request: FastifyRequest, name: string): string => {
  const { params } = request;
  const value =
    typeof params === 'object' && params !== null && Object.hasOwn(params, name)
      ? (params as Record<string, unknown>)[name]
      : undefined;
  return typeof value === 'string' ? value : '';
};

/** Where ids stand, Ghost's own editor asks for these, which are not offered. */
const UNOFFERED = ['events', 'export', 'import', 'stats'];

/** The id in the path. Throws VALIDATION when it has not the form of one. */
export const pathId = (request: FastifyRequest): string => {
  const id = pathValue(request, 'id');
  if (isId(id)) return id;
  if (UNOFFERED.includes(id)) throw refusalOf(request.method, '');
  throw new PrepressError('VALIDATION', 'id must be 24 hexadecimal characters.', {
    property: 'id',
  });
};

/** The one element of the body. Throws BAD_REQUEST when it names another id than the path. */
export const bodyElement = (
  request: FastifyRequest,
  root: string,
  id?: string,
): Record<string, unknown> => elementOf(request.body, root, id);

/** The same of a body that was read. */
export const elementOf = (body: unknown, root: string, id?: string): Record<string, unknown> => {
  const element = parseEnvelope(body, root);
  if (id !== undefined && element.id !== undefined && element.id !== id) {
    throw new PrepressError('BAD_REQUEST', 'Invalid id provided.', { property: 'id' });
  }
  return element;
};
