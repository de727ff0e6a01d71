// Reads what routes take from a request: parameters of the query, names and ids of the path.
import type { FastifyRequest } from 'fastify';
import { invalid } from '../../../base/errors.ts';
import { isId } from '../../../base/ids.ts';
import { queryValues } from '../../../content/paths/query-values.ts';
import { shownName } from '../../../content/queries/query-problem.ts';
import { splitUrl } from '../addresses.ts';
import { notOffered } from './refused-calls.ts';

export const queryValue = (request: FastifyRequest, name: string): string | undefined =>
  queryValues(splitUrl(request.raw.url ?? '').query, name)[0];

/** Throws VALIDATION where it is given more than once: to take one would drop what narrows a list, or a delete. */
export const singleValue = (request: FastifyRequest, name: string): string | undefined => {
  const values = queryValues(splitUrl(request.raw.url ?? '').query, name);
  if (values.length < 2) return values[0];
  const how = name === 'filter' ? ', with "+" between its conditions' : '';
  throw invalid(name, `${name} was given ${values.length} times: give it once${how}.`);
};

const YES = ['true', '1', 'yes'];
const NO = ['false', '0', 'no', ''];

/** Whether a parameter is a yes, in any case; absent is a no. Throws VALIDATION for a word that is neither. */
export const flagValue = (request: FastifyRequest, name: string): boolean => {
  const text = singleValue(request, name) ?? '';
  const word = text.trim().toLowerCase();
  const isYes = YES.includes(word);
  if (isYes || NO.includes(word)) return isYes;
  throw invalid(name, `${name} must be true or false, got ${shownName(text)}. Nothing was done.`);
};

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

const HEXADECIMAL = /^[0-9a-f]+$/i;
const WORD = /^[a-z_-]+$/i;

/** Whether the path names what stands where ids do, and is not offered: words that are read, and bulk work. */
const isUnoffered = (method: string, name: string): boolean =>
  method === 'GET' || method === 'HEAD'
    ? WORD.test(name) && !HEXADECIMAL.test(name)
    : name === 'bulk';

/** The id in the path. Throws VALIDATION when it has not the form of one, and 404 of what is not offered. */
export const pathId = (request: FastifyRequest): string => {
  const id = pathValue(request, 'id');
  if (isId(id)) return id;
  if (isUnoffered(request.method, id))
    throw notOffered(`"${id}" is not an id (24 hexadecimal characters).`);
  throw invalid('id', `id must be 24 hexadecimal characters, got "${id}".`);
};
