// Cloudflare Pages: the worker of Cloudflare Workers as `_worker.js`, and the addresses that it sees.
import { bundleEdge, workerPaths } from '../bundles/bundle.ts';
import { type HostFile, type HostSite, jsonFile } from '../host.ts';
import { CLOUDFLARE_REDIRECTS, redirectsFiles } from '../rules/plain-redirects.ts';

export const cloudflarePagesFiles = async (site: HostSite): Promise<HostFile[]> => [
  { path: '_worker.js', text: await bundleEdge({ entry: 'worker', site }) },
  jsonFile('_routes.json', { version: 1, include: workerPaths(site.basePath), exclude: [] }),
  ...redirectsFiles(site, 'cloudflare-pages', CLOUDFLARE_REDIRECTS),
];
