// Pages of admin lists: `limit` 15 unless given, never over 100 (`all` and what is no number mean 100), or all records,
// and `meta.pagination` (facts 2.1, without its faults past the end).
import type * as z from 'zod';
import { invalid } from '../../base/errors.ts';
import { ADMIN_LIMIT_DEFAULT, ADMIN_LIMIT_MAX, PAGE_MAX } from '../../base/limits.ts';
import { shownName } from '../../content/queries/query-problem.ts';
import type { adminPagination } from '../contract/record-fields.ts';

export type PageQuery = {
  /** As sent; undefined when not. */
  readonly limit?: string | undefined;
  readonly page?: string | undefined;
  /** One page has all records, whatever is asked, as in Ghost's lists of tiers and offers. */
  readonly isWhole?: boolean;
};

export type Pagination = Readonly<z.output<typeof adminPagination>>;

/** Throws VALIDATION for a negative limit or a page that is no number. */
export const paginate = (
  query: PageQuery,
  total: number,
): { pagination: Pagination; range: { limit: number; offset: number } } => {
  const { limit, page } =
    query.isWhole === true
      ? { limit: Math.max(1, total), page: 1 }
      : { limit: readLimit(query.limit), page: readPage(query.page) };
  const pages = Math.max(1, Math.ceil(total / limit));
  const prev = Math.min(page - 1, pages);
  return {
    pagination: {
      page,
      limit,
      pages,
      total,
      next: page < pages ? page + 1 : null,
      prev: prev >= 1 ? prev : null,
    },
    range: { limit, offset: (page - 1) * limit },
  };
};

const readLimit = (text: string | undefined): number => {
  if (text === undefined || text === '' || /^0+$/.test(text)) return ADMIN_LIMIT_DEFAULT;
  if (/^-\d/.test(text)) {
    throw invalid('limit', `limit must be a number from 1, or "all", got ${shownName(text)}.`);
  }
  return /^\d+$/.test(text) ? Math.min(Number(text), ADMIN_LIMIT_MAX) : ADMIN_LIMIT_MAX;
};

const readPage = (text: string | undefined): number => {
  if (text === undefined || text === '') return 1;
  if (!/^\d+$/.test(text)) {
    throw invalid('page', `page must be a whole number, got ${shownName(text)}.`);
  }
  return Math.min(Math.max(1, Number(text)), PAGE_MAX);
};
