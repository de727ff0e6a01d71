// The query grammar of the content interface (decisions, Files): parameters in any order, repeated ones
// merged, values decoded, trimmed and lower-cased, everything unknown ignored. Runtime-neutral, and
// written so that the oldest of the edge runtimes can run it.
import { queryValues } from '../base/query-values.ts';
import type { QueryShape } from './endpoints.ts';

export type ContentQuery = {
  /** Known include values, in alphabetical order, each once. */
  readonly includes: readonly string[];
  /** The resource's filter was asked for. */
  readonly isFiltered: boolean;
};

export const parseQuery = (rawQuery: string, shape: QueryShape): ContentQuery => {
  const asked = tokens(queryValues(rawQuery, 'include'));
  const filter = shape.filter;
  return {
    includes: shape.includes.filter((include) => asked.indexOf(include) !== -1),
    isFiltered:
      filter !== null && tokens(queryValues(rawQuery, 'filter')).indexOf(filter.value) !== -1,
  };
};

const PAGE = /^0*([2-9]|[1-9][0-9]{1,8})$/;

/** The first number of a page after the first that a query has; what has none asks for the first one. */
export const parsePage = (rawQuery: string): number => {
  let page = 1;
  queryValues(rawQuery, 'page').forEach((value) => {
    const found = PAGE.exec(value.trim());
    if (page === 1 && found !== null) page = Number(found[1]);
  });
  return page;
};

const tokens = (values: readonly string[]): string[] =>
  values
    .join(',')
    .split(',')
    .map((token) => token.trim().toLowerCase().replace(/: +/, ':'));
