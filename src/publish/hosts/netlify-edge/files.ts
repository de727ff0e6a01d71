// Netlify with an edge function in front of the interface's addresses: the function, and settings that name it and the output.
import { posix } from 'node:path';
import { bundleEdge } from '../bundles/bundle.ts';
import type { HostFile, HostSite } from '../host.ts';
import { NETLIFY_REDIRECTS, redirectsFiles } from '../rules/plain-redirects.ts';

const FOLDER = 'edge-functions';

export const netlifyEdgeFiles = async (site: HostSite): Promise<HostFile[]> => [
  { path: `${FOLDER}/prepress.js`, text: await bundleEdge({ entry: 'netlify', site }) },
  { path: 'netlify.toml', text: settings(site) },
  ...redirectsFiles(site, 'netlify-edge', NETLIFY_REDIRECTS),
];

/** Strings of JSON are strings of TOML. */
const settings = ({ root }: HostSite): string =>
  `# Written by "prepress hosts write netlify-edge".
[build]
publish = ${JSON.stringify(posix.normalize(root))}
edge_functions = ${JSON.stringify(FOLDER)}
`;
