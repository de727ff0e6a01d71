// The raw queries that a declared query's file answers, for caches that are to forget them: in the spellings that clients
// send, or, where those are too many, as one pattern of all queries of the resource.
import type { DeclaredFile, DeclaredQuery } from './declared-queries.ts';
import { SLUG_PATTERN, UNKNOWN_SEGMENT } from './declared-queries.ts';
import type { PurgeOptions } from './purge.ts';
import { ordersOf, type Parameters, spellings } from './query-spellings.ts';

/** More of one file would crowd the list; queries of five parameters have 120 orders. */
const SPELLINGS_MAX = 200;

const EVERY_QUERY = ['*'];

/** Empty for a query that is not declared any more, and for slugs that no tag or author has. */
export const declaredQueries = (
  { resource, name, segment, page }: DeclaredFile,
  { declared = [], slugOf }: Pick<PurgeOptions, 'declared' | 'slugOf'>,
): string[] => {
  const query = declared.find((one) => one.resource === resource && one.name === name);
  if (query === undefined) return EVERY_QUERY;
  if (segment === UNKNOWN_SEGMENT) return [];
  const family = query.pattern === 'author' ? 'authors' : 'tags';
  const slug = segment === null ? '' : (slugOf?.(family, segment) ?? segment);
  const values = query.parameters.map((pair) => writtenValues(pair, slug));
  const paging: readonly string[][] = page === 1 ? [[], ['1']] : [[String(page)]];
  const texts = paging.flatMap((pages) => {
    const named = [
      ...query.parameters.map(([parameter], at) => ({ parameter, values: values[at] ?? [] })),
      ...pages.map((value) => ({ parameter: 'page', values: [value] })),
    ];
    return isMany(named) ? EVERY_QUERY : combine(named).flatMap(spellings);
  });
  return texts.includes('*') ? EVERY_QUERY : texts;
};

type Named = { readonly parameter: string; readonly values: readonly string[] };

const isMany = (named: readonly Named[]): boolean => {
  const combinations = named.reduce((count, { values }) => count * values.length, 1);
  const orders = named.reduce((count, _one, at) => count * (at + 1), 1);
  return combinations * orders * 3 > SPELLINGS_MAX;
};

const combine = ([first, ...rest]: readonly Named[]): Parameters[] =>
  first === undefined
    ? [[]]
    : first.values.flatMap((value) =>
        combine(rest).map((others) => [[first.parameter, value] as const, ...others]),
      );

/** Longer lists have too many orders. */
const ITEMS_MAX = 4;

/** Lists in every order; orders in either case. */
const writtenValues = (
  [name, value]: DeclaredQuery['parameters'][number],
  slug: string,
): readonly string[] => {
  if (name === 'filter') return [value.replace(SLUG_PATTERN, () => slug)];
  if (name === 'limit') return [value];
  if (name === 'order') return [value, value.replace(/ (?:asc|desc)/g, (one) => one.toUpperCase())];
  const items = value.split(',');
  return items.length > ITEMS_MAX ? MANY : ordersOf(items).map((order) => order.join(','));
};

const MANY: readonly string[] = new Array(SPELLINGS_MAX).fill('');
