// The query grammar of the content interface (decisions, Files): parameters in any order, repeated ones
// merged, values decoded, trimmed and lower-cased, everything unknown ignored. Runtime-neutral, and
// written so that the oldest of the edge runtimes can run it.

import type { QueryShape } from './endpoints.ts';
import { queryValues, trimmed } from './query-values.ts';

export type ContentQuery = {
  /** Known include values, in alphabetical order, each once. */
  readonly includes: readonly string[];
  readonly isFiltered: boolean;
};

export const parseQuery = (rawQuery: string, shape: QueryShape): ContentQuery => {
  const asked = tokens(queryValues(rawQuery, 'include'));
  const filter = shape.filter;
  return {
    includes: shape.includes.filter((include) => asked.indexOf(include) !== -1),
    isFiltered: filter !== null && plainFilter(rawQuery) === filter.value,
  };
};

/** The filter of a query without what means nothing in it: brackets, quotation marks, space. Empty: none; null: several. */
export const plainFilter = (rawQuery: string): string | null => {
  const texts = queryValues(rawQuery, 'filter')
    // The oldest njs finds what stands below only when it is called.
    .map((text) => withoutBrackets(text))
    .filter((text) => text !== '');
  const first = texts[0] || '';
  return texts.every((text) => text === first) ? first : null;
};

const withoutBrackets = (text: string): string => {
  let plain = trimmed(text);
  for (let inner = inBrackets(plain); inner !== ''; inner = inBrackets(plain)) plain = inner;
  return plain.replace(/:[\t-\r ]+/, ':').replace(/^([^:']*:)'([^']*)'$/, '$1$2');
};

/** Empty where there are none, and where nothing stands in them, which is no filter. */
const inBrackets = (text: string): string =>
  text.charAt(0) === '(' && text.charAt(text.length - 1) === ')' ? trimmed(text.slice(1, -1)) : '';

const PAGE = /^0*([2-9]|[1-9][0-9]+)$/;

/** The first number of a page after the first that a query has; what has none asks for the first one. */
export const parsePage = (rawQuery: string): number => {
  let page = 1;
  queryValues(rawQuery, 'page').forEach((value) => {
    const found = PAGE.exec(trimmed(value));
    if (page === 1 && found !== null) page = Number(found[1]);
  });
  return page;
};

const tokens = (values: readonly string[]): string[] =>
  values
    .join(',')
    .split(',')
    .map((token) => trimmed(token).toLowerCase());
