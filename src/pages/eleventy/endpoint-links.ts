// Every endpoint of the content interface with links to try: each variant of each list, and of the first
// record of each resource by id and by slug. Made from the endpoint table, so that none can be missing.
import {
  RESOURCES,
  type Resource,
  type ResourceShape,
  SHAPES,
} from '../../content/paths/endpoints.ts';

export type EndpointLink = {
  /** Path as a reader types it, without the base path. */
  readonly path: string;
  /** `?include=authors`; empty for the plain variant. */
  readonly query: string;
  /** Percent-encoded, with the base path; a key is added by whoever serves it. */
  readonly href: string;
};

export type Endpoint = {
  readonly resource: Resource | 'settings';
  /** `/content/posts/slug/{slug}/` */
  readonly pattern: string;
  /** One for each variant; none when there is no record to show. */
  readonly links: readonly EndpointLink[];
};

export type Example = { readonly id: string; readonly slug: string };

type LinkOptions = {
  readonly basePath: string;
  /** The first record of a resource, or null. */
  readonly findExample: (resource: Resource) => Example | null;
};

/** Posts first, settings last. */
export const listEndpoints = ({ basePath, findExample }: LinkOptions): Endpoint[] => {
  const endpoint = (
    resource: Endpoint['resource'],
    pattern: string,
    { names, queries }: { readonly names: readonly string[]; readonly queries: readonly string[] },
  ): Endpoint => {
    const path = (parts: readonly string[]): string => `/${['content', ...parts].join('/')}/`;
    const address = `${basePath}${path(names.map(encodeURIComponent))}`;
    const links = queries.map((query) => ({
      path: path(names),
      query,
      href: `${address}${query}`,
    }));
    return { resource, pattern, links };
  };
  return [
    ...RESOURCES.toReversed().flatMap((resource) => {
      const shape = SHAPES[resource];
      const example = findExample(resource);
      const queries = example === null ? [] : recordQueries(shape);
      const { id = '', slug = '' } = example ?? {};
      const list = `/content/${resource}/`;
      return [
        endpoint(resource, list, { names: [resource], queries: listQueries(shape) }),
        endpoint(resource, `${list}{id}/`, { names: [resource, id], queries }),
        endpoint(resource, `${list}slug/{slug}/`, { names: [resource, 'slug', slug], queries }),
      ];
    }),
    endpoint('settings', '/content/settings/', { names: ['settings'], queries: [''] }),
  ];
};

const recordQueries = ({ includes }: ResourceShape): string[] =>
  subsets(includes).map((some) => queryOf([['include', some.join(',')]]));

const listQueries = (shape: ResourceShape): string[] =>
  shape.filter === null
    ? recordQueries(shape)
    : ['', shape.filter.value].flatMap((filter) =>
        subsets(shape.includes).map((some) =>
          queryOf([
            ['include', some.join(',')],
            ['filter', filter],
          ]),
        ),
      );

const queryOf = (parameters: readonly (readonly [string, string])[]): string => {
  const filled = parameters.filter(([, value]) => value !== '');
  return filled.length === 0 ? '' : `?${filled.map((pair) => pair.join('=')).join('&')}`;
};

/** Nothing, each alone, then together. */
const subsets = (values: readonly string[]): string[][] => {
  const all: string[][] = [[]];
  for (const value of values) all.push(...all.map((some) => [...some, value]));
  return all.sort((a, b) => a.length - b.length);
};
