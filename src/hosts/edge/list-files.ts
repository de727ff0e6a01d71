// Which queries of lists have files, for a function that can ask nobody: small enough for its limit. Runtime-neutral, and
// written so that the oldest of the edge runtimes can run it.
import { queryValues } from '../../base/query-values.ts';
import { isPatternSlug, SLUG_PATTERN } from '../../paths/declared-queries.ts';

/** A query that has files, in texts of normal form; without names, of which a function has no room for many. */
export type EdgeList = readonly [
  /** Fields, limit and include, joined; include is `*` for default lists, which have a file for each. */
  key: string,
  filter: string,
  /** Where `{slug}` is looked up; 0: there is none. */
  slugs: 'tags' | 'authors' | 0,
  orders: readonly string[],
  /** 0: any. */
  formats: readonly string[] | 0,
  /** How many pages; 0: all. */
  pages: number,
  /** Folder of its files; empty: the default list that has these parameters. */
  name: string,
];

type Asked = {
  readonly lists: readonly EdgeList[];
  readonly max: number;
  readonly query: string;
  /** Known values. */
  readonly includes: readonly string[];
  readonly segmentOf: (resource: string, slug: string) => string;
};

/** Below the folder of the resource; empty: the default list. Null: the query is undeclared. */
export const findListFile = (asked: Asked): string | null => {
  const query = asked.query;
  const limit = limitOf(firstValue(query, 'limit'), asked.max);
  const page = pageOf(queryValues(query, 'page'));
  const filter = filterOf(query);
  if (limit === null || page === null || filter === null) return null;
  const key = `${tokens(query, 'fields')}&${limit}&`;
  const order = orderOf(query);
  const formats = tokens(query, 'formats');
  const keys = [`${key}*`, key + asked.includes.join(',')];
  for (let at = 0; at < asked.lists.length; at += 1) {
    const list = asked.lists[at] as EdgeList;
    const isAsked =
      keys.indexOf(list[0]) !== -1 &&
      list[3].indexOf(order) !== -1 &&
      (list[4] === 0 || list[4].indexOf(formats) !== -1) &&
      (list[5] === 0 || page <= list[5]);
    const segment = isAsked ? segmentIn(list, filter, asked.segmentOf) : null;
    if (segment !== null) return list[6] && fileOf(list[6], segment, page);
  }
  return null;
};

const fileOf = (name: string, segment: string, page: number): string =>
  `q/${name}/${segment}${page === 1 ? 'index' : `page-${page}`}.json`;

/** The folder of the slug that the filter has, with its slash; null for another filter. */
const segmentIn = (
  list: EdgeList,
  filter: string,
  segmentOf: Asked['segmentOf'],
): string | null => {
  const pattern = list[1];
  if (list[2] === 0) return filter === pattern ? '' : null;
  const at = pattern.indexOf(SLUG_PATTERN);
  const end = pattern.slice(at + SLUG_PATTERN.length);
  const slug = filter.slice(at, filter.length - end.length);
  if (filter !== pattern.slice(0, at) + slug + end || !isPatternSlug(slug)) return null;
  return `${segmentOf(list[2], slug)}/`;
};

const firstValue = (query: string, name: string): string => {
  const value = queryValues(query, name)[0];
  return value === undefined ? '' : value.trim();
};

const tokens = (query: string, name: string): string =>
  queryValues(query, name)
    .join(',')
    .toLowerCase()
    .split(',')
    .map((token) => token.trim())
    .sort()
    .filter((token, at, all) => token !== '' && token !== all[at - 1])
    .join(',');

const DIGITS = /^[0-9]+$/;

/** Empty: that of default lists. Null for what begins like a number and is none. */
const limitOf = (text: string, max: number): string | null => {
  if (!DIGITS.test(text)) return /^[+-]?[0-9]/.test(text) ? null : '';
  const limit = Number(text) || max;
  return limit < max ? String(limit) : '';
};

/** Null also for several: the files of default lists are found by another of them than the executor reads. */
const pageOf = (values: readonly string[]): number | null => {
  const text = values.join('&').trim();
  return text !== '' && !DIGITS.test(text) ? null : Number(text) || 1;
};

const orderOf = (query: string): string =>
  queryValues(query, 'order')
    .join(',')
    .toLowerCase()
    .split(',')
    .map((clause) => clause.trim().replace(/ +/g, ' '))
    .join(',');

/** Empty: none. Null for several, and for what has space where it would mean something. */
const filterOf = (query: string): string | null => {
  const texts = queryValues(query, 'filter')
    .map((text) => text.trim())
    .filter((text) => text !== '');
  // What stands between quotation marks is kept.
  const parts = (texts[0] || '')
    .split("'")
    .map((part, at) =>
      at % 2 === 1 ? part : part.replace(/\s+/g, ' ').replace(SIGN, '$1').replace(COLON, ':$1$2'),
    );
  const isRead =
    texts.length < 2 && parts.every((part, at) => at % 2 === 1 || part.indexOf(' ') === -1);
  return isRead ? parts.join("'") : null;
};

/** With space that means nothing. */
const SIGN = / ?([+,()[\]]) ?/g;
const COLON = /: ?(-?) ?([<>]=?|~[\^$]?|) ?/g;
