// One text for all queries that mean the same: for logs of what was asked, and for keys of caches. And which queries
// ask for a default list, which is a file of the content tree (decisions, Queries). Runtime-neutral, and written so
// that the oldest of the edge runtimes can run it.
import { listedSlugs, partsOf } from './condition.ts';
import type { Filter } from './filter.ts';
import { compileFilter } from './filter-fields.ts';
import {
  filterTexts,
  type ListQuery,
  type ParseOptions,
  parseListQuery,
  type RecordShape,
  TIERS,
} from './list-query.ts';
import { isDefaultOrder, type OrderClause, type OrderField } from './order.ts';
import type { ListResource } from './resource.ts';

/**
 * A raw query with parameters in alphabetical order, lists in alphabetical order, and without what is a default; times
 * relative to now stay as they are written. Empty for the first page of a default list. Tiers are left out: no file is
 * written with them. Throws a QueryProblem.
 */
export const normaliseListQuery = (
  resource: ListResource,
  rawQuery: string,
  options: ParseOptions,
): string => {
  const query = parseListQuery(resource, rawQuery, options);
  const pairs: string[] = [];
  const add = (name: string, value: string): void => {
    if (value !== '') pairs.push(`${name}=${encode(value)}`);
  };
  add('fields', query.fields === null ? '' : query.fields.join(','));
  filterTexts(rawQuery)
    .map(compactFilter)
    .forEach((text) => {
      add('filter', text);
    });
  add('formats', formatsOf(query));
  add('include', fileIncludes(query).join(','));
  add('limit', query.limit === options.max ? '' : String(query.limit));
  const order = shortOrder(resource, query.order);
  add('order', isOrderSaid(resource, query) ? order.map(clauseText).join(',') : '');
  add('page', query.page === 1 ? '' : String(query.page));
  return pairs.join('&');
};

/** The default order has to be said where slugs that are listed would be another one. */
const isOrderSaid = (resource: ListResource, query: ListQuery): boolean => {
  if (!isDefaultOrder(resource, shortOrder(resource, query.order))) return true;
  if (query.filter === null) return false;
  return listedSlugs(partsOf(compileFilter(resource, query.filter))) !== null;
};

/** Without clauses that change nothing. */
const shortOrder = (resource: ListResource, all: readonly OrderClause[]): OrderClause[] => {
  const clauses = withoutId(untilTotal(all));
  const last = clauses[clauses.length - 1];
  const before = clauses[clauses.length - 2];
  // As the last one, published_at would mean the id as well.
  const isSaid = before === undefined || before.field === 'published_at';
  return isSaid || last === undefined || !isDefaultOrder(resource, [last])
    ? clauses
    : clauses.slice(0, -1);
};

/** By these no two records are equal; title and name mean the id as well. */
const TOTAL: readonly OrderField[] = ['title', 'name', 'slug', 'id'];

/** Each field once, and none after one by which no two records are equal. */
const untilTotal = (all: readonly OrderClause[]): OrderClause[] => {
  const cut: OrderClause[] = [];
  all.forEach((clause) => {
    if (cut.every((one) => one.field !== clause.field && TOTAL.indexOf(one.field) === -1))
      cut.push(clause);
  });
  return cut;
};

/** A last published_at means the id as well. */
const withoutId = (clauses: OrderClause[]): OrderClause[] => {
  const last = clauses[clauses.length - 1];
  const before = clauses[clauses.length - 2];
  if (last === undefined || before === undefined) return clauses;
  const isMeant = last.field === 'id' && before.field === 'published_at';
  return isMeant && last.isDown === before.isDown ? clauses.slice(0, -1) : clauses;
};

const clauseText = (clause: OrderClause): string =>
  `${clause.field} ${clause.isDown ? 'desc' : 'asc'}`;

/** What `fields` asks for by itself is not said again. */
const formatsOf = (query: ListQuery): string => {
  const fields = query.fields;
  const isNamed = (format: string): boolean =>
    fields === null ? format === 'html' : fields.indexOf(format) !== -1;
  if (query.hasHtml === isNamed('html') && query.hasPlaintext === isNamed('plaintext')) return '';
  if (query.hasHtml) return query.hasPlaintext ? 'html,plaintext' : 'html';
  // Without any format, one that is never sent has to stand there.
  return query.hasPlaintext ? 'plaintext' : 'lexical';
};

/** Only signs that have a meaning in a raw query are written as codes. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/%2C/g, ',').replace(/%3A/g, ':');

/** Without the space that means nothing: outside of quotation marks, and not behind a backslash. */
const compactFilter = (text: string): string => {
  let compact = '';
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    const before = text.charAt(at - 1);
    if (character === "'" && before !== '\\') isQuoted = !isQuoted;
    if (isQuoted || before === '\\' || !/\s/.test(character)) compact += character;
  }
  return compact;
};

export type DefaultList = {
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

/** What is included in files. */
export const fileIncludes = (shape: RecordShape): string[] =>
  shape.includes.filter((include) => include !== TIERS);

export const hasTiers = (shape: RecordShape): boolean => shape.includes.indexOf(TIERS) !== -1;

/** Files hold nothing but whole records. */
export const isWholeShape = (shape: RecordShape): boolean =>
  shape.fields === null && shape.hasHtml && !shape.hasPlaintext;

const isPublicFilter = (filter: Filter): boolean =>
  filter.kind === 'compare' &&
  filter.field === 'visibility' &&
  filter.operator === '=' &&
  filter.value === 'public';
