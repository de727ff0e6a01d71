// The setting `queries`: reads what was written into declared queries in normal form. What a query means depends on
// `lists.max`, so that is done when all settings are known; what is wrong with one is said before.
import * as z from 'zod';
import {
  DECLARED_PARAMETERS,
  type DeclaredParameter,
  type DeclaredQuery,
  declaredName,
} from '../paths/declared-queries.ts';
import { RESOURCES } from '../paths/endpoints.ts';
import type { ListPages } from '../paths/list-pages.ts';
import { type ListQuery, parseListQuery } from '../queries/list-query.ts';
import { findDefaultList, normaliseListQuery } from '../queries/normal-query.ts';
import { isQueryProblem } from '../queries/query-problem.ts';
import type { ListResource } from '../queries/resource.ts';
import { findSlugPattern } from '../queries/slug-pattern.ts';
import type { Config } from './settings.ts';

/** As the settings file has it, checked. */
export type WrittenQuery = {
  readonly resource: ListResource;
  /** Without `page`. */
  readonly rawQuery: string;
  readonly pages: ListPages;
};

export type DeclaredQueries = {
  /** Each once, ordered by resource and name. */
  readonly queries: readonly DeclaredQuery[];
  /** Those that equal a default list, which is a file anyway. */
  readonly needless: readonly WrittenQuery[];
};

const isPages = (value: unknown): boolean =>
  value === 'all' || (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 100_000);

const list = z.union([z.string(), z.array(z.string())], 'must be text or a list of texts');
const written = z.strictObject({
  resource: z.enum(['posts', 'pages', 'tags', 'authors'], 'must be posts, pages, tags or authors'),
  fields: list.optional(),
  filter: z.string('must be text').optional(),
  formats: list.optional(),
  include: list.optional(),
  limit: z.union([z.string(), z.int()], 'must be a whole number or "all"').optional(),
  order: list.optional(),
  pages: z
    .custom<ListPages>(isPages, 'must be "all" or a whole number from 1 to 100000')
    .default(1),
});

type Written = z.output<typeof written>;

const rawQueryOf = (query: Written): string =>
  DECLARED_PARAMETERS.flatMap((name) => {
    const value = query[name];
    return value === undefined ? [] : [`${name}=${encodeURIComponent(String(value))}`];
  }).join('&');

/** Two instants between which a filter differs if it names a time relative to now. */
const INSTANTS = [Date.UTC(2001, 0, 1), Date.UTC(2002, 1, 2)] as const;
const LIMIT_MAX = 100_000;

/** What is wrong with a query that can be read; null: nothing. */
export const findQueryFault = (resource: ListResource, rawQuery: string): string | null => {
  try {
    const [one, other] = INSTANTS.map((nowMs) =>
      parseListQuery(resource, rawQuery, { max: LIMIT_MAX, nowMs }),
    );
    if (JSON.stringify(one) !== JSON.stringify(other)) {
      return 'its answer changes with the time, since the filter is relative to now';
    }
    const pattern = one?.filter ? findSlugPattern(one.filter) : null;
    return pattern === 'misplaced'
      ? '{slug} can stand once, for a tag or an author that all records must have: tag:{slug}'
      : null;
  } catch (error) {
    if (isQueryProblem(error)) return error.message.replace(/^[^:]*: /, '').replace(/\.$/, '');
    throw error;
  }
};

/** The whole setting. Its messages name the query, and what is wrong with it. */
export const declaredQueries = z
  .preprocess(
    (value) => (typeof value === 'string' ? parsed(value) : value),
    z.array(z.unknown(), 'must be a list of queries such as {"resource": "posts", "limit": 5}'),
  )
  .transform((items, context) =>
    items.flatMap((item, at): WrittenQuery[] => {
      const read = written.safeParse(item);
      const query = read.success ? writtenQuery(read.data) : null;
      const fault =
        query === null ? shapeFault(read.error) : findQueryFault(query.resource, query.rawQuery);
      if (fault === null) return query === null ? [] : [query];
      const message = `query ${at + 1}, ${shownItem(item)}, cannot be declared: ${fault}`;
      context.addIssue({ code: 'custom', message });
      return [];
    }),
  );

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const writtenQuery = (query: Written): WrittenQuery => ({
  resource: query.resource,
  rawQuery: rawQueryOf(query),
  pages: query.pages,
});

const shapeFault = (error: z.ZodError | undefined): string => {
  const issue = error?.issues[0];
  if (issue === undefined) return 'it cannot be read';
  if (issue.code === 'unrecognized_keys') {
    const known = Object.keys(written.shape).join(', ');
    return `${JSON.stringify(issue.keys[0])} is not a part of a query; its parts are ${known}`;
  }
  const place = issue.path.join('.');
  return place === ''
    ? 'it must be an object such as {"resource": "posts"}'
    : `${place} ${issue.message}`;
};

const SHOWN_UNITS_MAX = 120;

const shownItem = (item: unknown): string => {
  const text = JSON.stringify(item) ?? 'nothing';
  return text.length > SHOWN_UNITS_MAX ? `${text.slice(0, SHOWN_UNITS_MAX)}...` : text;
};

/** What the settings declare. */
export const declaredQueriesOf = (
  config: Pick<Config, 'queries' | 'lists.max'>,
): DeclaredQueries => {
  const max = config['lists.max'];
  const found = config.queries.map((query) => ({ query, declared: declareQuery(query, max) }));
  const byKey = new Map<string, DeclaredQuery>();
  for (const { declared } of found) {
    if (declared === null) continue;
    const key = `${declared.resource}/${declared.name}`;
    const pages = morePages(declared.pages, byKey.get(key)?.pages ?? 1);
    byKey.set(key, { ...declared, pages });
  }
  return {
    queries: [...byKey.values()].sort(compareDeclared),
    needless: found.filter(({ declared }) => declared === null).map(({ query }) => query),
  };
};

const compareDeclared = (a: DeclaredQuery, b: DeclaredQuery): number =>
  RESOURCES.indexOf(a.resource) - RESOURCES.indexOf(b.resource) || (a.name < b.name ? -1 : 1);

const morePages = (one: ListPages, other: ListPages): ListPages =>
  one === 'all' || other === 'all' ? 'all' : Math.max(one, other);

/** Null for a query that equals a default list. */
export const declareQuery = (
  { resource, rawQuery, pages }: WrittenQuery,
  max: number,
): DeclaredQuery | null => {
  const parsing = { max, nowMs: 0 };
  const query = parseListQuery(resource, rawQuery, parsing);
  if (findDefaultList(resource, query, max) !== null) return null;
  const parameters = parametersOf(normaliseListQuery(resource, rawQuery, parsing));
  const pattern = patternOf(query);
  return { resource, parameters, pattern, pages, name: declaredName({ parameters }) };
};

const patternOf = ({ filter }: ListQuery): DeclaredQuery['pattern'] => {
  const pattern = filter === null ? null : findSlugPattern(filter);
  return pattern === 'misplaced' ? null : pattern;
};

const parametersOf = (normal: string): DeclaredQuery['parameters'] =>
  normal.split('&').map((pair) => {
    const at = pair.indexOf('=');
    const value = decodeURIComponent(pair.slice(at + 1)).replace("'{slug}'", '{slug}');
    return [pair.slice(0, at) as DeclaredParameter, value] as const;
  });

/** The raw query of a declared one, with `{slug}` as it stands. */
export const rawQueryOfDeclared = ({ parameters }: Pick<DeclaredQuery, 'parameters'>): string =>
  parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
