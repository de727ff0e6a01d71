// Whether the query of a list asks for its default, or for a page of that, in a function that can ask nobody: small enough
// for its limit. Which variant it is, and which page, is found with the file. Runtime-neutral, and written so that the
// oldest of the edge runtimes can run it.
import { queryValues } from '../../base/query-values.ts';
import { parsePage } from '../../paths/query.ts';

export type DefaultQuery = {
  /** Texts of the default order. */
  readonly orders: readonly string[];
  readonly fields: readonly string[];
  /** Tags and authors have no formats. */
  readonly hasFormats: boolean;
  /** In normal form; empty: the resource has none. */
  readonly filter: string;
};

type Asked = {
  readonly query: string;
  readonly shape: DefaultQuery;
  /** The setting `lists.max`. */
  readonly max: number;
  /** Pages that are files; 0: all. */
  readonly pages: number;
};

export const isDefaultQuery = (asked: Asked): boolean => {
  const query = asked.query;
  const shape = asked.shape;
  return (
    isHighest(first(query, 'limit'), asked.max) &&
    isPage(queryValues(query, 'page')) &&
    (asked.pages === 0 || parsePage(query) <= asked.pages) &&
    isWhole(query, shape.hasFormats) &&
    isUsual(queryValues(query, 'order').join(',').toLowerCase(), shape) &&
    isKnown(queryValues(query, 'filter'), shape.filter)
  );
};

/** All of a record, in HTML. */
export const isWhole = (query: string, hasFormats: boolean): boolean =>
  tokens(query, 'fields').length === 0 && (!hasFormats || isHtml(tokens(query, 'formats')));

const first = (query: string, name: string): string => {
  const value = queryValues(query, name)[0];
  return value === undefined ? '' : value.trim();
};

const tokens = (query: string, name: string): string[] =>
  queryValues(query, name)
    .join(',')
    .toLowerCase()
    .split(',')
    .map((token) => token.trim())
    .filter((token) => token !== '');

const DIGITS = /^[0-9]+$/;

/** Words and 0 are the highest limit. */
const isHighest = (text: string, max: number): boolean =>
  DIGITS.test(text) ? !(Number(text) > 0 && Number(text) < max) : !/^[+-]?[0-9]/.test(text);

const isPage = (values: readonly string[]): boolean => {
  const text = values.join('&').trim();
  return text === '' || DIGITS.test(text);
};

const FORMATS = ['html', 'lexical', 'mobiledoc'];

const isHtml = (formats: readonly string[]): boolean =>
  formats.length === 0 ||
  (formats.indexOf('html') !== -1 && formats.every((format) => FORMATS.indexOf(format) !== -1));

/** Clauses without a direction, and of fields that the resource has not, count for nothing. */
const isUsual = (text: string, shape: DefaultQuery): boolean => {
  if (!/^[a-z0-9_,. ]*$/.test(text)) return false;
  const clauses = text
    .split(',')
    .map((clause) => clause.trim().replace(/ +/g, ' '))
    .filter((clause) => {
      const words = clause.split(' ');
      const isDirected = words.length === 2 && /^(?:asc|desc)$/.test(words[1] || '');
      return isDirected && shape.fields.indexOf(words[0] || '') !== -1;
    });
  return clauses.length === 0 || shape.orders.indexOf(clauses.join(',')) !== -1;
};

/** Not several, of which all count. */
const isKnown = (values: readonly string[], filter: string): boolean => {
  const texts = values.map((text) => text.trim()).filter((text) => text !== '');
  const text = (texts[0] || '').replace(/: +/, ':');
  return texts.length < 2 && (text === '' || text === filter);
};
