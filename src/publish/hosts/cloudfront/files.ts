// S3 and CloudFront: the function for viewer requests, and what is set beside it: the policy of response
// headers, the answer for what is absent, the cache key, and the metadata of objects.
import { IMAGE_FOLDERS } from '../../../content/paths/files.ts';
import {
  BINARY_TYPE,
  BLOB_CACHE,
  DOCUMENT_CACHE,
  JSON_TYPE,
  MEDIA_POLICY,
  NOT_FOUND_CACHE,
  PREFLIGHT_HEADERS,
  SHARED_HEADERS,
  TEXT_TYPE,
  VARY,
} from '../../../content/paths/headers.ts';
import { bundleEdge } from '../bundles/bundle.ts';
import { type HostFile, type HostSite, jsonFile } from '../host.ts';
import { cachePolicy } from '../rules/cache-policy.ts';
import { companionOf } from '../rules/other-queries.ts';

export const FUNCTION = 'prepress-function.js';

export const cloudfrontFiles = async (site: HostSite): Promise<HostFile[]> => [
  { path: FUNCTION, text: await bundleEdge({ entry: 'cloudfront', site }) },
  jsonFile('response-headers-policy.json', headersPolicy(site)),
  jsonFile('media-headers-policy.json', mediaPolicy(site)),
  jsonFile('distribution.json', distribution(site)),
];

/** Those that CloudFront has no setting of its own for; its own compression says that answers vary, too. */
const CUSTOM = SHARED_HEADERS.filter(
  ([name]) => !/^Access-Control-|^X-Content-Type-Options$/.test(name),
).map(([Header, Value]) => ({ Header, Value, Override: Header !== VARY[0] }));

const headerOf = (name: string): string =>
  [...SHARED_HEADERS, ...PREFLIGHT_HEADERS].find(([header]) => header === name)?.[1] ?? '';

const items = (text: string): { Quantity: number; Items: string[] } => {
  // Named ones alone: no star stands beside names there, and the function answers preflights anyway.
  const list = text.split(', ').filter((one, _, all) => one !== '*' || all.length === 1);
  return { Quantity: list.length, Items: list };
};

/** For `aws cloudfront create-response-headers-policy`. */
const headersPolicy = (site: HostSite) => ({
  Name: site.accountName,
  CorsConfig: {
    AccessControlAllowOrigins: items('*'),
    AccessControlAllowMethods: items(headerOf('Access-Control-Allow-Methods')),
    AccessControlAllowHeaders: items(headerOf('Access-Control-Allow-Headers')),
    AccessControlExposeHeaders: items(headerOf('Access-Control-Expose-Headers')),
    AccessControlAllowCredentials: false,
    AccessControlMaxAgeSec: Number(headerOf('Access-Control-Max-Age')),
    OriginOverride: true,
  },
  SecurityHeadersConfig: { ContentTypeOptions: { Override: true } },
  CustomHeadersConfig: {
    Quantity: CUSTOM.length,
    Items: CUSTOM,
  },
});

/** The same for pictures and files, which may be documents. */
const mediaPolicy = (site: HostSite) => ({
  ...headersPolicy(site),
  Name: `${site.accountName}--media`,
  SecurityHeadersConfig: {
    ...headersPolicy(site).SecurityHeadersConfig,
    ContentSecurityPolicy: { ContentSecurityPolicy: MEDIA_POLICY[1], Override: true },
  },
});

const behavior = (site: HostSite) => ({
  FunctionAssociations: [{ EventType: 'viewer-request', Function: FUNCTION }],
  ResponseHeadersPolicy: site.accountName,
  Compress: true,
  // The function leaves a query to those requests alone that it passes on, with the content key.
  CachePolicy: cachePolicy({ QueryStringBehavior: companionOf(site) === null ? 'none' : 'all' }),
  AllowedMethods: ['GET', 'HEAD', 'OPTIONS'],
});

/** What to set in the distribution, by its names. */
const distribution = (site: HostSite): unknown => ({
  DefaultCacheBehavior: behavior(site),
  CacheBehaviors: IMAGE_FOLDERS.map((folder) => ({
    ...behavior(site),
    PathPattern: `*/content/${folder}/*`,
    ResponseHeadersPolicy: `${site.accountName}--media`,
  })),
  CustomErrorResponses: [403, 404].map((code) => ({
    ErrorCode: code,
    ResponseCode: '404',
    ResponsePagePath: `${site.basePath}/content/404.json`,
    ErrorCachingMinTTL: 10,
  })),
  ObjectMetadata: [
    { Suffix: '.json', ContentType: JSON_TYPE, CacheControl: DOCUMENT_CACHE },
    ...[
      ['.txt', TEXT_TYPE],
      ['.bin', BINARY_TYPE],
    ].map(([Suffix, ContentType]) => ({
      Prefix: `${site.basePath}/content/packed/`.slice(1),
      Suffix,
      ContentType,
      CacheControl: BLOB_CACHE,
    })),
    { Suffix: '/404.json', ContentType: JSON_TYPE, CacheControl: NOT_FOUND_CACHE },
  ],
});
