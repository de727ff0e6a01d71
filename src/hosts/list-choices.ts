// The queries of lists that have files: declared ones and default lists, each with all the texts of its parameters that
// mean the same. Rules and edge code are made from these, so that no host reads a query in a way of its own.
import { combinationsOf } from '../paths/combinations.ts';
import type { DeclaredQuery } from '../paths/declared-queries.ts';
import { type Resource, SHAPES } from '../paths/endpoints.ts';
import type { ListPages } from '../paths/list-pages.ts';
import { normaliseListQuery } from '../queries/normal-query.ts';
import { isQueryProblem } from '../queries/query-problem.ts';
import type { HostQueries } from './host.ts';

/** A query that has files. */
export type Choice = {
  readonly resource: Resource;
  /** In alphabetical order. */
  readonly includes: readonly string[];
  readonly fields: readonly string[];
  /** Null: that of default lists. */
  readonly limit: number | null;
  /** In normal form, all that are sent in the same order; '' is none. */
  readonly orders: readonly string[];
  readonly formats: readonly string[];
  /** In normal form; null: none. */
  readonly filter: string | null;
  /** As in {@link DeclaredQuery}. */
  readonly pattern: DeclaredQuery['pattern'];
  readonly pages: ListPages;
  /** Null: a default list. */
  readonly name: string | null;
  /** Below the folder of the resource, without `.json`; the page is null for the first one. */
  readonly fileOf: (page: string | null, segment: string) => string;
};

/** Declared ones first. */
export const listChoices = (resource: Resource, queries: HostQueries): Choice[] =>
  [...declaredTargets(resource, queries), ...defaultTargets(resource, queries)].flatMap((target) =>
    choiceOf(resource, target, queries),
  );

type Target = Pick<Choice, 'pattern' | 'pages' | 'name' | 'fileOf'> & {
  readonly parameters: readonly (readonly [name: string, value: string])[];
};

const declaredTargets = (resource: Resource, { declared }: HostQueries): Target[] =>
  declared
    // Of several filters rules would see one.
    .filter((query) => query.resource === resource && !hasTwoFilters(query))
    .map(({ parameters, pattern, pages, name }) => ({
      parameters,
      pattern,
      pages,
      name,
      fileOf: (page, segment) =>
        `q/${name}${pattern === null ? '' : `/${segment}`}/${page === null ? 'index' : `page-${page}`}`,
    }));

export const hasTwoFilters = ({ parameters }: Pick<DeclaredQuery, 'parameters'>): boolean =>
  parameters.filter(([name]) => name === 'filter').length > 1;

/** The more special ones first. */
const defaultTargets = (resource: Resource, { listPages }: HostQueries): Target[] => {
  const seen = new Set<string>();
  return combinationsOf(resource, 'list')
    .filter(({ variant }) => !seen.has(variant) && seen.add(variant))
    .map(({ variant, parameters }) => ({
      parameters,
      pattern: null,
      pages: listPages,
      name: null,
      fileOf: (page) =>
        page === null ? variant : `page-${page}${variant === 'index' ? '' : `-${variant}`}`,
    }));
};

/** None for a query that no host could tell from another. */
const choiceOf = (resource: Resource, target: Target, { max }: HostQueries): Choice[] => {
  const { parameters, ...files } = target;
  const value = (name: string): string => parameters.find(([other]) => other === name)?.[1] ?? '';
  const values = (name: string): string[] => value(name).split(',').filter(Boolean);
  const place = { resource, parameters, max };
  const orders = ordersOf(place, value('order'));
  const formats = ['', 'html', 'plaintext', 'html,plaintext', 'lexical'].filter((text) =>
    meansSame(place, 'formats', text),
  );
  if (orders.length === 0 || formats.length === 0) return [];
  const includes = SHAPES[resource].includes.filter((one) => values('include').includes(one));
  return [
    {
      ...files,
      resource,
      includes,
      fields: values('fields').sort(),
      limit: Number(value('limit')) || null,
      orders,
      formats,
      filter: value('filter') || null,
    },
  ];
};

const DEFAULT_ORDERS: Readonly<Record<Resource, string>> = {
  posts: 'published_at desc',
  pages: 'title asc',
  tags: 'name asc',
  authors: 'name asc',
};

type Place = Pick<Target, 'parameters'> & { readonly resource: Resource; readonly max: number };

/** The order in its normal form, and with what changes nothing after it. */
const ordersOf = (place: Place, order: string): string[] => {
  const usual = DEFAULT_ORDERS[place.resource];
  const endings = [[], [usual], ['id asc'], ['id desc'], [usual, 'id asc'], [usual, 'id desc']];
  const texts = endings.map((ending) => [order, ...ending].filter(Boolean).join(','));
  return [...new Set(texts)].filter((text) => meansSame(place, 'order', text));
};

/** True when the query stays what it is with another text of one parameter. */
const meansSame = (place: Place, name: string, value: string): boolean => {
  const { resource, parameters, max } = place;
  const parsing = { max, nowMs: 0 };
  const others = parameters.filter(([other]) => other !== name);
  try {
    return (
      normaliseListQuery(resource, rawQueryOf([...others, [name, value]]), parsing) ===
      normaliseListQuery(resource, rawQueryOf(parameters), parsing)
    );
  } catch (error) {
    if (isQueryProblem(error)) return false;
    throw error;
  }
};

const rawQueryOf = (parameters: Target['parameters']): string =>
  parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
