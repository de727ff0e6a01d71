// Which queries ask for a default list, which is a file of the content tree (decisions, Queries). Runtime-neutral, and
// written so that the oldest of the edge runtimes can run it.
import type { Filter } from './filter.ts';
import { type ListQuery, type RecordShape, TIERS } from './list-query.ts';
import { isDefaultOrder } from './order.ts';
import type { ListResource } from './resource.ts';

type DefaultList = {
  /** As in {@link ListQuery}. */
  readonly includes: readonly string[];
  /** Of tags: internal ones are left out. */
  readonly isPublicOnly: boolean;
  readonly page: number;
};

/** Null for a query that no default list answers, but for tiers. `max` is the setting `lists.max`. */
export const findDefaultList = (
  resource: ListResource,
  query: ListQuery,
  max: number,
): DefaultList | null => {
  const isPublicOnly = resource === 'tags' && query.filter !== null && isPublicFilter(query.filter);
  const isPlain = isDefaultOrder(resource, query.order) && (query.filter === null || isPublicOnly);
  if (!isWholeShape(query) || !isPlain || query.limit !== max) return null;
  return { includes: fileIncludes(query), isPublicOnly, page: query.page };
};

export const fileIncludes = (shape: RecordShape): string[] =>
  shape.includes.filter((include) => include !== TIERS);

export const hasTiers = (shape: RecordShape): boolean => shape.includes.indexOf(TIERS) >= 0;

/** Files hold nothing but whole records. */
export const isWholeShape = (shape: RecordShape): boolean =>
  shape.fields === null && shape.hasHtml && !shape.hasPlaintext;

/** Several, as of a repeated parameter, mean it where each does. */
const isPublicFilter = (filter: Filter): boolean =>
  'parts' in filter
    ? filter.parts.every(isPublicFilter)
    : filter.kind === 'compare' &&
      filter.field === 'visibility' &&
      filter.operator === '=' &&
      filter.value === 'public';
