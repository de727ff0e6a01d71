// Whether the query of a list asks for its default, or for a page of that, in a function that can ask nobody: small enough
// for its limit. Which variant it is, and which page, is found with the file. Runtime-neutral, and written so that the
// oldest of the edge runtimes can run it.

import { parsePage, plainFilter } from '../paths/query.ts';
import { queryValues, trimmed } from '../paths/query-values.ts';

export type DefaultQuery = {
  /** Texts of the default order. */
  readonly orders: readonly string[];
  readonly fields: readonly string[];
  /** Tags and authors have no formats. */
  readonly hasFormats: boolean;
  /** In normal form; empty: the resource has none. */
  readonly filter: string;
};

type ReadQuery = {
  readonly query: string;
  readonly shape: DefaultQuery;
  /** The setting `lists.max`. */
  readonly max: number;
  /** Pages that are files; 0: all. */
  readonly pages: number;
};

export const isDefaultQuery = (asked: ReadQuery): boolean => {
  const query = asked.query;
  const shape = asked.shape;
  return (
    isHighest(first(query, 'limit'), asked.max) &&
    isPage(queryValues(query, 'page'), parsePage(query)) &&
    (asked.pages === 0 || parsePage(query) <= asked.pages) &&
    isWhole(query, shape.hasFormats) &&
    isUsual(queryValues(query, 'order').join(',').toLowerCase(), shape) &&
    isKnown(plainFilter(query), shape.filter)
  );
};

/** All of a record, in HTML. */
export const isWhole = (query: string, hasFormats: boolean): boolean =>
  tokens(query, 'fields').length === 0 && (!hasFormats || isHtml(tokens(query, 'formats')));

const first = (query: string, name: string): string => trimmed(queryValues(query, name)[0] || '');

const tokens = (query: string, name: string): string[] =>
  queryValues(query, name)
    .join(',')
    .toLowerCase()
    .split(',')
    .map(trimmed)
    .filter((token) => token !== '');

const DIGITS = /^[0-9]+$/;

/** Words and 0 are the highest limit. */
const isHighest = (text: string, max: number): boolean =>
  DIGITS.test(text) ? !(Number(text) > 0 && Number(text) < max) : !/^[+-]?[0-9]/.test(text);

/** The same page each time, of nine digits at most. */
const isPage = (values: readonly string[], page: number): boolean =>
  page < 1e9 &&
  values.map(trimmed).every((text) => /^[0-9]*$/.test(text) && (Number(text) || 1) === page);

const FORMATS = ['html', 'lexical', 'mobiledoc'];

const isHtml = (formats: readonly string[]): boolean =>
  formats.length === 0 ||
  (formats.indexOf('html') !== -1 && formats.every((format) => FORMATS.indexOf(format) !== -1));

/** Clauses without a direction, of fields that the resource has not, and of a field again count for nothing. */
const isUsual = (text: string, shape: DefaultQuery): boolean => {
  if (!/^[a-z0-9_,. ]*$/.test(text)) return false;
  const seen: string[] = [];
  const clauses = text
    .split(',')
    .map((clause) => clause.trim().replace(/ +/g, ' '))
    .filter((clause) => {
      const words = clause.split(' ');
      const field = words[0] || '';
      const isDirected = words.length === 2 && /^(?:asc|desc)$/.test(words[1] || '');
      const isCounted =
        isDirected && shape.fields.indexOf(field) !== -1 && seen.indexOf(field) === -1;
      if (isCounted) seen.push(field);
      return isCounted;
    });
  return clauses.length === 0 || shape.orders.indexOf(clauses.join(',')) !== -1;
};

const isKnown = (text: string | null, filter: string): boolean => text === '' || text === filter;
