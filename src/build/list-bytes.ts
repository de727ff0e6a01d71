// The bytes around fragments: what makes a record's file of one fragment, and a list of many.
import type { Resource } from '../paths/endpoints.ts';

export const openingOf = (resource: Resource): Buffer => Buffer.from(`{"${resource}":[`);

/** Closes a record's file: single reads carry no meta. */
export const RECORD_CLOSING = Buffer.from(']}');

export const COMMA = Buffer.from(',');

type Paging = {
  readonly page: number;
  readonly total: number;
  /** Records in each page; undefined: all in one. */
  readonly limit: number | undefined;
};

export const pagesOf = (total: number, limit: number | undefined): number =>
  limit === undefined ? 1 : Math.max(1, Math.ceil(total / limit));

/** Closes a list: `meta.pagination` as decisions, Content, has it. */
export const listClosing = ({ page, total, limit }: Paging): Buffer => {
  const pages = pagesOf(total, limit);
  const pagination = {
    page,
    limit: limit ?? 'all',
    pages,
    total,
    next: page < pages ? page + 1 : null,
    prev: page > 1 ? page - 1 : null,
  };
  return Buffer.from(`],"meta":${JSON.stringify({ pagination })}}`);
};
