// Cloudflare Pages: the worker of Cloudflare Workers as `_worker.js`, and the addresses that it sees.
import { bundleEdge, workerPaths } from '../bundles/bundle.ts';
import type { HostFile, HostSite } from '../host.ts';

export const cloudflarePagesFiles = async (site: HostSite): Promise<HostFile[]> => [
  { path: '_worker.js', text: await bundleEdge({ entry: 'worker', site }) },
  {
    path: '_routes.json',
    text: `${JSON.stringify({ version: 1, include: workerPaths(site.basePath), exclude: [] }, null, 2)}\n`,
  },
];
