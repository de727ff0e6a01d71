// What a client asks of a list or a record: a raw query read into a value, with defaults filled in (facts 1.2 and 2;
// decisions, Content and Queries). Repeated parameters are merged; of `limit` and `page` the first one counts. Runtime-
// neutral, and written so that the oldest of the edge runtimes can run it.
import { FILTER_CHARACTERS_MAX, PAGE_MAX } from '../../base/limits.ts';
import { queryValues, trimmed } from '../paths/query-values.ts';
import { type Filter, parseFilter } from './filter.ts';
import { compileFilter } from './filter-fields.ts';
import { type OrderClause, parseOrder } from './order.ts';
import { createQueryProblem, type QueryProblem, shownName } from './query-problem.ts';
import { isTermsName, type ListResource } from './resource.ts';

/** The one value of `include` that no file is written with. Trees in Ghost's shape alone have tiers; others ignore it. */
export const TIERS = 'tiers';

/** What an answer holds of each record. */
export type RecordShape = {
  /** Known values, in alphabetical order, each once. */
  readonly includes: readonly string[];
  /** Names of keys in small letters, in alphabetical order, each once; null: all keys. */
  readonly fields: readonly string[] | null;
  readonly hasHtml: boolean;
  readonly hasPlaintext: boolean;
};

export type ListQuery = RecordShape & {
  /** At least 1. */
  readonly limit: number;
  /** At least 1. */
  readonly page: number;
  /** Empty: the default order, or that of slugs that the filter lists. */
  readonly order: readonly OrderClause[];
  readonly filter: Filter | null;
};

export type ParseOptions = {
  /** The setting `lists.max`: the default of `limit`, and the most it can be. */
  readonly max: number;
  readonly nowMs: number;
};

/** Throws a QueryProblem. */
export const parseListQuery = (
  resource: ListResource,
  rawQuery: string,
  options: ParseOptions,
): ListQuery => {
  const reader: Reader = { resource, rawQuery, action: `list ${resource}` };
  const shape = parseShape(reader);
  return Object.assign(shape, {
    limit: parseNumber(reader, 'limit', options.max),
    page: parseNumber(reader, 'page', PAGE_MAX),
    order: readOrder(reader, shape.includes),
    filter: readFilter(reader, options.nowMs),
  });
};

/** Of a read by id or slug: only the shape can be asked for. Throws a QueryProblem. */
export const parseRecordQuery = (resource: ListResource, rawQuery: string): RecordShape =>
  parseShape({ resource, rawQuery, action: `read ${resource.slice(0, -1)}` });

type Reader = {
  readonly resource: ListResource;
  readonly rawQuery: string;
  readonly action: string;
};

const COLLECTION_INCLUDES: readonly string[] = ['authors', 'tags', TIERS];
const TERM_INCLUDES: readonly string[] = ['count.posts'];
const FORMAT = /^(?:html|plaintext|mobiledoc|lexical)$/;

/**
 * A format is sent when it is named by `formats`, or, without `formats`, by `fields`; without both it is html. So
 * `fields` leaves out no format that was asked for, as in Ghost.
 */
const parseShape = (reader: Reader): RecordShape => {
  const isTerms = isTermsName(reader.resource);
  const asked = tokens(reader, 'include');
  const known = isTerms ? TERM_INCLUDES : COLLECTION_INCLUDES;
  const fields = tokens(reader, 'fields');
  const formats = isTerms ? [] : tokens(reader, 'formats');
  if (!formats.every((format) => FORMAT.test(format))) {
    throw invalid(reader, 'formats', `can be html and plaintext, got ${shownName(formats.join())}`);
  }
  const named = formats.length > 0 ? formats : fields.length > 0 ? fields : ['html'];
  return {
    includes: known.filter((include) => asked.indexOf(include) >= 0),
    fields: fields.length > 0 ? fields : null,
    hasHtml: named.indexOf('html') >= 0,
    hasPlaintext: !isTerms && named.indexOf('plaintext') >= 0,
  };
};

/** Values of a list, in alphabetical order, each once. */
const tokens = (reader: Reader, name: string): string[] =>
  queryValues(reader.rawQuery, name)
    .join(',')
    .split(',')
    .map((token) => trimmed(token).toLowerCase())
    .sort()
    .filter((token, at, all) => token && token !== all[at - 1]);

/** The most a number can be is also what stands for none, but for that of the first page. */
const parseNumber = (reader: Reader, name: 'limit' | 'page', max: number): number => {
  const text = trimmed(queryValues(reader.rawQuery, name)[0] || '');
  const absent = name === 'limit' ? max : 1;
  if (/^[0-9]+$/.test(text)) return Math.min(Number(text) || absent, max);
  // A limit can be a word; what begins like a number is meant as one.
  const isRefused = name === 'limit' ? /^[+-]?[0-9]/ : /./;
  if (!isRefused.test(text)) return absent;
  const orAll = name === 'limit' ? ', or "all"' : '';
  throw invalid(reader, name, `must be 1 or more${orAll}, got ${shownName(text)}`);
};

const readOrder = (reader: Reader, includes: readonly string[]): OrderClause[] => {
  const text = queryValues(reader.rawQuery, 'order').join(',');
  const order = parseOrder(reader.resource, text, includes);
  if (order !== null) return order;
  throw invalid(reader, 'order', `must be such as "title asc", got ${shownName(text)}`);
};

/** Of several filters all must hold; empty ones are none. */
const readFilter = (reader: Reader, nowMs: number): Filter | null => {
  const texts = queryValues(reader.rawQuery, 'filter').map(trimmed);
  const parts = texts.filter(Boolean).map((text) => {
    const filter =
      text.length > FILTER_CHARACTERS_MAX
        ? `is longer than ${FILTER_CHARACTERS_MAX} characters`
        : parseFilter(text, nowMs);
    if (typeof filter === 'string') throw invalid(reader, 'filter', filter, 'Error parsing filter');
    return filter;
  });
  const filter: Filter | undefined = parts.length > 1 ? { kind: 'all', parts } : parts[0];
  if (filter) compileFilter(reader.resource, filter);
  return filter || null;
};

const invalid = (
  reader: Reader,
  property: string,
  reason: string,
  context?: string,
): QueryProblem =>
  createQueryProblem({ action: reader.action, property, reason: `${property} ${reason}`, context });
