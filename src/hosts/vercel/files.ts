// Vercel: the configuration of a Build Output, whose routes find parameters by regular expressions in any
// order, so that each file has one route. The tree lies beside it as `static`.
import { posix } from 'node:path';
import { type Combination, combinationsOf } from '../../paths/combinations.ts';
import { RESOURCES, type Resource } from '../../paths/endpoints.ts';
import { DOCUMENT_FOLDERS, SEARCHED, SIZED } from '../../paths/files.ts';
import {
  BINARY_TYPE,
  BLOB_CACHE,
  DEPRECATED_VERSIONS,
  DOCUMENT_CACHE,
  deprecation,
  JSON_TYPE,
  MEDIA_FOLDERS,
  MEDIA_POLICY,
  NOT_FOUND_CACHE,
  PREFLIGHT_HEADERS,
  REDIRECT_CACHE,
  SHARED_HEADERS,
  TEXT_TYPE,
} from '../../paths/headers.ts';
import { keptVariant } from '../../paths/selection.ts';
import {
  ANY_ADDRESS,
  ANY_BLOB,
  blobName,
  HOSTILE_PATH,
  isRoutable,
  prefixPattern,
} from '../addresses.ts';
import type { HostFile, HostSite, StoredName } from '../host.ts';
import { otherQueryFiles } from '../other-queries.ts';
import { EITHER, listWith, slugSpellings } from '../spellings.ts';
import { listRoutes } from './list-routes.ts';
import { middlewareRoutes } from './middleware.ts';
import type { Route } from './route.ts';

export const vercelFiles = (site: HostSite): HostFile[] => [
  {
    path: 'config.json',
    text: `${JSON.stringify({ version: 3, routes: routes(site) }, null, 1)}\n`,
  },
  ...otherQueryFiles(site),
];

export const countRoutes = ([file]: readonly HostFile[]): number =>
  (JSON.parse(file?.text ?? '{"routes":[]}') as { routes: unknown[] }).routes.length;

const routes = (site: HostSite): Route[] => {
  const prefix = prefixPattern(site);
  const content = `${site.basePath}/content`;
  const all = `^${prefix}/content/.*$`;
  const absent = { dest: `${content}/404.json`, status: 404, headers: notFoundHeaders };
  const documents = `^${prefix}/content/(?:${DOCUMENT_FOLDERS.join('|')})/.*$`;
  const blobs = (ending: string): string => `^${prefix}/content/packed/${blobName(ending)}$`;
  return [
    { src: all, headers: headers(SHARED_HEADERS, DOCUMENT_CACHE), continue: true },
    { src: blobs(ANY_BLOB), headers: { 'Cache-Control': BLOB_CACHE }, continue: true },
    ...DEPRECATED_VERSIONS.map((version) => ({
      src: `^(?:${site.basePath})?/ghost/api/${version}/content/.*$`,
      headers: headers([deprecation(version)]),
      continue: true,
    })),
    { src: all, methods: ['OPTIONS'], status: 204, headers: headers(PREFLIGHT_HEADERS) },
    { src: hostilePaths(prefix), ...absent },
    {
      src: `^(${prefix}/content/${ANY_ADDRESS})$`,
      methods: ['GET', 'HEAD'],
      status: 301,
      headers: { Location: '$1/', 'Cache-Control': REDIRECT_CACHE },
    },
    ...middlewareRoutes(site, prefix),
    { handle: 'filesystem' },
    ...addressRoutes(site, prefix),
    { src: `^${prefix}/content/${SIZED}(.+)$`, dest: `${content}/images/$1`, check: true },
    {
      src: `^(?:${site.basePath})?/ghost/api(?:/(?:v2|v3|v4|canary))?/content/(.*)$`,
      dest: `${content}/$1`,
      check: true,
    },
    { src: all, ...absent },
    { handle: 'hit' },
    {
      src: `^${prefix}/content/${MEDIA_FOLDERS}.*$`,
      headers: headers([MEDIA_POLICY]),
      continue: true,
    },
    { src: blobs('txt'), headers: { 'Content-Type': TEXT_TYPE }, continue: true },
    { src: blobs('bin'), headers: { 'Content-Type': BINARY_TYPE }, continue: true },
    { src: documents, headers: { 'Content-Type': JSON_TYPE }, continue: true },
    { handle: 'error' },
    { src: all, ...absent },
  ];
};

const headers = (
  list: readonly (readonly [string, string])[],
  cache?: string,
): Record<string, string> => ({
  ...Object.fromEntries(list),
  ...(cache !== undefined && { 'Cache-Control': cache }),
});

const notFoundHeaders = headers([...SHARED_HEADERS, ['Content-Type', JSON_TYPE]], NOT_FOUND_CACHE);

/** Routes see no query. */
const hostilePaths = (prefix: string): string =>
  HOSTILE_PATH.replace('^[^?]*', `^${prefix}/content.*`).replace('(?:/|[?]|$)', '(?:/|$)');

const addressRoutes = (site: HostSite, prefix: string): Route[] => [
  {
    src: `^${prefix}/content/(settings|tiers)/$`,
    dest: `${site.basePath}/content/$1/index.json`,
    check: true,
  },
  {
    src: `^${prefix}/content/search-index/(${SEARCHED.join('|')})/$`,
    dest: `${site.basePath}/content/search-index/$1/index.json`,
    check: true,
  },
  ...RESOURCES.flatMap((resource) => [
    ...listRoutes(site, prefix, resource),
    ...recordRoutes(site, prefix, resource),
  ]),
];

const recordRoutes = (site: HostSite, prefix: string, resource: Resource): Route[] => {
  const content = `${site.basePath}/content/${resource}`;
  const places = [
    ...site.names
      .filter((name) => name.resource === resource && isReachable(name))
      .map(({ slug, segment }) => ({
        asked: `slug/${slugSpellings(slug)}`,
        found: `slug/${encodeURIComponent(segment)}`,
      })),
    { asked: '([0-9a-f]{24}|slug/[^/.][^/]*)', found: '$1' },
  ];
  return places.flatMap(({ asked, found }) =>
    sets(resource, 'record').map(({ variant, parameters }) => {
      const sent = keptVariant(resource, variant, site.selection.variants);
      return route(
        `^${prefix}/content/${resource}/${asked}/$`,
        conditions(parameters),
        posix.join(content, found, `${sent}.json`),
      );
    }),
  );
};

const route = (src: string, has: NonNullable<Route['has']>, dest: string): Route => ({
  src,
  ...(has.length > 0 && { has }),
  dest,
  check: true,
});

/** One combination for each variant: routes find a value among others, in any order. */
const sets = (resource: Resource, kind: 'list' | 'record'): Combination[] => {
  const seen = new Set<string>();
  return combinationsOf(resource, kind)
    .filter(({ variant }) => !seen.has(variant) && seen.add(variant))
    .sort((a, b) => conditions(b.parameters).length - conditions(a.parameters).length);
};

const conditions = (parameters: Combination['parameters']): NonNullable<Route['has']> =>
  parameters.flatMap(([key, value]) =>
    value
      .split(',')
      .map((one) => ({ type: 'query', key, value: `^${listWith(EITHER, one)}$` }) as const),
  );

/** A route is at most 4,096 characters long. */
export const isReachable = (name: StoredName): boolean =>
  isRoutable(name) && slugSpellings(name.slug).length < 3_500;
