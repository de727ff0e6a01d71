// Cloudflare Workers: the output as static assets, and a worker in front of the interface's addresses.
import { posix } from 'node:path';
import { RESOURCES } from '../../../content/paths/endpoints.ts';
import { GUARDED_FOLDERS } from '../../../content/paths/files.ts';
import { substitutesOf } from '../../../content/paths/selection.ts';
import { SETTINGS_NAMES } from '../../../content/paths/settings-names.ts';
import { sidecarOf } from '../../../content/paths/sidecars.ts';
import { bundleEdge, workerPaths } from '../bundles/bundle.ts';
import type { HostFile, HostSite } from '../host.ts';
import { CLOUDFLARE_REDIRECTS, redirectsFiles } from '../rules/plain-redirects.ts';

export const WORKER = 'worker.js';

export const cloudflareFiles = async (site: HostSite): Promise<HostFile[]> => [
  { path: WORKER, text: await bundleEdge({ entry: 'worker', site }) },
  { path: 'wrangler.jsonc', text: settings(site) },
  { path: '.assetsignore', text: ignored(site), isInOutput: true },
  ...redirectsFiles(site, 'cloudflare', CLOUDFLARE_REDIRECTS),
];

/** Read where they lie, and never sent. */
const READ_BY_HOST = ['_headers', '_redirects'];

/** Folders of a build at work, a history in Git, and settings of other hosts and tools, some of which would be refused. */
const others = (content: string): string[] => [
  '.prepress-*',
  '.git',
  ...SETTINGS_NAMES.filter((name) => !READ_BY_HOST.includes(name)).map((name) => `/${name}`),
  ...SETTINGS_NAMES.map((name) => `${content}/${name}`),
];

/** What is not uploaded, in the language of .gitignore: each path counts as a file there. */
const ignored = ({ basePath, selection, encodings }: HostSite): string => {
  const content = `${basePath}/content`;
  const dropped = RESOURCES.flatMap((resource) =>
    substitutesOf(resource, selection.variants).flatMap(([variant]) => [
      `${content}/${resource}/*/${variant}.json`,
      `${content}/${resource}/slug/*/${variant}.json`,
    ]),
  );
  const folders = RESOURCES.flatMap((resource) => {
    if (selection.profile === 'packed') return [`${content}/${resource}/`];
    return selection.profile === 'by-id' ? [`${content}/${resource}/slug/`] : [];
  });
  const documents = GUARDED_FOLDERS.map((folder) => `${folder}/**/*.json`);
  const sidecars = encodings.flatMap((encoding) =>
    [...documents, 'packed/**/*.txt'].map((files) => sidecarOf(`${content}/${files}`, encoding)),
  );
  const lines = [...others(content), ...folders, ...dropped, ...sidecars];
  return `# Written by "prepress hosts write cloudflare".\n${lines.map((line) => `${line}\n`).join('')}`;
};

/** The worker sees the interface's addresses only: everything else is an asset and costs no call. */
const settings = (site: HostSite): string =>
  `// Written by "prepress hosts write cloudflare".
${JSON.stringify(
  {
    name: site.accountName,
    main: WORKER,
    no_bundle: true,
    compatibility_date: '2025-06-01',
    assets: {
      directory: posix.normalize(site.root),
      binding: 'ASSETS',
      run_worker_first: workerPaths(site.basePath),
      not_found_handling: 'none',
    },
  },
  null,
  2,
)}
`;
