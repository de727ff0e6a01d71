// What every list route takes from its query: page, order, filter, search and the fields to show.
import type { FastifyRequest } from 'fastify';
import type { ListParameters } from '../../admin/list-query.ts';
import { queryList, queryValue } from './request-values.ts';

export const listParameters = (request: FastifyRequest): ListParameters => ({
  limit: queryValue(request, 'limit'),
  page: queryValue(request, 'page'),
  order: queryValue(request, 'order'),
  filter: queryValue(request, 'filter'),
  search: queryValue(request, 'search'),
});

export type JsonRecord = { readonly [key: string]: unknown };

/** Leaves only the keys that `fields` names, and `more`; without it, all of them. */
export const onlyFields = (
  request: FastifyRequest,
  records: readonly JsonRecord[],
  more: readonly string[] = [],
): JsonRecord[] => {
  return pickFields(records, queryList(request, 'fields'), more);
};

/** The same of fields that were read. */
export const pickFields = (
  records: readonly JsonRecord[],
  fields: readonly string[] | undefined,
  more: readonly string[],
): JsonRecord[] => {
  if (fields === undefined || fields.length === 0) return [...records];
  const wanted = new Set([...fields, ...more]);
  return records.map((record) =>
    Object.fromEntries(Object.entries(record).filter(([key]) => wanted.has(key))),
  );
};
