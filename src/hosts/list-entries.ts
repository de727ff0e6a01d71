// Which file the signature of a list's query names: that of a declared query or of a default list, by all tokens that mean
// the same. What has no entry is undeclared.
import { combinationsOf } from '../paths/combinations.ts';
import { type DeclaredQuery, UNKNOWN_SEGMENT } from '../paths/declared-queries.ts';
import { RESOURCES, type Resource, SHAPES } from '../paths/endpoints.ts';
import type { ListPages } from '../paths/list-pages.ts';
import { normaliseListQuery } from '../queries/normal-query.ts';
import { isQueryProblem } from '../queries/query-problem.ts';
import type { HostQueries, HostSite } from './host.ts';
import {
  type FilterText,
  FORMATS,
  findPattern,
  type Texts,
  tokenOfInclude,
  tokenOfLimit,
} from './list-questions.ts';
import { numbersTo } from './number-ranges.ts';
import { textPattern } from './spellings.ts';

export type Entry = {
  /** Regular expression of the whole signature; its groups are the page, and then the name of a slug. */
  readonly pattern: string;
  /** Below the folder of the resource, without `.json`. `{1}` is the first group. */
  readonly file: string;
  /** What is sent where there is no such file, since no tag or author has the slug. */
  readonly unknown: string | null;
};

type ListsSite = Pick<HostSite, 'names' | 'queries'>;

/** A query and its files. */
type Target = {
  readonly parameters: readonly (readonly [name: string, value: string])[];
  readonly pattern: DeclaredQuery['pattern'];
  readonly pages: ListPages;
  readonly fileOf: (page: string | null, segment: string) => string;
};

/** The texts that files are kept for, of all resources. */
export const textsOf = (queries: HostQueries): Texts => {
  const targets = RESOURCES.flatMap((resource) =>
    targetsOf(resource, queries).map((target) => ({ resource, target })),
  );
  const values = (name: string): string[] =>
    targets.flatMap(({ target }) => valuesOf(target, name));
  return {
    limits: unique(values('limit').map(Number)),
    orders: unique(targets.flatMap((asked) => ordersOf({ ...asked, max: queries.max }))).filter(
      (text) => text !== '',
    ),
    filters: withoutInstances(
      unique(values('filter')).map((text) => ({ text, slugs: slugsOf(targets, text) })),
    ),
    fields: unique(values('fields').flatMap((text) => text.split(','))).sort(),
  };
};

const withoutInstances = (filters: readonly FilterText[]): FilterText[] =>
  filters.filter(({ text, slugs }) => slugs !== null || findPattern({ filters }, text) === null);

const slugsOf = (
  targets: readonly { readonly target: Target }[],
  text: string,
): 'tags' | 'authors' | null => {
  const pattern = targets.find(({ target }) => valuesOf(target, 'filter').includes(text))?.target
    .pattern;
  if (!pattern) return null;
  return pattern === 'tag' ? 'tags' : 'authors';
};

export const listEntries = (resource: Resource, site: ListsSite, texts: Texts): Entry[] => {
  const { names, queries } = site;
  const places = (targets: readonly Target[]): Place[] =>
    targets.map((target) => ({ resource, target, names, max: queries.max }));
  const strict = (place: Place): Entry[] => entriesOf(place, texts);
  const defaults = places(defaultTargets(resource, queries));
  return [
    ...places(declaredTargets(resource, queries)).flatMap(strict),
    ...(queries.undeclared === 'ignore'
      ? defaults.flatMap((place) => looseEntries(place, texts))
      : defaults.flatMap(strict)),
  ];
};

const targetsOf = (resource: Resource, queries: HostQueries): Target[] => [
  ...declaredTargets(resource, queries),
  ...defaultTargets(resource, queries),
];

const declaredTargets = (resource: Resource, { declared }: HostQueries): Target[] =>
  declared
    // Of several filters rules would see one.
    .filter((query) => query.resource === resource && !hasTwoFilters(query))
    .map(
      ({ parameters, pattern, pages, name }): Target => ({
        parameters,
        pattern,
        pages,
        fileOf: (page, segment) =>
          `q/${name}${pattern === null ? '' : `/${segment}`}/${page === null ? 'index' : `page-${page}`}`,
      }),
    );

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
      fileOf: (page) =>
        page === null ? variant : `page-${page}${variant === 'index' ? '' : `-${variant}`}`,
    }));
};

type Place = Pick<HostSite, 'names'> & {
  readonly resource: Resource;
  readonly target: Target;
  readonly max: number;
};

const entriesOf = (place: Place, texts: Texts): Entry[] => {
  const { resource, target } = place;
  const [limit] = valuesOf(target, 'limit');
  const [fields = ''] = valuesOf(target, 'fields');
  const orders = ordersOf(place);
  const formats = formatsOf(place);
  if (orders.length === 0 || formats.length === 0) return [];
  const tokens = [
    limit === undefined ? '' : tokenOfLimit(Number(limit)),
    oneOf(orders.map((text) => (text === '' ? '' : `_o${texts.orders.indexOf(text)}`))),
    oneOf(formats),
    texts.fields.map((field, at) => (fields.split(',').includes(field) ? `_d${at}` : '')).join(''),
    filterToken(place, texts),
  ].join('');
  const includes = includeTokens(resource, target);
  const ofPage = (page: string): Entry => entryOf(target, `^${includes}${page}${tokens}$`);
  const further = target.pages === 'all' ? '[0-9]+' : numbersTo(target.pages);
  return further === null ? [ofPage('')] : [ofPage(`_p(${further})`), ofPage('')];
};

const entryOf = (target: Target, pattern: string): Entry => {
  const page = pattern.includes('_p(') ? '{1}' : null;
  const segment = page === null ? '{1}' : '{2}';
  return {
    pattern,
    file: target.fileOf(page, segment),
    unknown: target.pattern === null ? null : target.fileOf(page, UNKNOWN_SEGMENT),
  };
};

const filterToken = ({ target, names }: Pick<Place, 'target' | 'names'>, texts: Texts): string => {
  const [filter] = valuesOf(target, 'filter');
  if (filter === undefined) return '';
  const at = texts.filters.findIndex(({ text }) => text === filter);
  if (at !== -1) return `_f${at}${target.pattern === null ? '' : '[.](.+)'}`;
  const found = findPattern(texts, filter);
  if (found === null) throw new Error(`Nobody asks for the filter ${filter}.`);
  const { pattern, slug } = found;
  const stored = names.find((name) => name.resource === pattern.slugs && name.slug === slug);
  return `_f${texts.filters.indexOf(pattern)}[.]${textPattern(stored?.segment ?? slug)}`;
};

const includeTokens = (resource: Resource, target: Target): string => {
  const asked = valuesOf(target, 'include').join(',').split(',');
  const { includes } = SHAPES[resource];
  return includes
    .filter((include) => asked.includes(include))
    .map(tokenOfInclude)
    .join('');
};

/** As if the query had no other parameters. */
const looseEntries = (place: Place, texts: Texts): Entry[] => {
  const { resource, target } = place;
  const includes = includeTokens(resource, target);
  const rest = `(?:_.*)?${filterToken(place, texts)}`;
  const page = target.pages === 1 ? [] : [entryOf(target, `^${includes}_p([0-9]+)${rest}$`)];
  return [...page, entryOf(target, `^${includes}${rest}$`)];
};

const DEFAULT_ORDERS: Readonly<Record<Resource, string>> = {
  posts: 'published_at desc',
  pages: 'title asc',
  tags: 'name asc',
  authors: 'name asc',
};

/** The order in its normal form, and with what changes nothing after it. */
const ordersOf = (place: Omit<Place, 'names'>): string[] => {
  const [order = ''] = valuesOf(place.target, 'order');
  const usual = DEFAULT_ORDERS[place.resource];
  const endings = [[], [usual], ['id asc'], ['id desc'], [usual, 'id asc'], [usual, 'id desc']];
  return unique(
    endings.map((ending) => [order, ...ending].filter((clause) => clause !== '').join(',')),
  ).filter((text) => meansSame(place, 'order', text));
};

const formatsOf = (place: Omit<Place, 'names'>): string[] => [
  ...(meansSame(place, 'formats', '') ? [''] : []),
  ...FORMATS.filter(([[text = '']]) => meansSame(place, 'formats', text)).map(([, token]) => token),
];

/** True when the query stays what it is with another text of one parameter. */
const meansSame = (
  { resource, target, max }: Omit<Place, 'names'>,
  name: string,
  value: string,
): boolean => {
  const parsing = { max, nowMs: 0 };
  const others = target.parameters.filter(([other]) => other !== name);
  try {
    return (
      normaliseListQuery(resource, rawQueryOf([...others, [name, value]]), parsing) ===
      normaliseListQuery(resource, rawQueryOf(target.parameters), parsing)
    );
  } catch (error) {
    if (isQueryProblem(error)) return false;
    throw error;
  }
};

const rawQueryOf = (parameters: Target['parameters']): string =>
  parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');

const valuesOf = ({ parameters }: Pick<Target, 'parameters'>, name: string): string[] =>
  parameters.filter(([other]) => other === name).map(([, value]) => value);

const oneOf = (tokens: readonly string[]): string => {
  const [first = '', ...more] = tokens.filter((token) => token !== '');
  const isOptional = tokens.includes('');
  if (more.length === 0 && !isOptional) return first;
  return first === '' ? '' : `(?:${[first, ...more].join('|')})${isOptional ? '?' : ''}`;
};

const unique = <Value>(values: readonly Value[]): Value[] => [...new Set(values)];
