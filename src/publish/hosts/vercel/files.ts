// Vercel: the configuration of a Build Output, whose middleware answers addresses, and whose routes do the rest. The tree lies beside
// it as `static`.
import { ANY_VERSION, DEPRECATED_VERSIONS } from '../../../content/paths/content-path.ts';
import { DOCUMENT_FOLDERS, SIZED } from '../../../content/paths/files.ts';
import {
  BINARY_TYPE,
  BLOB_CACHE,
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
} from '../../../content/paths/headers.ts';
import { bundleEdge } from '../bundles/bundle.ts';
import type { HostFile, HostSite } from '../host.ts';
import {
  ANY_ADDRESS,
  ANY_BLOB,
  blobName,
  HOSTILE_PATH,
  prefixPattern,
} from '../rules/addresses.ts';
import { vercelRedirects } from '../rules/redirects.ts';

const MIDDLEWARE = 'prepress';
const FOLDER = `functions/${MIDDLEWARE}.func`;

export const vercelFiles = async (site: HostSite): Promise<HostFile[]> => [
  {
    path: 'config.json',
    text: `${JSON.stringify({ version: 3, routes: routes(site) }, null, 1)}\n`,
  },
  {
    path: `${FOLDER}/.vc-config.json`,
    text: `${JSON.stringify({ runtime: 'edge', entrypoint: 'index.js' })}\n`,
  },
  { path: `${FOLDER}/index.js`, text: await bundleEdge({ entry: 'vercel', site }) },
];

/** A route of the Build Output, as far as it is used here. */
type Route = {
  readonly src?: string;
  readonly handle?: 'filesystem' | 'hit' | 'error';
  readonly dest?: string;
  /** Name of a function that is asked first. */
  readonly middlewarePath?: string;
  readonly methods?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly status?: number;
  readonly continue?: boolean;
  readonly check?: boolean;
};

const routes = (site: HostSite): Route[] => {
  const prefix = prefixPattern(site);
  const content = `${site.basePath}/content`;
  const all = `^${prefix}/content/.*$`;
  const absent = { dest: `${content}/404.json`, status: 404, headers: notFoundHeaders };
  const documents = `^${prefix}/content/(?:${DOCUMENT_FOLDERS.join('|')})/.*$`;
  const blobs = (ending: string): string => `^${prefix}/content/packed/${blobName(ending)}$`;
  return [
    ...vercelRedirects(site),
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
    { src: `^${prefix}/content/.+/$`, middlewarePath: MIDDLEWARE, continue: true },
    { handle: 'filesystem' },
    { src: `^${prefix}/content/${SIZED}(.+)$`, dest: `${content}/images/$1`, check: true },
    {
      src: `^(?:${site.basePath})?/ghost/api(?:/(?:${ANY_VERSION}))?/content/(.*)$`,
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
  HOSTILE_PATH.replace('^[^?]*', `^(?=${prefix}/content).*`).replace('(?:/|[?]|$)', '(?:/|$)');
