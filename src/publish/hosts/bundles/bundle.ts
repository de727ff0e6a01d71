// Bundles edge code for one site: its sources, the resolver among them, become one minified text with the
// site's facts inside.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PrepressError } from '../../../base/errors.ts';
import type { CloudFrontSite } from '../../../content/edge/cloudfront.ts';
import type { EdgeSite } from '../../../content/edge/edge-site.ts';
import type { WorkerSite } from '../../../content/edge/worker-site.ts';
import { RESOURCES, type Resource, SHAPES } from '../../../content/paths/endpoints.ts';
import { STALE_HEADER } from '../../../content/paths/headers.ts';
import { isFileName } from '../../../content/paths/plain-segment.ts';
import { substitutesOf } from '../../../content/paths/selection.ts';
import { INNER_NAMES } from '../../../content/queries/inner-names.js';
import { defaultOrders, orderFields } from '../../../content/queries/order.ts';
import type { OtherQueries } from '../../../settings/schemas.ts';
import type { HostSite } from '../host.ts';
import { companionOf, OTHER_QUERY_BODY } from '../rules/other-queries.ts';

type BundleOptions = {
  /** File in `edge/`. */
  readonly entry: 'worker' | 'netlify' | 'vercel' | 'cloudfront';
  readonly site: HostSite;
};

/** A module for workers; for CloudFront a script with a function `handler`. */
export const bundleEdge = async ({ entry, site }: BundleOptions): Promise<string> => {
  // Few commands bundle: the others should not wait for the bundler.
  const { build } = await import('esbuild');
  const isScript = entry === 'cloudfront';
  const folder = join(sourceFolder(), 'content', 'edge');
  const file = join(folder, `${entry}.ts`);
  const result = await build({
    bundle: true,
    minify: true,
    write: false,
    legalComments: 'none',
    charset: 'ascii',
    format: 'esm',
    logLevel: 'silent',
    ...(isScript
      ? { entryPoints: [file], ...scriptOptions(site) }
      : {
          stdin: {
            contents: siteLine(workerSiteOf(site)) + readFileSync(file),
            resolveDir: folder,
            loader: 'ts',
          },
          target: 'es2022',
          mangleProps: INNER_NAMES,
        }),
  });
  const text = result.outputFiles[0]?.text;
  if (text === undefined) throw new PrepressError('INTERNAL', 'The edge code was not bundled.');
  return isScript ? withoutExport(text) : text;
};

/** What the sources of a worker declare. Keys without quotation marks get the shorter names of the code. */
const siteLine = (site: object): string => {
  const members = Object.entries(site).map(([name, value]) => `${name}: ${asciiJson(value)}`);
  return `const PREPRESS_SITE = { ${members.join(', ')} };\n`;
};

const scriptOptions = (site: HostSite) => ({
  define: {
    PREPRESS_SITE: 'PREPRESS',
    ...(site.keyHashes === null && { 'PREPRESS_SITE.keyHashes': 'null' }),
  },
  target: 'es5',
  supported: { 'const-and-let': true, arrow: true, 'template-literal': true },
  mangleProps: SCRIPT_NAMES,
  banner: {
    js: `${passOnCode(site).imports}var PREPRESS=${asciiJson(scriptSiteOf(site))};${SHA256};${passOnCode(site).code}`,
  },
});

/** A script exports nothing. */
const withoutExport = (text: string): string => {
  const at = text.lastIndexOf('export{');
  const name = text.slice(at + 'export{'.length, text.indexOf(' as handler', at));
  return `${text.slice(0, at)}var handler=${name};`;
};

/** Properties that no part of the function gets from elsewhere: it has to be short. */
const SCRIPT_NAMES =
  /^(?:kind|file|list|resource|includes|isFiltered|token|storedSegment|sentVariant|isPaged|segmentOf|path|query)$/;

/** CloudFront's functions have this module of Node's. */
const SHA256 =
  "function sha256(text){return require('crypto').createHash('sha256').update(text).digest('hex')}";

/** JSON that no reader can take for another encoding. */
export const asciiJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** The function for CloudFront computes hashes, and sends a larger variant for one without files. */
const scriptSiteOf = (site: HostSite): CloudFrontSite => ({
  basePath: site.basePath,
  names: namesOf(site.names.filter(({ slug }) => isFileName(slug))),
  paged: site.paged,
  sent: Object.fromEntries(
    substitutesIn(site).map(([resource, dropped, sent]) => [`${resource}/${dropped}`, sent]),
  ),
  keyHashes: site.keyHashes,
  lists: defaultQueries(),
  pages: site.queries.listPages === 'all' ? 0 : site.queries.listPages,
  hasSizes: site.hasSizes,
  max: site.queries.max,
  otherQueries: modeOf(site.queries.otherQueries),
  refusal: OTHER_QUERY_BODY,
  companionPath: companionOf(site)?.content ?? '',
});

const modeOf = (otherQueries: OtherQueries): CloudFrontSite['otherQueries'] =>
  otherQueries === 'refuse' || otherQueries === 'ignore' ? otherQueries : 'pass';

/** CloudFront's own module names the origin of a request. */
const passOnCode = (site: HostSite): { readonly imports: string; readonly code: string } => {
  const companion = companionOf(site);
  if (companion === null) return { imports: '', code: 'function passOn(){}' };
  const origin = {
    domainName: companion.hostname,
    originAccessControlConfig: { enabled: false },
    customHeaders: { [STALE_HEADER]: String(site.queries.staleSeconds) },
    customOriginConfig: {
      port: companion.port,
      protocol: companion.isSecure ? 'https' : 'http',
      sslProtocols: ['TLSv1.2'],
    },
  };
  const code = `function passOn(){cf.updateRequestOrigin(${asciiJson(origin)})}`;
  return { imports: "import cf from 'cloudfront';", code };
};

/** What the function for CloudFront knows of each list. */
export const defaultQueries = (): CloudFrontSite['lists'] =>
  Object.fromEntries(
    RESOURCES.map((resource) => [
      resource,
      {
        orders: defaultOrders(resource),
        fields: orderFields(resource),
        hasFormats: resource === 'posts' || resource === 'pages',
        filter: SHAPES[resource].filter?.value ?? '',
      },
    ]),
  ) as CloudFrontSite['lists'];

/** A worker answers what has no file. */
const workerSiteOf = (site: HostSite): WorkerSite => ({
  basePath: site.basePath,
  names: namesOf(site.names),
  paged: site.paged,
  profile: site.selection.profile,
  dropped: substitutesIn(site).map(([resource, dropped]) => `${resource}/${dropped}.json`),
  // Who asks for keys has to see every spelling of an address.
  routes: site.keyHashes === null ? workerPaths(site.basePath) : ['/*'],
  keyHashes: site.keyHashes?.map((hash) => base64url(hash)) ?? null,
});

/** As edge-tree.ts writes it. */
const base64url = (hex: string): string =>
  Buffer.from(hex, 'hex').toString('base64').replaceAll('+', '-').replaceAll('/', '_');

const namesOf = (names: HostSite['names']): EdgeSite['names'] =>
  Object.fromEntries(names.map(({ resource, slug, segment }) => [`${resource}/${slug}`, segment]));

const substitutesIn = ({ selection }: HostSite): (readonly [Resource, string, string])[] =>
  RESOURCES.flatMap((resource) =>
    substitutesOf(resource, selection.variants).map(
      ([dropped, sent]) => [resource, dropped, sent] as const,
    ),
  );

/** Patterns of the addresses that a worker answers. */
export const workerPaths = (basePath: string): string[] => [
  ...new Set([
    `${basePath}/content`,
    `${basePath}/content/*`,
    '/ghost/api/*',
    `${basePath}/ghost/api/*`,
  ]),
];

/** The sources of edge code go with the package: they are bundled where the site is known. */
export const sourceFolder = (): string => {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const sources = join(folder, 'src');
    if (existsSync(join(sources, 'content', 'edge'))) return sources;
    if (dirname(folder) === folder) {
      throw new PrepressError('INTERNAL', 'The sources of the edge code are not installed.');
    }
  }
};
