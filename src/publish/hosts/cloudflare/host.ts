// Cloudflare Workers with static assets.
import type { Host } from '../host.ts';
import { isReachableAtEdge, lostNames, missingNotes, readNotes } from '../limits/limitations.ts';
import { CLOUDFLARE_REDIRECTS } from '../rules/plain-redirects.ts';
import { cloudflareFiles } from './files.ts';

export const CLOUDFLARE_NOTES: readonly string[] = [
  'Each path counts as a file, 20,000 on the free plan and 100,000 on paid ones: past that use netlify, cloudfront or a server.',
  'On the free plan requests past 100,000 a day are refused: they are calls of the worker. Each may take 10 ms of processor time there, which filters over many posts can exceed: use a paid plan or a server for those.',
  'A _redirects or _headers in the output, such as those for netlify, is applied as well: write these elsewhere with --to.',
];

export const cloudflare: Host = {
  name: 'cloudflare',
  title: 'Cloudflare Workers',
  place: 'aside',
  redirects: CLOUDFLARE_REDIRECTS,
  namesRoot: 'any',
  limits: { filesMax: 100_000, fileBytesMax: 25 * 1024 * 1024, hostFileBytesMax: 3 * 1024 * 1024 },
  profiles: ['literal', 'by-id', 'packed'],
  checksKeys: true,
  use: 'In the folder of wrangler.jsonc: npx wrangler deploy',
  limitations: (site) => [
    ...CLOUDFLARE_NOTES,
    ...readNotes(site),
    ...missingNotes(site.selection),
    ...lostNames(site.names, isReachableAtEdge),
  ],
  files: cloudflareFiles,
};
