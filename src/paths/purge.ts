// File -> the addresses that it answers, in every spelling of their queries that clients send: what a cache
// whose key is the whole address has to forget when the file changes.
import { combinationsOf } from './combinations.ts';
import { RESOURCES, type Resource } from './endpoints.ts';

const PREFIXES = [
  '/ghost/api',
  '/ghost/api/v2',
  '/ghost/api/v3',
  '/ghost/api/v4',
  '/ghost/api/canary',
];

export type PurgeOptions = {
  readonly basePath: string;
  /** The slug of a record that is stored under another name; absent for the others. */
  readonly slugOf?: (resource: string, segment: string) => string | undefined;
};

/** `file` is relative to the content folder. The path of the file itself is among the addresses. */
export const purgeAddresses = (file: string, { basePath, slugOf }: PurgeOptions): string[] => {
  const [, folder = '', name = ''] = /^(?:(.*)\/)?([^/]+)$/.exec(encoded(file)) ?? [];
  const queries = queriesOf(folder, name);
  const folders = [folder, ...otherName(folder, slugOf)];
  return [basePath, ...PREFIXES].flatMap((prefix) => [
    `${prefix}/content/${encoded(file)}`,
    ...folders.flatMap((one) =>
      queries.map((query) => `${prefix}/content/${one}/${query === '' ? '' : `?${query}`}`),
    ),
  ]);
};

/** The folder that is asked for by a slug that its name is not. */
const otherName = (folder: string, slugOf: PurgeOptions['slugOf']): string[] => {
  const [, resource = '', segment = ''] = /^([a-z]+)\/slug\/([^/]+)$/.exec(folder) ?? [];
  const slug = segment === '' ? undefined : slugOf?.(resource, segment);
  return slug === undefined ? [] : [`${resource}/slug/${encodeURIComponent(slug)}`];
};

const encoded = (file: string): string => file.split('/').map(encodeURIComponent).join('/');

const queriesOf = (folder: string, name: string): string[] => {
  const [resource = '', ...rest] = folder.split('/');
  if (folder === 'settings') return [''];
  if (!isResource(resource)) return [];
  const [, page, suffix] = /^page-(\d+)(?:-(.+))?\.json$/.exec(name) ?? [];
  const variant = page === undefined ? name.slice(0, -'.json'.length) : (suffix ?? 'index');
  const paging = page === undefined ? [] : [['page', page] as const];
  return combinationsOf(resource, rest.length === 0 ? 'list' : 'record')
    .filter((combination) => combination.variant === variant)
    .flatMap(({ parameters }) => spellings([...parameters, ...paging]));
};

const isResource = (name: string): name is Resource =>
  RESOURCES.some((resource) => resource === name);

type Parameters = readonly (readonly [string, string])[];

/** Both orders of two parameters; separators as they are and encoded, in either case. */
const spellings = (parameters: Parameters): string[] => {
  const orders = parameters.length > 1 ? [parameters, [...parameters].reverse()] : [parameters];
  const texts = orders.flatMap((order) =>
    [(value: string) => value, encodeURIComponent, lowerEncoded].map((write) =>
      order.map(([name, value]) => `${name}=${write(value)}`).join('&'),
    ),
  );
  return [...new Set(texts)];
};

const lowerEncoded = (value: string): string =>
  encodeURIComponent(value).replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
