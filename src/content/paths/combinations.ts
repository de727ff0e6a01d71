// Every query that has a file of its own, written out: for hosts whose rules compare whole values, and for
// caches that are to forget an address.
import { type Resource, SHAPES, variantName } from './endpoints.ts';

export type Combination = {
  /** File name without `.json`; a page is put before it. */
  readonly variant: string;
  readonly parameters: readonly (readonly [name: string, value: string])[];
};

/** The most specific first, so that the first match is the right one. */
export const combinationsOf = (resource: Resource, kind: 'list' | 'record'): Combination[] => {
  const { includes, filter } = SHAPES[resource];
  const filters = kind === 'list' && filter !== null ? [filter, null] : [null];
  return filters
    .flatMap((asked) =>
      subsets(includes).flatMap((subset) =>
        orders(subset).map((order) => ({
          variant: variantName(asked?.token ?? null, subset),
          parameters: [
            ...(asked === null ? [] : [['filter', asked.value] as const]),
            ...(order.length === 0 ? [] : [['include', order.join(',')] as const]),
          ],
        })),
      ),
    )
    .sort((a, b) => b.parameters.length - a.parameters.length);
};

/** All subsets in the order of their members, the larger ones first. */
const subsets = (items: readonly string[]): string[][] => {
  const [first, ...rest] = items;
  if (first === undefined) return [[]];
  const without = subsets(rest);
  return [...without.map((one) => [first, ...one]), ...without].sort((a, b) => b.length - a.length);
};

const orders = (items: readonly string[]): string[][] =>
  items.length < 2
    ? [[...items]]
    : items.flatMap((item) =>
        orders(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
      );
