// Rules for Netlify: `_redirects`, one line for each query that has a file and each prefix, and `_headers`. Netlify decodes
// values and finds parameters in any order, so that each set of includes is written in each of its orders.
import { combinationsOf } from '../../../content/paths/combinations.ts';
import { DEPRECATED_VERSIONS } from '../../../content/paths/content-path.ts';
import { RESOURCES } from '../../../content/paths/endpoints.ts';
import { DOCUMENT_FOLDERS, FIXED_FILES, IMAGE_FOLDERS } from '../../../content/paths/files.ts';
import {
  DOCUMENT_CACHE,
  deprecation,
  JSON_TYPE,
  MEDIA_POLICY,
  PREFLIGHT_HEADERS,
  SHARED_HEADERS,
} from '../../../content/paths/headers.ts';
import { keptVariant } from '../../../content/paths/selection.ts';
import type { HostFile, HostSite, StoredName } from '../host.ts';
import { isRoutable } from '../rules/addresses.ts';
import { NETLIFY_REDIRECTS, planPlainRedirects } from '../rules/plain-redirects.ts';

export const netlifyFiles = (site: HostSite): HostFile[] => [
  { path: '_redirects', text: redirects(site) },
  { path: '_headers', text: headers(site) },
];

export const countRedirects = (files: readonly HostFile[]): number =>
  (files[0]?.text ?? '').split('\n').filter((line) => line.startsWith('/')).length;

/** What may stand before `/content`. */
const prefixesOf = ({ basePath }: HostSite): string[] => [
  ...new Set([
    basePath,
    ...apiPrefixes(basePath),
    ...DEPRECATED_VERSIONS.flatMap((version) => versioned(basePath, version)),
  ]),
];

const apiPrefixes = (basePath: string): string[] => [
  ...new Set(['/ghost/api', `${basePath}/ghost/api`]),
];

const versioned = (basePath: string, version: string): string[] =>
  apiPrefixes(basePath).map((prefix) => `${prefix}/${version}`);

const redirects = (site: HostSite): string => {
  const content = `${site.basePath}/content`;
  const lines = prefixesOf(site).flatMap((prefix) => [
    ...addressLines(site, `${prefix}/content`),
    ...sizeLines(`${prefix}/content`, content),
    ...(prefix === site.basePath ? [] : [`${prefix}/content/* ${content}/:splat 200`]),
    `${prefix}/content/* ${content}/404.json 404`,
  ]);
  const moved = planPlainRedirects(site, NETLIFY_REDIRECTS).lines;
  return `# Written by "prepress hosts write netlify".\n${[...lines, ...moved].join('\n')}\n`;
};

/** A file that is there goes before its rule. */
export const sizeLines = (from: string, content: string): string[] => [
  `${from}/images/size/:size/format/:format/* ${content}/images/:splat 200`,
  `${from}/images/size/:size/* ${content}/images/:splat 200`,
];

const addressLines = (site: HostSite, from: string): string[] => {
  const content = `${site.basePath}/content`;
  const records = RESOURCES.flatMap((resource) => {
    const names = site.names.filter((name) => name.resource === resource && isReachable(name));
    const folders = [
      ...names.map(({ slug, segment }) => [
        `${resource}/slug/${encodeURIComponent(slug)}`,
        `${resource}/slug/${encodeURIComponent(segment)}`,
      ]),
      [`${resource}/slug/:slug`, `${resource}/slug/:slug`],
      [`${resource}/:id`, `${resource}/:id`],
    ];
    return folders.flatMap(([asked, folder]) =>
      combinationsOf(resource, 'record').map(({ variant, parameters }) =>
        line(
          `${from}/${asked}/`,
          parameters,
          `${content}/${folder}/${keptVariant(resource, variant, site.selection.variants)}.json`,
        ),
      ),
    );
  });
  const lists = RESOURCES.flatMap((resource) => {
    const combinations = combinationsOf(resource, 'list');
    const plain = combinations.map(({ variant, parameters }) =>
      line(`${from}/${resource}/`, parameters, `${content}/${resource}/${variant}.json`),
    );
    if (!site.paged.includes(resource)) return plain;
    const paged = combinations.flatMap(({ variant, parameters }) => {
      const suffix = variant === 'index' ? '' : `-${variant}`;
      const to = `${content}/${resource}`;
      return [
        line(`${from}/${resource}/`, [...parameters, ['page', '1']], `${to}/${variant}.json`),
        line(
          `${from}/${resource}/`,
          [...parameters, ['page', ':page']],
          `${to}/page-:page${suffix}.json`,
        ),
      ];
    });
    return [...paged, ...plain];
  });
  const others = FIXED_FILES.map((file) =>
    line(`${from}/${file.replace(/index\.json$/, '')}`, [], `${content}/${file}`),
  );
  return [...others, ...lists, ...records];
};

const line = (
  from: string,
  parameters: readonly (readonly [string, string])[],
  to: string,
): string => [from, ...parameters.map(([name, value]) => `${name}=${value}`), to, '200'].join(' ');

/** Rules are words: what is no word when it is encoded cannot be written, and a last `*` stands for anything. */
export const isReachable = (name: StoredName): boolean =>
  isRoutable(name) && !name.slug.endsWith('*');

const headers = (site: HostSite): string => {
  // Blobs get the caching of documents: a 404 carries these headers too, and no cache may keep one for ever.
  const shared = [...SHARED_HEADERS, ...PREFLIGHT_HEADERS, ['Cache-Control', DOCUMENT_CACHE]];
  const json = [...shared, ['Content-Type', JSON_TYPE]];
  const blocks = prefixesOf(site).flatMap((prefix) => [
    block(`${prefix}/content/*`, shared),
    ...DOCUMENT_FOLDERS.map((name) => block(`${prefix}/content/${name}/*`, json)),
    ...IMAGE_FOLDERS.map((name) => block(`${prefix}/content/${name}/*`, [MEDIA_POLICY])),
    block(`${prefix}/content/404.json`, json),
    block(`${prefix}/content/packed/root.json`, json),
  ]);
  const deprecated = DEPRECATED_VERSIONS.flatMap((version) =>
    versioned(site.basePath, version).map((prefix) =>
      block(`${prefix}/content/*`, [deprecation(version)]),
    ),
  );
  return `# Written by "prepress hosts write netlify".\n${[...blocks, ...deprecated].join('')}`;
};

const block = (path: string, list: readonly (readonly string[])[]): string =>
  `${path}\n${list.map(([name, value]) => `  ${name}: ${value}\n`).join('')}`;
